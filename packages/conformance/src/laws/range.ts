// Two parameters select the rows between them: days, instants or numbers. Both ends are checked.
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { FoundList, Run } from "../run.ts";
import { findList, rowsOf, valuesOf } from "../values/lists.ts";
import { parseMoment } from "../values/moments.ts";
import { at, headerOf, show, toRowPlace, toText } from "../values/places.ts";
import { type Judgement, type Law, unchecked, type Verdicts } from "./law.ts";
import { judgeSelection } from "./select.ts";

const DAY_MS = 86_400_000;
/** No time zone is further from UTC. */
const ZONE_MS = 14 * 3_600_000;

interface Ranged {
  /** The day of a value in the zone that the response names; undefined if it names none. */
  readonly dayOf: DayOf | undefined;
  readonly rule: RuleOf<"range">;
  readonly operation: Operation;
  readonly list: FoundList;
  readonly fields: readonly string[];
  /** All values of all rows, in ascending order. */
  readonly values: readonly number[];
}

type DayOf = (value: unknown) => string;

export const rangeLaw: Law<"range"> = {
  cost: 8,
  judge: async function* judge(rule, operation, run) {
    const list = await findList(run, operation.id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("range", "no rows were found");
      return;
    }
    const items = run.listInfo(operation.id)?.items ?? "";
    const fields = rule.field.map((field) => toRowPlace(field, items));
    const values = list.rows
      .flatMap((row) => valuesOf(row, fields).map(toNumber))
      .filter((value) => isOfUnit(rule, value))
      .toSorted((one, other) => one - other);
    if (values.length === 0) {
      yield unchecked("range", `no row has a value of ${fields.join(" or ")}`);
      return;
    }
    yield* judgeReadable(run, { rule, operation, list, fields });
    const dayOf = yield* judgeZone(run, { rule, operation, list });
    const ranged = { rule, operation, list, fields, values, dayOf };
    for (const edges of toEdges(ranged)) yield* judgeEdges(run, ranged, edges);
    yield* judgeOffset(run, ranged);
    yield* judgeReversed(run, ranged);
  },
};

async function* judgeReadable(
  run: Run,
  { rule, operation, list, fields }: Omit<Ranged, "values" | "dayOf">,
): Verdicts {
  const odd = list.rows
    .flatMap((row) => valuesOf(row, fields))
    .find((value) => !isOfUnit(rule, toNumber(value)));
  if (odd === undefined) return;
  const { unit = "day" } = rule;
  yield {
    clause: "range.within",
    answer: await run.ask({ operation: operation.id, path: list.path, query: list.query }),
    witness: "a value of each row",
    fault: {
      at: fields.join(),
      fault: `${fields.join(" or ")} is ${show(odd)}, which is no ${unit}`,
    },
  };
}

/** The time zone of the days, if the rule names the place of it in the response. */
async function* judgeZone(
  run: Run,
  { rule, operation, list }: Pick<Ranged, "rule" | "operation" | "list">,
): AsyncGenerator<Judgement, DayOf | undefined> {
  if (rule.zone === undefined) return undefined;
  const answer = await run.ask({ operation: operation.id, path: list.path, query: list.query });
  const header = headerOf(rule.zone);
  const told = header === undefined ? at(answer.json, rule.zone) : answer.headers.get(header);
  const dayOf = toDayOf(told);
  const fault = dayOf === undefined ? `${rule.zone} is ${show(told)}, which is no time zone` : "";
  yield {
    clause: "range.zone",
    answer,
    witness: "an answer",
    fault: fault === "" ? undefined : { at: rule.zone, fault },
  };
  return dayOf;
}

function toDayOf(zone: unknown): DayOf | undefined {
  try {
    // Swedish dates are written YYYY-MM-DD.
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: String(zone), dateStyle: "short" });
    return (value) => {
      const moment = parseMoment(value);
      // A moment without an offset belongs to the day it names.
      return moment?.hasOffset === true ? format.format(moment.ms) : toText(value).slice(0, 10);
    };
  } catch {
    return undefined; // not a time zone
  }
}

const isPlainDay = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);

/** The maximum of `Date` is a little larger (ECMA-262, 21.4.1.1). */
const MAX_MS = 8e15;

/** Milliseconds of a day or an instant, or the number itself. */
function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string"
    ? /^-?[\d.]+$/.test(value)
      ? Number(value)
      : Date.parse(value)
    : Number.NaN;
}

const isOfUnit = ({ unit }: RuleOf<"range">, value: number): boolean =>
  unit === "number" ? !Number.isNaN(value) : Math.abs(value) < MAX_MS;

const stepOf = ({ unit = "day" }: RuleOf<"range">): number =>
  ({ day: DAY_MS, instant: 1_000, number: 1 })[unit];

/** The value as written in the query. */
function toWritten({ unit = "day" }: RuleOf<"range">, value: number): string | number {
  if (unit === "number") return value;
  const text = new Date(value).toISOString();
  return unit === "day" ? text.slice(0, 10) : text.replace(".000Z", "Z");
}

interface Edges {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly clauses: { readonly wrong: string; readonly lost: string };
}

const INSIDE = { wrong: "range.within", lost: "range.finds" };
const AT_ENDS = { wrong: "range.ends", lost: "range.ends" };

