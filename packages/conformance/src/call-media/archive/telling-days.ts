// Days that tell where ranges begin and end: of all that could be asked for, the few that show it best.
import type { JsonObject } from "../answer.ts";
import { type Moment, parseMoment } from "../../values/moments.ts";
import { addDays } from "./days.ts";
import { PAGE_SIZE } from "./window.ts";

const DAY_MS = 86_400_000;

/** A record whose datetime can be read. */
export interface Dated {
  readonly record: JsonObject;
  readonly moment: Moment;
}

/** Those of the records whose datetime can be read. */
export function toDated(records: readonly JsonObject[]): Dated[] {
  return records.flatMap((record) => {
    const moment = parseMoment(record["datetime"]);
    return moment === undefined ? [] : [{ record, moment }];
  });
}

/** Single days near the ends and in the middle, the days beside them, and a few days together. */
export function listRanges(
  dated: readonly Dated[],
  maxDays: number,
): readonly { start: string; end: string }[] {
  const days = [...new Set(dated.map(({ moment }) => moment.day))].toSorted();
  const count = Object.groupBy(dated, ({ moment }) => moment.day);
  const quiet = days.filter((day) => (count[day]?.length ?? 0) < PAGE_SIZE);
  // A call near midnight is on another day in the next zone: it shows the zone best.
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
