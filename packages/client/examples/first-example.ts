// The records of one call.
import { createClient } from "@call-media/client";

const client = createClient({
  baseUrl: "https://archive.example.com",
  credentials: { secretID: "...", secretKey: "..." },
});

const { data } = await client.GET("/metadata/by-call-id/{call_id}", {
  params: { path: { call_id: "300000004821507" } },
});
for (const call of data.data) console.log(call.datetime, call.agent_name);
