// Calls in which words were said or written, whoever applies them.
import { createClient, daysAgo } from "@call-media/client";
import { createWordsFilter } from "@call-media/client/words";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const found = client.calls.search({
  startDate: daysAgo(30, "UTC"),
  endDate: daysAgo(0, "UTC"),
  filter: { agent: "ana.kovac" },
  words: 'kovac "good morning"',
  filterWords: createWordsFilter({ chatRequests: 200 }),
});
for await (const call of found) console.log(call.call_id);
console.log(found.report.words); // "applied" or "filtered here"
