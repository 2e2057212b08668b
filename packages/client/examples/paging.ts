// A search day by day, which could go on from its cursor, and its account.
import { writeFile } from "node:fs/promises";

import { createClient } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };

const client = createClient({
  baseUrl: "https://archive.example.com",
  credentials,
  profile: { endDate: "included", recordCount: "all" },
});
const search = client.calls.byCustomFields({
  startDate: "2026-01-01",
  endDate: "2026-03-31",
  filter: {},
  windowDays: 1,
});
for await (const page of search.pages()) {
  for (const call of page.records) console.log(call.call_id);
  await writeFile("cursor.json", search.cursor);
}
console.log(search.report); // { rows, duplicates, windows: [...], verdict }
