// Compares the time zone that a mapping says with other columns. If none of them tells a zone, a person has to look.
import { isTimeZone, parseDatetime, parseSourceTime } from "@call-media/store/values";
import { type Doubt, toDoubts } from "../../doubts/doubt.ts";
import { FARTHEST_ZONE_MS, ZONE_STEP_MS } from "../../doubts/zone.ts";
import type { Mapping } from "./mapping.ts";
import { toSteps } from "./names.ts";
import { readOwnMoments, type Values } from "./row-moments.ts";
import type { SampleColumn, SampleColumns } from "./sample-columns.ts";
import { listNamesIn } from "./template.ts";

const UTC = /(?:^|[^a-z])(?:utc|gmt|zulu)(?:[^a-z]|$)|universal/i;
const ZONE = /zone|(?:^|[^a-z])tz(?:[^a-z]|$)/i;
// Where a customer lives says nothing of the clock of the export.
const OTHERS = /customer|contact|lead|caller|callee|client/i;
const MOMENT = /^\d{4}-\d\d-\d\d.*(?:Z|[+-]\d\d:?\d\d)$/;
const SINCE_1970 = /^1\d{9}(?:\d{3})?$/;
const MOST = 0.8;
const NEAR_MS = 2_000;

interface Time {
  readonly row: number;
  /** As if it was of UTC. */
  readonly utcMs: number;
  /** In the zone in which it is read. */
  readonly instantMs: number;
}

/** `timeZone` is how times are read of which the mapping does not say the zone. */
export function judgeSaidZone(
  mapping: Mapping,
  sample: SampleColumns,
  timeZone: string,
): readonly Doubt[] {
  const [rule] = mapping.fields.find(({ field }) => field === "datetime")?.rules ?? [];
  if (rule === undefined || mapping.expected.has("datetime")) return [];
  if (rule.zone !== undefined && listNamesIn(rule.zone).length > 0) return [];
  const said = rule.zone?.template.map(({ text }) => text).join("");
  const names = rule.from.flatMap(listNamesIn);
  const columns = names.flatMap((name) => sample.find(toSteps(name)) ?? []);
  const [column] = columns;
  if (column === undefined) return [];
  const zone = said ?? timeZone;
  const times = columns.length === 1 ? toTimes(column, zone, rule.convert) : [];
  const others = sample.list().filter((one) => !columns.includes(one));
  const clocks =
    columns.length === 1
      ? times.map(({ row, utcMs }) => [row, utcMs] as const)
      : columns.flatMap(listClocks);
  if (columns.length === 1 && times.length === 0) return [];
  const found = [
    findByName(columns, times),
    ...others.map((one) => findByZone(one, times) ?? findByTwin(one, times, rule.convert)),
  ].filter((one) => one !== undefined);
  const wrong = found.filter(({ isRight }) => !isRight).map(({ text }) => text);
  if (wrong.length > 0)
    return toDoubts(wrong, {
      name: "zone",
      effect: "stop",
      text: `times without an offset are read in ${zone}, and another column tells otherwise`,
      advice: 'Correct the zone, or read it from its column, as "zone": "{Time zone}"',
    });
  const isTold = found.length > 0 || hasMoments(others, readOwnMoments(rule, sample));
  const own = columns.map(({ name }) => `{${name}}`).join(", ");
  if (isTold) return [];
  const twins = findShifted(new Map(clocks), others, rule.convert);
  if (twins.length > 0)
    return toDoubts(
      twins.map((text) => `${own}, read in ${zone}: ${text}`),
      SHIFTED,
    );
  return said === undefined
    ? []
    : toDoubts([own], {
        name: "zone",
        effect: "warn",
        text: `the mapping says that times are of ${said}, and nothing in the rows tells it`,
        advice:
          "Compare a call with the source. A sample of the mapping that has its datetime proves it",
      });
}

const SHIFTED = {
  name: "zone",
  effect: "warn",
  text: "the rows have the same times in two zones, and nothing tells which zone is which",
  advice:
    'Look which of them the mapping reads, and say its zone beside the format, as "zone": "UTC"',
} as const;

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
// Fewer may have the same distance by chance.
const FEW = 5;
const CLOCK = /(?:^|[T ])(\d\d?):(\d\d)(?::(\d\d))?/;

