// Being told when the service leaves the contract.
import { createClient } from "@call-media/client";
import { createValidator } from "@call-media/client/validate";

const credentials = { secretID: "...", secretKey: "..." };

const validate = createValidator({
  sample: 0.1,
  onDrift: ({ operationId, pointer, expected, received, count }) =>
    console.warn({ operationId, pointer, expected, received, count }),
});
const client = createClient({ baseUrl: "https://archive.example.com", credentials, validate });

const { data } = await client.GET("/flags/public");
console.log(data.data.length);
