// Picks the few days that show best where ranges begin and end.
import type { JsonObject } from "@call-media/contract-diff";
import { type Moment, parseMoment } from "../../values/moments.ts";
import { addDays } from "./days.ts";
import { PAGE_SIZE } from "./window.ts";

const DAY_MS = 86_400_000;

/** A record with a parsable datetime. */
export interface Dated {
  readonly record: JsonObject;
  readonly moment: Moment;
}

/** The records with a parsable datetime. */
export function toDated(records: readonly JsonObject[]): Dated[] {
  return records.flatMap((record) => {
    const moment = parseMoment(record["datetime"]);
    return moment === undefined ? [] : [{ record, moment }];
  });
}

/** Single days near the ends and in the middle, the adjacent days, and a few days together. */
export function listRanges(
  dated: readonly Dated[],
  maxDays: number,
): readonly { start: string; end: string }[] {
  const days = [...new Set(dated.map(({ moment }) => moment.day))].toSorted();
  const count = Object.groupBy(dated, ({ moment }) => moment.day);
  const quiet = days.filter((day) => (count[day]?.length ?? 0) < PAGE_SIZE);
  // A call near midnight is on another day in the neighbouring zone, so it shows the zone best.
  const byTime = dated
    .filter(({ moment: { hasOffset, day } }) => hasOffset && quiet.includes(day))
    .toSorted((a, b) => (a.moment.ms % DAY_MS) - (b.moment.ms % DAY_MS));
  const picked = [
    byTime[0]?.moment.day,
    byTime.at(-1)?.moment.day,
    quiet[0],
    quiet.at(-1),
    quiet[quiet.length >> 1],
  ];
  const single = [...new Set(picked.filter((day) => day !== undefined))].slice(0, maxDays);
  const middle = quiet[quiet.length >> 1];
  const wide = middle === undefined ? [] : [{ start: middle, end: addDays(middle, 9) }];
  return [
    ...single.map((day) => ({ start: day, end: day })),
    ...single.slice(0, 2).map((day) => ({ start: day, end: addDays(day, 1) })),
    ...wide,
  ];
}
