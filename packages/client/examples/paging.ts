// A search day by day that could continue from its cursor, and its report.
import { writeFile } from "node:fs/promises";

import { createClient, daysAgo } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };

const client = createClient({
  baseUrl: "https://archive.example.com",
  credentials,
  profile: { endDate: "included", recordCount: "all" },
});
const search = client.calls.byCustomFields({
  startDate: daysAgo(30, "UTC"),
  endDate: daysAgo(0, "UTC"),
  filter: {},
  windowDays: 1,
});
for await (const page of search.pages()) {
  for (const call of page.records) console.log(call.call_id);
  await writeFile("cursor.json", search.cursor);
}
console.log(search.report); // { rows, duplicates, windows: [...], verdict, reason, ... }
