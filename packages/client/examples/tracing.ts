// Spans of what a client does.
import { createClient } from "@call-media/client";
import { createTracing } from "@call-media/client/opentelemetry";

const credentials = { secretID: "...", secretKey: "..." };

const client = createClient({
  baseUrl: "https://archive.example.com",
  credentials,
  onEvent: createTracing(),
});

const { data } = await client.GET("/flags/public");
console.log(data.data.length);
