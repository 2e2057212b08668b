// A filter returns all matching rows and no others: tested with values of rows, on small pages, combined with other filters.
import type { JsonObject } from "@call-media/contract-diff";
import type { Ask } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { FoundList, Run } from "../run.ts";
import { unknownOf } from "../values/candidates.ts";
import { findList, rowsOf, valuesOf } from "../values/lists.ts";
import { hasSize } from "../values/pages.ts";
import { isFit } from "../values/make.ts";
import { isSameInOtherForm } from "../values/normal.ts";
import { show, toQueryValue, toText } from "../values/places.ts";
import { type Law, unchecked, type Verdicts } from "./law.ts";
import {
  type Filter,
  filtersOf,
  isDoubtfulFor,
  isQuoting,
  matches,
  toHow,
  toQuery,
  VALUE,
} from "./filters.ts";
import { findUnwanted, judgeSelection, type Selection } from "./select.ts";

const MAX_VALUES = 4;
const MAX_OTHERS = 5;

interface Listed {
  readonly operation: Operation;
  readonly list: FoundList;
  readonly filter: Filter;
}

export const filterLaw: Law<"filter"> = {
  cost: 9,
  judge: async function* judge(rule, operation, run) {
    const list = await findList(run, operation.id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("filter", "no rows were found");
      return;
    }
    for (const one of filtersOf(run, rule, operation)) {
      const listed = { operation, list, filter: one };
      yield* judgeValues(run, listed);
      yield* judgeTogether(run, listed);
      yield* judgeNothing(run, listed);
    }
  },
  ofOne: ["filter.match"],
  judgeOne: function* judgeOne(rule, answer, run) {
    const { operation, ask } = answer;
    const rows = rowsOf(run, answer);
    for (const one of filtersOf(run, rule, operation)) {
      const values = toGiven(run, one, ask);
      if (values.length === 0 || rows.length === 0) continue;
      const tests = values.map((value) => matches(one, value));
      const isNear = (row: unknown) =>
        valuesOf(row, one.fields).some((came) =>
          values.some((value) => isSameInOtherForm(value, came)),
        );
      const doubts = [isNear, ...values.map((value) => isDoubtfulFor(one, value))];
      const unwanted = findUnwanted(
        run,
        {
          operation: operation.id,
          fields: one.fields,
          how: values.map((value) => toHow(one, value)).join(", "),
          isWanted: (row) => tests.some((isMatch) => isMatch(row)),
          isDoubtful: (row) => doubts.some((isDoubtful) => isDoubtful(row)),
        },
        rows,
      );
      yield { clause: "filter.match", answer, witness: "a row", fault: unwanted?.fault };
    }
  },
};

