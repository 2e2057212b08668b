// An archive of a few days of many years, and the windows in which its exports search.
import { type FakeCall, readReport } from "./exporting.ts";

export const EVER = ["--from", "1990-01-01", "--to", "2026-03-31"] as const;

export const toCall = (day: string): FakeCall => ({
  call_id: `of ${day}`,
  datetime: `${day}T06:14:00Z`,
});
export const CALLS = ["2026-03-05", "2026-02-27", "2009-12-31", "1990-01-01"].map(toCall);

const DAY_MS = 86_400_000;

/** Where the windows of the report leave days out, or have them twice. */
export async function findGaps(out: string): Promise<readonly string[]> {
  const windows = (await readReport(out)).windows.toSorted((one, other) =>
    one.from < other.from ? -1 : 1,
  );
  const toNext = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  const starts = [EVER[1], ...windows.map(({ to }) => toNext(to))];
  return windows.flatMap(({ from }, index) => (from === starts[index] ? [] : [from]));
}
