// Long ranges of which most days have no calls: they cost few requests, and lose nothing.
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  type Exporting,
  type FakeCall,
  readMetadata,
  readReport,
  startExporting,
} from "./support/exporting.ts";

const EVER = ["--from", "1990-01-01", "--to", "2026-03-31"] as const;

const toCall = (day: string): FakeCall => ({ call_id: `of ${day}`, datetime: `${day}T06:14:00Z` });
const CALLS = ["2026-03-05", "2026-02-27", "2009-12-31", "1990-01-01"].map(toCall);

const countSearches = ({ service }: Exporting) =>
  service.requests.filter(({ url }) => url.includes("/metadata/by-custom-fields")).length;

const DAY_MS = 86_400_000;

/** Where the windows of the report leave days out, or have them twice. */
async function findGaps(out: string): Promise<readonly string[]> {
  const windows = (await readReport(out)).windows.toSorted((one, other) =>
    one.from < other.from ? -1 : 1,
  );
  const toNext = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  const starts = [EVER[1], ...windows.map(({ to }) => toNext(to))];
  return windows.flatMap(({ from }, index) => (from === starts[index] ? [] : [from]));
}

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
