// openapi-fetch, with the sign-in, the retries and the time-outs of the client.
import { createOpenapiFetchClient } from "@call-media/client/openapi-fetch";

const credentials = { secretID: "...", secretKey: "..." };

const client = createOpenapiFetchClient({
  baseUrl: "https://archive.example.com",
  credentials,
});

const { data, error, response } = await client.GET("/chat/by-call-id/{call_id}", {
  params: { path: { call_id: "300000004821507" } },
});
if (error) console.error(response.status, error.errorMessage);
else for (const message of data.data) console.log(message.label, message.transcript);
