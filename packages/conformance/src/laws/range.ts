// Two parameters select the rows between them: days, instants or numbers. Both ends are checked.
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { FoundList, Run } from "../run.ts";
import { findList, rowsOf, valuesOf } from "../values/lists.ts";
import { at, headerOf, show, toQueryValue, toRowPlace } from "../values/places.ts";
import { isWanted, type Judgement, type Law, unchecked, type Verdicts } from "./law.ts";
import {
  DAY_MS,
  type DayOf,
  type Ends,
  isOfUnit,
  toDayOf,
  toEdge,
  toNumber,
  toTests,
  ZONE_MS,
} from "./range-values.ts";
import { findUnwanted, judgeSelection } from "./select.ts";

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
    if (isWanted(rule, "within")) yield* judgeOffset(run, ranged);
    yield* judgeReversed(run, ranged);
  },
  ofOne: ["range.within"],
  judgeOne: function* judgeOne(rule, answer, run) {
    const { operation, ask } = answer;
    const rows = rowsOf(run, answer);
    const given = [rule.from, rule.to].map((name) =>
      name === undefined ? undefined : toQueryValue(ask, name),
    );
    const [from, to] = given.map((value) => toEdge(rule, value));
    const isRead = given.every(
      (value, index) => value === undefined || !isNaNOf([from, to][index]),
    );
    const isRight = isRead && (from === undefined || to === undefined || from <= to);
    if (rows.length === 0 || !isRight || (from === undefined && to === undefined)) return;
    const items = run.listInfo(operation.id)?.items ?? "";
    const fields = rule.field.map((field) => toRowPlace(field, items));
    const dayOf = rule.zone === undefined ? undefined : toDayOf(readZone(answer, rule.zone));
    const { isInside, isNear } = toTests(rule, dayOf, { from, to });
    const unwanted = findUnwanted(
      run,
      {
        operation: operation.id,
        fields,
        how: toHow(queryOf(rule, { from, to })),
        isWanted: (row) => valuesOf(row, fields).some(isInside),
        isDoubtful: (row) => {
          const values = valuesOf(row, fields);
          return values.some(isNear) || !values.some((one) => isOfUnit(rule, toNumber(one)));
        },
      },
      rows,
    );
    yield { clause: "range.within", answer, witness: "a row", fault: unwanted?.fault };
  },
};

const isNaNOf = (value: number | undefined): boolean => value !== undefined && Number.isNaN(value);

const toHow = (query: JsonObject): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(", ");

function readZone(answer: Answer, zone: string): unknown {
  const header = headerOf(zone);
  return header === undefined ? at(answer.json, zone) : answer.headers.get(header);
}

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
  const told = readZone(answer, rule.zone);
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

const stepOf = ({ unit = "day" }: RuleOf<"range">): number =>
  ({ day: DAY_MS, instant: 1_000, number: 1 })[unit];

/** The value as written in the query. */
function toWritten({ unit = "day" }: RuleOf<"range">, value: number): string | number {
  if (unit === "number") return value;
  const text = new Date(value).toISOString();
  return unit === "day" ? text.slice(0, 10) : text.replace(".000Z", "Z");
}

interface Edges extends Ends {
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
    .filter(({ clauses: { wrong, lost } }) =>
      [wrong, lost].some((one) => isWanted(rule, one.replace("range.", ""))),
    )
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

const queryOf = (rule: RuleOf<"range">, { from, to }: Ends) => ({
  ...(rule.from !== undefined && from !== undefined && { [rule.from]: toWritten(rule, from) }),
  ...(rule.to !== undefined && to !== undefined && { [rule.to]: toWritten(rule, to) }),
});

function judgeEdges(run: Run, ranged: Ranged, edges: Edges): Verdicts {
  const { rule, operation, list, fields, dayOf } = ranged;
  const query = queryOf(rule, edges);
  const { isInside, isNear } = toTests(rule, dayOf, edges);
  return judgeSelection(run, {
    operation: operation.id,
    list,
    query,
    how: toHow(query),
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
    // Rows at one place alone show no order, but a range is the wrong way round without rows too.
    (low === high && rule.reversed !== "refused")
  )
    return;
  const query = queryOf(rule, { from: high + stepOf(rule), to: low });
  const answer = await run.ask({ operation: operation.id, query: { ...list.query, ...query } });
  const count = rowsOf(run, answer).length;
  const isTaken =
    rule.reversed === "refused" ? answer.status !== 400 : answer.isSuccess && count > 0;
  yield {
    clause: "range.reversed",
    answer,
    witness: "rows between the two",
    fault: isTaken
      ? `a range that ends before it begins is answered ${answer.status} with ${count} rows`
      : undefined,
  };
}
