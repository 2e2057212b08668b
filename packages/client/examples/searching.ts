// Every call of an agent in a month.
import { createClient } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const search = { startDate: "2026-03-01", endDate: "2026-03-31", filter: { agent: "ana.kovac" } };

for await (const call of client.calls.search(search)) console.log(call.call_id);