/** The time of day in ms. */
function listClocks({ values }: SampleColumn): readonly (readonly [number, number])[] {
  return [...values].flatMap(([row, text]) => {
    const [, hours, minutes, seconds = "0"] = CLOCK.exec(text) ?? [];
    if (hours === undefined) return [];
    return [
      [row, (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000] as const,
    ];
  });
}

/** Columns with the same times of day, all as many hours later or earlier. */
function findShifted(
  own: ReadonlyMap<number, number>,
  others: readonly SampleColumn[],
  convert: Convert,
): readonly string[] {
  return others.flatMap((other) => {
    const times = toTimes(other, "UTC", convert).map(({ row, utcMs }) => [row, utcMs] as const);
    const clocks = times.length > 0 ? times : listClocks(other);
    const distances = clocks.flatMap(([row, ms]) => {
      const time = own.get(row);
      return time === undefined ? [] : [(((ms - time) % DAY_MS) + DAY_MS) % DAY_MS];
    });
    const [first = 0] = distances;
    const isShift = first % ZONE_STEP_MS === 0 && Math.min(first, DAY_MS - first) >= HALF_HOUR_MS;
    const isOne = distances.length >= FEW && distances.every((ms) => ms === first);
    if (!isShift || !isOne || new Set(own.values()).size < FEW) return [];
    const hours = (first > DAY_MS / 2 ? first - DAY_MS : first) / 3_600_000;
    return [`{${other.name}} is ${Math.abs(hours)} h ${hours > 0 ? "later" : "earlier"}`];
  });
}

type Convert = (text: string) => { readonly value: string | number } | { readonly fault: string };

function toTimes({ values }: SampleColumn, zone: string, convert: Convert): readonly Time[] {
  return [...values].flatMap(([row, text]): Time[] => {
    const one = convert(text);
    if ("fault" in one) return [];
    const utc = parseDatetime(String(one.value), "UTC");
    const own = parseSourceTime(String(one.value), zone);
    if (typeof utc === "string" || typeof own === "string" || utc.hasOffset) return [];
    return [{ row, utcMs: utc.instantMs, instantMs: own.instantMs }];
  });
}

interface Evidence {
  readonly text: string;
  readonly isRight: boolean;
}

/** A column that is called "Start (UTC)". */
function findByName(
  columns: readonly SampleColumn[],
  times: readonly Time[],
): Evidence | undefined {
  const named = columns.find(({ name }) => UTC.test(name));
  if (named === undefined || times.length === 0) return undefined;
  const isRight = areMost(times, ({ utcMs, instantMs }) => utcMs === instantMs);
  return { text: `{${named.name}} is of UTC by its name`, isRight };
}

/** A column that names time zones. */
function findByZone({ name, values }: SampleColumn, times: readonly Time[]): Evidence | undefined {
  if (!ZONE.test(name) || OTHERS.test(name)) return undefined;
  const zoned = times.flatMap(({ row, utcMs, instantMs }) => {
    const zone = values.get(row) ?? "";
    if (!/[/]|^(?:UTC|GMT)$/.test(zone) || !isTimeZone(zone)) return [];
    const local = new Date(utcMs).toISOString().slice(0, -1);
    const parsed = parseSourceTime(local, zone);
    return typeof parsed === "string" ? [] : [{ zone, isRight: parsed.instantMs === instantMs }];
  });
  const first = zoned.find(({ isRight }) => !isRight);
  if (zoned.length === 0) return undefined;
  return { text: `{${name}} has "${(first ?? zoned[0])?.zone}"`, isRight: first === undefined };
}

/** The same time in another column that is called one of UTC. */
function findByTwin(
  { name, values }: SampleColumn,
  times: readonly Time[],
  convert: Convert,
): Evidence | undefined {
  if (!UTC.test(name)) return undefined;
  const twins = new Map(
    toTimes({ name, values }, "UTC", convert).map(({ row, utcMs }) => [row, utcMs]),
  );
  const distances = times.flatMap(({ row, instantMs }) => {
    const twin = twins.get(row);
    return twin === undefined ? [] : [instantMs - twin];
  });
  if (distances.length === 0) return undefined;
  const isNear = (ms: number) => Math.abs(ms) <= NEAR_MS;
  if (areMost(distances, isNear)) return { text: "", isRight: true };
  const areSteps = areMost(
    distances,
    (ms) => !isNear(ms) && isNear(ms - Math.round(ms / ZONE_STEP_MS) * ZONE_STEP_MS),
  );
  return areSteps ? { text: `{${name}} has another time`, isRight: false } : undefined;
}

const areMost = <One>(list: readonly One[], holds: (one: One) => boolean) =>
  list.filter(holds).length >= MOST * list.length;

/** True if one of the columns has times of the calls that say their offset, which are compared with the calls elsewhere. */
const hasMoments = (others: readonly SampleColumn[], own: Values): boolean =>
  others.some(({ values }) => {
    const isOne = ([row, text]: readonly [number, string]) =>
      MOMENT.test(text) || (SINCE_1970.test(text) && isNearCall(toMs(text), own.get(row)));
    return values.size > 0 && areMost([...values], isOne);
  });

// Identifiers have as many digits as seconds since 1970.
const isNearCall = (ms: number, callMs: number | undefined) =>
  callMs !== undefined && Math.abs(ms - callMs) <= FARTHEST_ZONE_MS;

const toMs = (text: string) => Number(text) * (text.length === 10 ? 1_000 : 1);
