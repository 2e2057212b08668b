// Calls in which words were said or written, whoever applies them.
import { createClient } from "@call-media/client";
import { createWordsFilter } from "@call-media/client/words";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const search = { startDate: daysAgo(30), endDate: daysAgo(0), filter: { agent: "ana.kovac" } };

const found = client.calls.search({
  ...search,
  words: 'kovac "good morning"',
  filterWords: createWordsFilter({ chatRequests: 200 }),
});
for await (const call of found) console.log(call.call_id);
console.log(found.report.words); // "applied" or "filtered here"
