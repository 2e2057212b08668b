// Every call of an agent in the last 30 days.
import { createClient } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const search = { startDate: daysAgo(30), endDate: daysAgo(0), filter: { agent: "ana.kovac" } };

for await (const call of client.calls.search(search)) console.log(call.call_id);
