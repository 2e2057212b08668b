// A search day by day that could continue from its cursor, and its report.
import { writeFile } from "node:fs/promises";

import { createClient } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };
const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const client = createClient({
  baseUrl: "https://archive.example.com",
  credentials,
  profile: { endDate: "included", recordCount: "all" },
});
const search = client.calls.byCustomFields({
  startDate: daysAgo(30),
  endDate: daysAgo(0),
  filter: {},
  windowDays: 1,
});
for await (const page of search.pages()) {
  for (const call of page.records) console.log(call.call_id);
  await writeFile("cursor.json", search.cursor);
}
console.log(search.report); // { rows, duplicates, windows: [...], verdict }
