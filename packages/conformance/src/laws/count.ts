// A total counts the rows: with and without a filter, on the first and on later pages, for each caller.
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask, Caller } from "../ask.ts";
import type { PlacedFault } from "../fingerprint.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { findList, type Read, readAll, rowsOf, valuesOf } from "../values/lists.ts";
import { hasSize, nextAsk, pageAsk, toNext, totalOf } from "../values/pages.ts";
import { headerOf, toQueryValue } from "../values/places.ts";
import { filtersOf } from "./filters.ts";
import { isWanted, type Law, unchecked } from "./law.ts";

/** `at`: the place of the total. */
const toFault = (at: string, total: number | undefined, count: number): PlacedFault => ({
  at,
  fault: `${headerOf(at) ?? at} is ${total ?? "missing"}, and ${count} rows come`,
});

export const countLaw: Law<"count"> = {
  cost: 5,
  judge: async function* judge(rule, operation, run) {
    const list = await findList(run, operation.id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("count", "no rows were found");
      return;
    }
    const filter = run.ruleOf("filter", operation.id);
    const [one] = filter === undefined ? [] : filtersOf(run, filter, operation);
    const value = one && (one.rule.when ?? valuesOf(list.rows[0], one.fields)[0]);
    const { second } = run.callers;
    const cases: { readonly query: JsonObject; readonly caller?: Caller }[] = [
      { query: {} },
      ...(one !== undefined && value !== undefined && one.rule.match !== "contains"
        ? [{ query: { [one.by]: value } }]
        : []),
      ...(second === undefined || !isWanted(rule, "caller") ? [] : [{ query: {}, caller: second }]),
    ];
    for (const { query, caller } of cases) {
      const ask = {
        operation: operation.id,
        query: { ...list.query, ...query },
        ...(caller && { caller }),
      };
      const read = await readAll(run, ask);
      if (!read.isWhole) continue;
      for await (const { answer, before } of countPages(run, rule, { ask, read })) {
        if (!answer.isSuccess) continue;
        const clause = caller === undefined ? "count.total" : "count.caller";
        const witness = read.rows.length > 2 ? `${read.rows.length} rows` : undefined;
        const total = totalOf(answer, rule.total);
        const isWrong = rule.exact === false ? (total ?? 0) < 0 : total !== read.rows.length;
        yield {
          clause,
          answer,
          witness,
          fault: isWrong ? toFault(rule.total, total, read.rows.length) : undefined,
          ...(total === rowsOf(run, answer).length && { saw: "page" }),
        };
        if (headerOf(rule.total) === undefined) continue;
        const said = findSaidFault(answer, { before, count: rowsOf(run, answer).length });
        yield { clause, answer, witness, level: "should", fault: isWrong ? undefined : said };
      }
    }
  },
  ofOne: ["count.total"],
  judgeOne: function* judgeOne(rule, answer, run) {
    const { length } = rowsOf(run, answer);
    const total = totalOf(answer, rule.total);
    if (total === undefined || rule.exact === false || length === 0) return;
    const isWrong = isWholeList(run, answer) ? total !== length : total < length;
    yield {
      clause: "count.total",
      answer,
      witness: length > 2 ? `${length} rows` : undefined,
      fault: isWrong ? toFault(rule.total, total, length) : undefined,
    };
  },
};

/** True if a page is the first and says that it is the last. */
function isWholeList(run: Run, answer: Answer): boolean {
  const rule = run.ruleOf("page", answer.operation.id);
  const { at: place, more } = rule === undefined ? {} : toNext(rule);
  if (rule === undefined || (place === undefined && more === undefined)) return false;
  const [index, cursor] = [rule.index, rule.cursor].map((name) =>
    name === undefined ? undefined : toQueryValue(answer.ask, name),
  );
  const isFirst = cursor === undefined && (index === undefined || index === rule.from);
  return isFirst && nextAsk(rule, answer, rowsOf(run, answer)) === undefined;
}

interface Counted {
  readonly answer: Answer;
  /** The number of rows on the pages before it. */
  readonly before: number;
}

/** The pages read. If the total must be requested, only the first two, with that request. Then a small page. */
async function* countPages(
  run: Run,
  rule: RuleOf<"count">,
  { ask, read }: { readonly ask: Ask; readonly read: Read },
): AsyncGenerator<Counted> {
  const isAsked = rule.ask !== undefined;
  const page = run.ruleOf("page", ask.operation);
  let before = 0;
  for (const [index, rows] of read.pages.entries()) {
    const answer = read.answers.find((one) => rowsOf(run, one) === rows);
    if (answer === undefined || (isAsked && index > 1)) break;
    yield { answer: isAsked ? await run.ask(withQuestion(rule, answer.ask)) : answer, before };
    before += rows.length;
  }
  if (page === undefined || !hasSize(page)) return;
  const small = pageAsk(page, ask, { page: 0, size: 2 });
  yield { answer: await run.ask(withQuestion(rule, small)), before: 0 };
}

function withQuestion({ ask: question = {} }: RuleOf<"count">, ask: Ask): Ask {
  const { headers = [], query = [] } = Object.groupBy(Object.entries(question), ([place]) =>
    headerOf(place) === undefined ? "query" : "headers",
  );
  const asked = headers.map(([place, value]) => [headerOf(place), String(value)] as const);
  return {
    ...ask,
    query: { ...ask.query, ...Object.fromEntries(query) },
    ...(asked.length > 0 && { headers: Object.fromEntries(asked) }),
  };
}

/**
 * `Content-Range: items 10-19/42` gives the positions of the rows, counted from 0 (RFC 9110, 14.4). Preference-Applied gives the preference
 * that was applied (RFC 7240, 3).
 */
function findSaidFault(
  { headers, ask }: Answer,
  { before, count }: { readonly before: number; readonly count: number },
): string | undefined {
  const range = headers.get("Content-Range");
  const [, place] = /^\S+ (\d+-\d+|\*)\//.exec(range ?? "") ?? [];
  const right = count === 0 ? "*" : `${before}-${before + count - 1}`;
  if (range !== null && place !== right) return `Content-Range is ${range}, and these are ${right}`;
  const { Prefer: preferred } = ask.headers ?? {};
  const applied = headers.get("Preference-Applied");
  return preferred === undefined || applied === preferred
    ? undefined
    : `Preference-Applied is ${applied ?? "missing"}, and ${preferred} was asked for`;
}