/** The middle only, each half, and one step beyond each end. */
function toEdges({ rule, values }: Ranged): Edges[] {
  const step = stepOf(rule);
  const floor = (value: number) =>
    rule.unit === "number" || rule.unit === "instant" ? value : Math.floor(value / DAY_MS) * DAY_MS;
  const [low, middle, high] = [values[0], values[values.length >> 1], values.at(-1)].map((value) =>
    floor(value ?? 0),
  );
  if (low === undefined || middle === undefined || high === undefined) return [];
  const isDay = (rule.unit ?? "day") === "day";
  const [first, last] = isDay ? toTelling(values).map(floor) : [middle, middle];
  const all: Edges[] = [
    { from: low, to: last, clauses: INSIDE },
    { from: first, to: high, clauses: INSIDE },
    { from: middle, to: middle, clauses: AT_ENDS },
    { from: middle + step, to: high + step, clauses: AT_ENDS },
    { from: low - step, to: low, clauses: AT_ENDS },
    { from: high, to: high + step, clauses: AT_ENDS },
  ];
  const known = new Set<string>();
  return all
    .map(({ from, to, clauses }) => ({
      from: rule.from === undefined ? undefined : from,
      to: rule.to === undefined ? undefined : to,
      clauses,
    }))
    .filter(({ from, to }) => !known.has(`${from} ${to}`) && known.add(`${from} ${to}`));
}

/**
 * The values nearest to the middle that are early or late in their day. In any time zone, they show that this day is the first or last of a
 * range. The middle itself if there are none.
 */
function toTelling(values: readonly number[]): readonly [first: number, last: number] {
  const middle = values.length >> 1;
  const byNearness = values
    .map((value, index) => ({ value, away: Math.abs(index - middle) }))
    .toSorted((one, other) => one.away - other.away)
    .map(({ value }) => value);
  const timeOf = (value: number) => value - Math.floor(value / DAY_MS) * DAY_MS;
  const [nearest = 0] = byNearness;
  return [
    byNearness.find((value) => timeOf(value) > ZONE_MS) ?? nearest,
    byNearness.find((value) => timeOf(value) < DAY_MS - ZONE_MS) ?? nearest,
  ];
}

const queryOf = (rule: RuleOf<"range">, { from, to }: Pick<Edges, "from" | "to">) => ({
  ...(rule.from !== undefined && from !== undefined && { [rule.from]: toWritten(rule, from) }),
  ...(rule.to !== undefined && to !== undefined && { [rule.to]: toWritten(rule, to) }),
});

function judgeEdges(run: Run, ranged: Ranged, edges: Edges): Verdicts {
  const { rule, operation, list, fields, dayOf } = ranged;
  const query = queryOf(rule, edges);
  const isDay = (rule.unit ?? "day") === "day";
  const { from = -Infinity, to = Infinity } = edges;
  // A day includes its last millisecond if rows have instants.
  const end = to + (isDay ? DAY_MS - 1 : 0);
  /** In a known zone, the day: represented by its midnight in UTC. */
  const toPoint = (value: unknown): number =>
    toNumber(isDay && dayOf !== undefined ? dayOf(value) : value);
  const isInside = (value: unknown) => {
    const point = toPoint(value);
    return point >= from && (rule.ends === "half-open" ? point < to : point <= end);
  };
  const isNear = (value: unknown) => {
    const point = toPoint(value);
    const slack = isDay && dayOf === undefined && !isPlainDay(value) ? ZONE_MS : 0;
    const isEdge = rule.ends === "either" && (point === from || point === to);
    return isEdge || (slack > 0 && [from, end].some((edge) => Math.abs(point - edge) <= slack));
  };
  const how = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
  return judgeSelection(run, {
    operation: operation.id,
    list,
    query,
    how,
    clauses: edges.clauses,
    isWanted: (row) => valuesOf(row, fields).some(isInside),
    isDoubtful: (row) => valuesOf(row, fields).some(isNear),
  });
}

/** An instant with another offset is the same instant (RFC 3339, 4). */
async function* judgeOffset(run: Run, { rule, operation, list, fields, values }: Ranged): Verdicts {
  const middle = values[values.length >> 1];
  if (rule.unit !== "instant" || rule.from === undefined || middle === undefined) return;
  const written = `${new Date(middle + 2 * 3_600_000).toISOString().slice(0, 19)}+02:00`;
  const to = rule.to === undefined ? {} : { [rule.to]: toWritten(rule, values.at(-1) ?? middle) };
  yield* judgeSelection(run, {
    operation: operation.id,
    list,
    query: { [rule.from]: written, ...to },
    how: `${rule.from}=${written}`,
    clauses: { wrong: "range.within", lost: "range.finds" },
    isWanted: (row) => valuesOf(row, fields).some((value) => toNumber(value) >= middle),
  });
}

async function* judgeReversed(run: Run, { rule, operation, list, values }: Ranged): Verdicts {
  const [low, high] = [values[0], values.at(-1)];
  if (
    rule.from === undefined ||
    rule.to === undefined ||
    low === undefined ||
    high === undefined ||
    low === high
  )
    return;
  const query = queryOf(rule, { from: high + stepOf(rule), to: low });
  const answer = await run.ask({ operation: operation.id, query: { ...list.query, ...query } });
  const count = rowsOf(run, answer).length;
  yield {
    clause: "range.reversed",
    answer,
    witness: "rows between the two",
    fault:
      answer.isSuccess && count > 0
        ? `a range that ends before it begins gives ${count} rows`
        : undefined,
  };
}
