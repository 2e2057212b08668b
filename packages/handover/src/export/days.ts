// Ranges of calendar days.
import { addDays } from "@call-media/client";

/** Both inclusive: YYYY-MM-DD in the time zone of the archive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

export function countDays({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** The days of a range that no window covers. */
export function toGaps({ from, to }: Days, windows: readonly Days[]): readonly Days[] {
  const gaps: Days[] = [];
  let next = from;
  const inOrder = windows
    .filter((one) => one.to >= from && one.from <= to)
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  for (const window of inOrder) {
    if (window.from > next) gaps.push({ from: next, to: addDays(window.from, -1) });
    // The day after the last one may not be a valid date.
    if (window.to >= to) return gaps;
    if (window.to >= next) next = addDays(window.to, 1);
  }
  return [...gaps, { from: next, to }];
}

/**
 * The directory of a record: the day of its datetime as written if the window has that day, else the nearest day of the window. For the
 * service the record may belong to the day before or after (D03, D06).
 */
export function toFolderDay(
  { datetime }: { readonly datetime: string | null },
  { from, to }: Days,
): string {
  const [day = from] = /^\d{4}-\d\d-\d\d/.exec(datetime ?? "") ?? [];
  if (day < from) return from;
  return day > to ? to : day;
}