/** Clients write lists, wildcards and comparisons in ways that no rule describes. */
const OF_LANGUAGE = /[*?%_,|;]|^[!<>~^=([]|^(?:not|ne|eq|gte?|lte?|in|like|contains)\b[:. (]/i;

/** The values that a client filtered by, if the rule says what they mean. */
function toGiven(run: Run, one: Filter, ask: Ask): readonly unknown[] {
  const { rule, by, schema } = one;
  const given = toQueryValue(ask, by);
  const values = [given].flat().map((value) => toWritten(rule, value));
  const isClear = (value: unknown): boolean => {
    const text = toText(value ?? "");
    const isFitting = schema === undefined || isFit(run.document.schemas, schema, value);
    const isPlain = text !== "" && text.trim() === text && !OF_LANGUAGE.test(text);
    return rule.when === undefined
      ? isPlain && (rule.as !== undefined || isFitting)
      : text === toText(rule.when);
  };
  // Without any row that matches, such a service gives all or ignores the value.
  const isLoose = rule.nothing === "all" || rule.unknown === "ignored";
  return !isLoose && values.every(isClear) ? values : [];
}

/** The value in an expression, such as `userName eq "ada"`. Undefined if it is written in another way. */
function toWritten({ as }: RuleOf<"filter">, value: unknown): unknown {
  if (as === undefined) return value;
  const [before = "", after = ""] = as.split(VALUE);
  const text = toText(value);
  const inner = text.slice(before.length, text.length - after.length);
  return before + inner + after === text && !isQuoting(inner) ? inner : undefined;
}

/** A request value that must return a row with this value. */
function toProbe({ rule: { match } }: Filter, value: unknown): unknown {
  if (match !== "contains" && match !== "prefix") return value;
  const words = toText(value).split(/\s+/);
  if (match === "prefix") return toText(value).slice(0, 3);
  return (
    words.find((word) => /[^ -~]/.test(word)) ??
    words.toSorted((one, other) => other.length - one.length)[0]
  );
}

/** A part of a word: a service that compares whole values or words finds nothing by it. */
const toParts = (words: readonly unknown[]): readonly string[] =>
  words
    .map(toText)
    .filter((word) => /^[a-z\d]{5,}$/i.test(word))
    .slice(0, 1)
    .map((word) => word.slice(1, -1));

/** The first and the last value, one outside ASCII, and the most frequent one that not all rows have. */
function toAsked(run: Run, { list, filter: one }: Listed): unknown[] {
  const { rule, fields, schema } = one;
  if (rule.when !== undefined) return [rule.when];
  const values = list.rows
    .flatMap((row) => valuesOf(row, fields))
    .filter((value) => value !== "" && !/[*?%_]/.test(toText(value)));
  const counted = [...Map.groupBy(values, toText).values()].toSorted((a, b) => b.length - a.length);
  const frequent = counted.find((same) => same.length < list.rows.length)?.[0];
  const chosen = [
    frequent,
    values[0],
    values.findLast((value) => value !== values[0]),
    values.find((value) => /[^ -~]/.test(toText(value))),
  ];
  const toFit = (value: unknown): unknown =>
    schema === undefined || isFit(run.document.schemas, schema, value) ? value : toText(value);
  const words = chosen
    .filter((value) => value !== undefined)
    .map((value) => toFit(toProbe(one, value)));
  const [first, ...others] = words;
  const probes = rule.match === "contains" ? [first, ...toParts(words), ...others] : words;
  const known = new Set<string>();
  return probes
    .filter(
      (value) =>
        (rule.as === undefined
          ? schema === undefined || isFit(run.document.schemas, schema, value)
          : !isQuoting(value)) &&
        !known.has(toText(value)) &&
        known.add(toText(value)),
    )
    .slice(0, MAX_VALUES + 1);
}

const toSelection = (
  { operation, list, filter: one }: Listed,
  value: unknown,
): Pick<Selection, "operation" | "list" | "query" | "how" | "isDoubtful" | "fields"> => ({
  operation: operation.id,
  list,
  query: toQuery(one, value),
  how: toHow(one, value),
  fields: one.fields,
  isDoubtful: isDoubtfulFor(one, value),
});

async function* judgeValues(run: Run, listed: Listed): Verdicts {
  const { filter: one, operation, list } = listed;
  const asked = toAsked(run, listed);
  if (asked.length === 0) {
    yield unchecked(
      "filter.match",
      `no row has a value of ${one.fields.join(" or ")} to filter by`,
    );
    return;
  }
  for (const value of asked)
    yield* judgeSelection(run, {
      ...toSelection(listed, value),
      isWanted: matches(one, value),
      clauses: { wrong: "filter.match", lost: "filter.finds" },
    });
  const rule = run.ruleOf("page", operation.id);
  const [frequent] = asked;
  const count = list.rows.filter(matches(one, frequent)).length;
  if (rule === undefined || !hasSize(rule) || count < 2) return;
  // A service that filters after splitting into pages is found only by small pages.
  const size = Math.min(2, count - 1);
  const isByLink = rule.next !== undefined && rule.cursor === undefined;
  yield* judgeSelection(run, {
    ...toSelection(listed, frequent),
    how: `${toHow(one, frequent)}, pages of ${size}`,
    size,
    // A link to the next page must keep the filter.
    isByLink,
    isWanted: matches(one, frequent),
    clauses: { wrong: "filter.pages", lost: "filter.pages" },
  });
}

/** Combines two filters: with values that one row has, and with values that exclude each other. */
async function* judgeTogether(run: Run, listed: Listed): Verdicts {
  const { operation, list, filter: one } = listed;
  const rules = run.relations.rules.filter(
    (rule) => rule.kind === "filter" && rule.of.includes(operation.id),
  );
  const all = rules.flatMap((rule) =>
    rule.kind === "filter" ? filtersOf(run, rule, operation) : [],
  );
  const own = all.findIndex(({ by, rule }) => by === one.by && rule.as === one.rule.as);
  // Each pair once; with many filters, each one with the next MAX_OTHERS. One parameter has one expression.
  const others = all.slice(own + 1, own + 1 + MAX_OTHERS).filter(({ by }) => by !== one.by);
  for (const other of others) {
    for (const { query, how, values } of toPairs(list, one, other)) {
      const [mine, theirs] = [matches(one, values[0]), matches(other, values[1])];
      const isWanted = (row: unknown) => mine(row) && theirs(row);
      const doubts = [isDoubtfulFor(one, values[0]), isDoubtfulFor(other, values[1])];
      const isDoubtful = (row: unknown) => doubts.some((doubt) => doubt(row));
      yield* judgeSelection(run, {
        operation: operation.id,
        list,
        query,
        how,
        isWanted,
        isDoubtful,
        clauses: { wrong: "filter.and", lost: "filter.and" },
      });
    }
  }
}

interface Pair {
  readonly query: JsonObject;
  readonly how: string;
  readonly values: readonly [unknown, unknown];
}

function* toPairs({ rows }: FoundList, one: Filter, other: Filter): Generator<Pair> {
  const valueOf = (filter: Filter, row: unknown) =>
    filter.rule.when ?? toProbe(filter, valuesOf(row, filter.fields)[0]);
  const pair = (mine: unknown, theirs: unknown): Pair => ({
    query: { ...toQuery(one, mine), ...toQuery(other, theirs) },
    how: `${toHow(one, mine)}, ${toHow(other, theirs)}`,
    values: [mine, theirs],
  });
  const last = rows.findLast(
    (row) => valuesOf(row, one.fields).length > 0 && valuesOf(row, other.fields).length > 0,
  );
  if (last === undefined) return;
  const theirs = valueOf(other, last);
  yield pair(valueOf(one, last), theirs);
  const far = rows.find(
    (row) =>
      valuesOf(row, one.fields).length > 0 &&
      !matches(one, valueOf(one, last))(row) &&
      !matches(other, theirs)(row),
  );
  if (far !== undefined && one.rule.when === undefined) yield pair(valueOf(one, far), theirs);
}

async function* judgeNothing(run: Run, { operation, list, filter: one }: Listed): Verdicts {
  const { rule, by, schema, fields } = one;
  if (rule.when !== undefined) return;
  const [like] = valuesOf(list.rows[0], fields);
  const value = unknownOf(run, { name: by, schema }, like);
  const isWritten = rule.as !== undefined;
  if (!isWritten && schema !== undefined && !isFit(run.document.schemas, schema, value)) {
    yield unchecked("filter.nothing", `no value of ${by} is known that no row has`);
    return;
  }
  const answer = await run.ask({
    operation: operation.id,
    query: { ...list.query, ...toQuery(one, value) },
  });
  const { nothing = "empty" } = rule;
  const rows = rowsOf(run, answer);
  const wanted = rows.filter(matches(one, value));
  const isRefused = answer.status >= 400 && answer.status < 500;
  const taken = {
    empty: answer.isSuccess && rows.length === wanted.length,
    refused: isRefused,
    missing: answer.status === 404,
    all: answer.isSuccess,
  }[nothing];
  const came = answer.isSuccess ? `gives ${rows.length} rows` : `is answered ${answer.status}`;
  yield {
    clause: "filter.nothing",
    answer,
    witness: "a value of no row",
    fault: taken
      ? undefined
      : `${rule.as === undefined ? `${by}=${show(value)}` : toHow(one, value)}, which no row has, ${came}`,
  };
}
