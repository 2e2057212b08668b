// Joins an export's searches of neighbouring days if they ended alike.
import { addDays } from "@call-media/client";
import { sumLeft, type WindowSummary } from "./report.ts";

const toEarlier = (one: string, other: string) => (one < other ? one : other);

const SUMS = ["came", "duplicates", "known", "gone", "superseded", "excluded", "rows"] as const;

/**
 * How the days were divided says nothing about the archive. Searches of a later round stay separate, because they are compared with
 * the earlier ones of their days. Those that drifted stay separate too, because a fault names their days.
 */
export function joinWindows(windows: readonly WindowSummary[]): readonly WindowSummary[] {
  if (windows.some(({ round }) => round > 0)) return windows;
  const joined: WindowSummary[] = [];
  for (const window of windows.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const last = joined.at(-1);
    if (last === undefined || !areAlike(last, window)) joined.push(window);
    else joined[joined.length - 1] = join(last, window);
  }
  return joined;
}

const areAlike = (one: WindowSummary, next: WindowSummary): boolean =>
  one.verdict === next.verdict && one.verdict !== "drifted" && addDays(one.to, 1) === next.from;

function join(one: WindowSummary, next: WindowSummary): WindowSummary {
  const { announced } = one;
  const sums = SUMS.map((field) => [field, one[field] + next[field]] as const);
  const files = Object.entries(one.files).map(
    ([status, count]) => [status, count + next.files[status as keyof typeof next.files]] as const,
  );
  return {
    ...one,
    ...sumLeft(one, next),
    ...(Object.fromEntries(sums) as Pick<WindowSummary, (typeof SUMS)[number]>),
    to: next.to,
    asOf: toEarlier(one.asOf, next.asOf),
    announced: announced === null || next.announced === null ? null : announced + next.announced,
    files: Object.fromEntries(files) as WindowSummary["files"],
    untoldChats: one.untoldChats + next.untoldChats,
  };
}
