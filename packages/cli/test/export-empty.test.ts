// Long ranges of which most days have no calls: they cost few requests, and lose nothing.
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Exporting, readMetadata, readReport, startExporting } from "./support/exporting.ts";
import { CALLS, EVER, findGaps } from "./support/empty-years.ts";

const countSearches = ({ service }: Exporting) =>
  service.requests.filter(({ url }) => url.includes("/metadata/by-custom-fields")).length;

test.each(["newest-first", "oldest-first"] as const)("years without calls, %s", async (order) => {
  const exporting = await startExporting({ calls: CALLS, profile: { order } });
  const { out, exportCalls } = exporting;
  const profile = `${out}.profile.json`;
  await writeFile(profile, JSON.stringify({ service: { order } }));
  expect(await exportCalls(...EVER, "--profile", profile)).toMatchObject({ code: 0 });
  const ids = CALLS.map(({ call_id }) => call_id);
  const written = (await readMetadata(out)).map(({ call_id }) => call_id);
  expect(written).toEqual(order === "newest-first" ? ids : ids.toReversed());
  expect(await findGaps(out)).toEqual([]);
  // There are 427 months.
  expect((await readReport(out)).windows.length).toBeLessThan(80);
  expect(countSearches(exporting)).toBeLessThan(100);
});
