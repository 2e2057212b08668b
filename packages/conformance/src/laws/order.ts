// Rows are sorted on one page, across pages, and under a filter.
import type { Answer } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { findList, keyOf, readAll, rowsOf, valuesOf } from "../values/lists.ts";
import { parseMoment } from "../values/moments.ts";
import { hasSize } from "../values/pages.ts";
import { at, show, toRowPlace, toText } from "../values/places.ts";
import { filtersOf } from "./filters.ts";
import { type Judgement, type Law, unchecked } from "./law.ts";

export const orderLaw: Law<"order"> = {
  cost: 3,
  judge: async function* judge(rule, operation, run) {
    const list = await findList(run, operation.id);
    if (list === undefined || list.rows.length < 2) {
      yield unchecked("order", "fewer than two rows were found");
      return;
    }
    // An order other than the default is checked only on the complete list.
    const page = rule.with === undefined ? run.ruleOf("page", operation.id) : undefined;
    const query = { ...list.query, ...rule.with };
    const ask = { operation: operation.id, query };
    const narrow = rule.with === undefined ? filterQuery(run, operation.id, list.rows) : undefined;
    const places = toPlaces(run, rule, operation.id);
    const enough = list.isWhole ? list.rows.length : Infinity;
    const reads = [
      await readAll(run, ask, { enough }),
      ...(page !== undefined && hasSize(page)
        ? [await readAll(run, ask, { size: 3, most: 3 })]
        : []),
      ...(narrow === undefined
        ? []
        : [await readAll(run, { ...ask, query: { ...query, ...narrow } })]),
    ];
    for (const { rows, answers } of reads) {
      const [answer] = answers;
      if (answer?.isSuccess !== true) continue;
      yield judgeRows(run, rule, { answer, rows, places });
    }
  },
  ofOne: ["order.order"],
  judgeOne: function* judgeOne(rule, answer, run) {
    const { operation, ask } = answer;
    const { query = {} } = ask;
    const own = Object.entries(rule.with ?? {});
    const isAsked = own.every(([name, value]) => toText(query[name]) === toText(value));
    // Another order may be asked for by any of these.
    const orders = new Set(
      run.relations.rules.flatMap((one) =>
        one.kind === "order" ? Object.keys(one.with ?? {}) : [],
      ),
    );
    const isOther = Object.keys(query).some(
      (name) => !own.some(([key]) => key === name) && (orders.has(name) || SORTING.test(name)),
    );
    if (!isAsked || isOther) return;
    const places = toPlaces(run, rule, operation.id);
    yield judgeRows(run, rule, { answer, rows: rowsOf(run, answer), places });
  },
};

/** Names of parameters that ask for an order, or for the rows before a cursor. */
const SORTING = /sort|order|direction|dir$|^by$|rank|reverse|asc|desc|before|prev/i;

function toPlaces(run: Run, { by }: RuleOf<"order">, id: string): string[] {
  const items = run.listInfo(id)?.items ?? "";
  return by.map((place) =>
    place.startsWith("-") ? `-${toRowPlace(place.slice(1), items)}` : toRowPlace(place, items),
  );
}

interface Ordered {
  readonly answer: Answer;
  readonly rows: readonly unknown[];
  readonly places: readonly string[];
}

function judgeRows(
  run: Run,
  { by }: RuleOf<"order">,
  { answer, rows, places }: Ordered,
): Judgement {
  const { pair, isTold } = findDisorder(rows, places);
  const isReversed = pair && findDisorder(rows.toReversed(), places).pair === undefined;
  return {
    clause: "order.order",
    answer,
    witness: isTold ? "two rows with different values" : undefined,
    fault: pair && {
      at: by.join(),
      fault: `${pair.map((row) => keyOf(run, answer.operation.id, row)).join(" stands before ")}, against the order of ${by.join(", ")}`,
      more: places
        .map((written) => written.replace(/^-/, ""))
        .map((place) => `${place} ${pair.map((row) => show(at(row, place))).join(", then ")}`)
        .join("; "),
    },
    ...(isTold && { saw: pair === undefined ? "ordered" : isReversed ? "reversed" : "other" }),
  };
}

/** A filter that leaves several rows. */
function filterQuery(run: Run, id: string, rows: readonly unknown[]) {
  const rule = run.ruleOf("filter", id);
  const [filter] = rule === undefined ? [] : filtersOf(run, rule, run.operation(id));
  if (filter === undefined || filter.rule.match === "contains") return undefined;
  const value = filter.rule.when ?? valuesOf(rows.at(-1), filter.fields)[0];
  return value === undefined ? undefined : { [filter.by]: value };
}

export interface Disorder {
  /** True if any two rows differ in the values they are sorted by. */
  readonly isTold: boolean;
  /** The first two adjacent rows in the wrong order. */
  readonly pair?: readonly [before: unknown, after: unknown];
}

/** Rows without a value may be anywhere. `by`: places in a row, with `-` for descending. */
export function findDisorder(rows: readonly unknown[], by: readonly string[]): Disorder {
  const places = by.map((place) => ({
    sign: place.startsWith("-") ? -1 : 1,
    place: place.replace(/^-/, ""),
  }));
  const [first] = places;
  const valued = rows.filter((row) => (at(row, first?.place ?? "") ?? null) !== null);
  let isTold = false;
  for (const [index, row] of valued.slice(1).entries()) {
    const before = valued[index];
    const sign = compareRows(before, row, places);
    isTold ||= sign !== 0;
    if (sign > 0) return { isTold, pair: [before, row] };
  }
  return { isTold };
}

/** 0 if the two cannot be compared: the order of text with non-ASCII letters depends on the locale. */
function compareRows(
  one: unknown,
  other: unknown,
  places: readonly { readonly sign: number; readonly place: string }[],
): number {
  for (const { sign, place } of places) {
    const compared = compareValues(at(one, place), at(other, place));
    if (compared === undefined) return 0;
    if (compared !== 0) return compared * sign;
  }
  return 0;
}

function compareValues(one: unknown, other: unknown): number | undefined {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one !== "string" || typeof other !== "string") return undefined;
  const [first, second] = [parseMoment(one), parseMoment(other)];
  if (first !== undefined && second !== undefined)
    // The order of a moment with an offset and one without is unknown.
    return first.hasOffset === second.hasOffset ? first.ms - second.ms : undefined;
  if (/[^ -~]/.test(one + other)) return undefined;
  // The order of capitals also depends on the locale.
  if (one.toLowerCase() === other.toLowerCase()) return 0;
  const [plain, folded] = [one < other, one.toLowerCase() < other.toLowerCase()];
  return plain === folded ? (plain ? -1 : 1) : undefined;
}
