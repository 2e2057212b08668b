// Every call of an agent, yesterday in Berlin.
import { createClient, daysAgo } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const timeZone = "Europe/Berlin";
const yesterday = daysAgo(1, timeZone);
const search = {
  startDate: yesterday,
  endDate: yesterday,
  timeZone,
  filter: { agent: "ana.kovac" },
};

for await (const call of client.calls.search(search)) console.log(call.call_id);
