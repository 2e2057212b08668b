// All pages together are the list: each page is full, no row occurs twice, none is lost, and nothing follows the last page.
import { isDeepStrictEqual } from "node:util";
import type { Answer, Ask } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { FoundList, Run } from "../run.ts";
import { findList, keyOf, keysOf, type Read, readAll, rowsOf } from "../values/lists.ts";
import {
  findElsewhere,
  givenSize,
  hasSize,
  isNumbered,
  nextAsk,
  pageAsk,
  sizeOf,
  statedSize,
  toNext,
  totalOf,
} from "../values/pages.ts";
import { at, headerOf, show, toQueryValue } from "../values/places.ts";
import { type Law, unchecked, type Verdicts } from "./law.ts";

const MAX_SIZE = 4;
const FAR_PAGE = 9_999;
const MAX_FOLLOWED = 8;
/** Statuses for a page past the end; 416 is for a range of rows. */
const MISSING: ReadonlySet<number> = new Set([404, 416]);

interface Pages {
  readonly rule: RuleOf<"page">;
  readonly list: FoundList;
  readonly ask: Ask;
  readonly size: number;
  readonly read: Read;
}

export const pageLaw: Law<"page"> = {
  cost: 9,
  judge: async function* judge(rule, { id }, run) {
    const list = await findList(run, id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("page", "no rows were found");
      return;
    }
    const small = Math.min(Math.max(1, Math.floor(list.rows.length / 3)), MAX_SIZE);
    const ask = { operation: id, query: list.query };
    const read = await readAll(run, ask, hasSize(rule) ? { size: small, most: 3 } : { most: 3 });
    const [first] = read.answers;
    // If nothing states the page size, the first page has it.
    const size = hasSize(rule)
      ? small
      : typeof rule.size === "number"
        ? rule.size
        : (read.pages[0]?.length ?? 0);
    const pages = { rule, list, ask, size, read };
    if (first?.isSuccess !== true) {
      yield unchecked("page", `the first page is answered ${first?.status ?? "by nothing"}`);
      return;
    }
    yield* judgeWalk(run, pages);
    yield* judgePages(run, pages);
    yield* judgeWhole(run, pages);
    yield* judgeNext(run, pages);
    yield* judgePast(run, pages);
  },
  ofOne: ["page.size", "page.echo", "page.distinct"],
  judgeOne: function* judgeOne(rule, answer, run) {
    const { operation, ask } = answer;
    const rows = rowsOf(run, answer);
    if (rows.length === 0) return;
    const size = givenSize(run, rule, answer);
    if (size !== undefined)
      yield told("size", answer, {
        witness: "a page whose size is stated",
        fault: rows.length > size && toSizeFault("the page", rows.length, size),
      });
    if (rule.index !== undefined && toQueryValue(ask, rule.index) !== undefined)
      yield* judgeNumber(rule, answer);
    const keys = keysOf(run, operation.id, rows);
    const twice = keys.find((key, index) => keys.indexOf(key) < index);
    yield told("distinct", answer, {
      witness: rows.length > 1 ? "two rows" : undefined,
      fault: twice !== undefined && `${twice} stands on the page twice`,
    });
  },
};

const toSizeFault = (page: string, count: number, size: number): string =>
  `${page} has ${count} rows, not ${size}`;

/** The number that a page shows is the one that was asked for. */
function* judgeNumber(
  { echo, index = "" }: RuleOf<"page">,
  answer: Answer,
): Generator<ReturnType<typeof told>> {
  if (echo === undefined) return;
  const [came, asked] = [at(answer.json, echo), answer.ask.query?.[index]];
  yield told("echo", answer, {
    witness: "a page with its number",
    fault: came !== asked && `${echo} is ${show(came)} on page ${show(asked)}`,
  });
}

const told = (
  clause: string,
  answer: Answer,
  more: { readonly witness?: string | undefined; readonly fault?: string | false | undefined },
) => ({
  clause: `page.${clause}`,
  answer,
  witness: more.witness,
  fault: more.fault === false ? undefined : more.fault,
});

/** Walking the pages must end: a service that ignores the index or cursor returns the first page forever. */
async function* judgeWalk(run: Run, { rule, ask, read }: Pages): Verdicts {
  for (const { isCircle, answers, pages } of [read, await readAll(run, ask)]) {
    const last = answers.at(-1);
    if (last === undefined || pages.length + Number(isCircle) < 2) continue;
    const again = rowsOf(run, last)[0];
    const row = again === undefined ? "" : `, with ${keyOf(run, ask.operation, again)} first`;
    yield told("circle", last, {
      witness: "two pages with rows",
      fault:
        isCircle &&
        `${isNumbered(rule) ? "the next number" : toPlaceName(rule)} leads back to a page that came before${row}`,
    });
    if (isCircle) return;
  }
}

async function* judgePages(run: Run, { rule, list, size, read }: Pages): Verdicts {
  const { pages, answers } = read;
  const answer = answers[1] ?? answers[0];
  if (answer === undefined) return;
  const keys = pages.flatMap((rows) => keysOf(run, answer.operation.id, rows));
  const twice = keys.find((key, index) => keys.indexOf(key) < index);
  const witness = pages.length > 1 ? "two pages with rows" : undefined;
  yield told("distinct", answer, {
    witness,
    fault: twice !== undefined && `${twice} stands on two pages`,
  });
  // Every page before the last must be full. The first must be full too if more rows are known.
  const isOdd = ({ length }: readonly unknown[], index: number): boolean =>
    length > size || (length < size && index < pages.length - 1);
  const isFew = pages.length === 1 && list.rows.length > size && (pages[0]?.length ?? 0) < size;
  const odd = isFew ? 0 : pages.findIndex(isOdd);
  yield told("size", answer, {
    witness: witness ?? (list.rows.length > size ? "more rows than a page has" : undefined),
    fault: odd !== -1 && toSizeFault(`page ${odd + 1}`, pages[odd]?.length ?? 0, size),
  });
  const expected = keysOf(run, answer.operation.id, list.rows);
  if (list.isWhole && odd === -1 && twice === undefined && !read.isCircle) {
    // All pages, if the walk reached the end.
    const wanted = read.isWhole ? expected : expected.slice(0, keys.length);
    const isSame = isDeepStrictEqual(new Set(keys), new Set(wanted));
    const missing = wanted.find((key) => !keys.includes(key));
    const isTold = pages.length > 1 || keys.length < expected.length;
    yield told("whole", answer, {
      witness: isTold ? (witness ?? "more rows than a page has") : undefined,
      fault:
        isTold &&
        !isSame &&
        (missing === undefined
          ? `the pages put together have ${keys.find((key) => !wanted.includes(key))}, which is not in the whole list`
          : `pages lose rows: ${missing} is on none of ${pages.length}, and in the whole list`),
    });
  }
  yield* judgeEcho(rule, read);
}

function* judgeEcho(rule: RuleOf<"page">, { answers }: Read): Generator<ReturnType<typeof told>> {
  const { index, total } = rule;
  for (const answer of answers.slice(0, 2)) {
    if (index !== undefined) yield* judgeNumber(rule, answer);
    if (total !== undefined) {
      const [first] = answers;
      const [one, other] = [first && totalOf(first, total), totalOf(answer, total)];
      yield told("total", answer, {
        witness: "two pages with a total",
        fault:
          one !== other && `${total} is ${show(other)} here, and ${show(one)} on the first page`,
      });
    }
  }
}

/** Checks the complete list: a repeated row may be further on than the small pages. The total must be the number of rows. */
async function* judgeWhole(run: Run, { rule, list, ask }: Pages): Verdicts {
  const { rows, isWhole, answers, pages } = await readAll(run, ask);
  const answer = answers.at(-1);
  if (answer === undefined) return;
  const keys = keysOf(run, answer.operation.id, rows);
  const twice = keys.find((key, index) => keys.indexOf(key) < index);
  const size = statedSize(run, rule, answer.operation.id) ?? pages[0]?.length ?? 0;
  yield told("distinct", answer, {
    witness: "the whole list",
    fault: twice !== undefined && `${twice} stands in the list twice`,
  });
  const short = pages.findIndex((page, index) => page.length < size && index < pages.length - 1);
  yield told("size", answer, {
    witness: pages.length > 1 ? "two pages with rows" : undefined,
    fault:
      short !== -1 &&
      `page ${short + 1} has ${pages[short]?.length ?? 0} rows, not ${size}, and yet more follow`,
  });
  const total = rule.total === undefined ? undefined : totalOf(answer, rule.total);
  if (rule.total !== undefined && isWhole)
    yield told("total", answer, {
      witness: `${rows.length} rows`,
      fault:
        total !== rows.length &&
        `${rule.total} is ${show(total)}, and there are ${rows.length} rows`,
    });
  const changed = list.isWhole && keys.length !== list.rows.length;
  yield told("whole", answer, {
    witness: pages.length > 1 ? "the whole list" : undefined,
    fault: changed && `${keys.length} rows came, and ${list.rows.length} before`,
  });
}

async function* judgeNext(run: Run, { rule, read, ask, list }: Pages): Verdicts {
  if (rule.next === undefined) return;
  const place = toPlaceName(rule);
  const rowsAfter = async (page: Answer) => {
    const next = nextAsk(rule, page, rowsOf(run, page));
    return next && rowsOf(run, await run.ask(next));
  };
  // A correct link with the number of the next page costs no additional request. So the walk of the complete list checks such links.
  const whole = await readAll(run, ask);
  const isWhole = isNumbered(rule) && rule.cursor === undefined && !hasSize(rule);
  const { answers, pages } = isWhole ? whole : read;
  for (const [index, page] of answers.slice(0, MAX_FOLLOWED).entries()) {
    const after = answers[index + 1];
    const rows = after && rowsOf(run, after);
    if (rows === undefined || !pages.includes(rows)) continue;
    const got = await rowsAfter(page);
    const [came, wanted] = [got ?? [], rows].map((some) => keysOf(run, ask.operation, some));
    const isRight = isDeepStrictEqual(came, wanted);
    const led = `${place} of page ${index + 1} leads to other rows than page ${index + 2}: ${came?.[0] ?? "none"}, not ${wanted?.[0]}`;
    yield told("next", page, {
      witness: "a page with one after it",
      fault:
        got === undefined
          ? `there is a next page, and ${place} does not lead to it`
          : !isRight && led,
    });
    const elsewhere = findElsewhere(rule, page);
    const fault = elsewhere !== undefined && `${place} leads to ${elsewhere}`;
    yield { ...told("next", page, { fault }), level: "should" };
  }
  // The last page at the largest size.
  const last = whole.answers.findLast((answer) => rowsOf(run, answer).length > 0);
  if (last === undefined || !whole.isWhole || !list.isWhole) return;
  yield told("next", last, {
    witness: "the last page",
    fault: findLastFault(rule, place, await rowsAfter(last)),
  });
}

const toPlaceName = (rule: RuleOf<"page">): string => {
  const { at: place, more, last } = toNext(rule);
  const name = place ?? more ?? `${rule.cursor} of the last ${last}`;
  return headerOf(name) ?? name;
};

/** Clients stop at an empty page. A cursor may still lead to one, unless the rule says otherwise. A flag for more rows is a promise. */
function findLastFault(
  rule: RuleOf<"page">,
  place: string,
  rows: readonly unknown[] | undefined,
): string | undefined {
  const { last = toNext(rule).more === undefined ? "either" : null } = rule;
  if (rows === undefined)
    return last === "empty" ? `${place} leads to no empty page after the last` : undefined;
  if (last === null) return `there is no page after this, and ${place} leads to one`;
  return rows.length === 0
    ? undefined
    : `there is no page after this, and ${place} leads to one with ${rows.length} rows`;
}

async function* judgePast(run: Run, { rule, list, ask, size }: Pages): Verdicts {
  if (!isNumbered(rule) || !list.isWhole) return;
  const { pages } = await readAll(run, ask);
  const after = {
    page: pages.length,
    size: sizeOf(run, rule, ask.operation),
    before: list.rows.length,
  };
  for (const number of [after, { page: FAR_PAGE, size }]) {
    const answer = await run.ask(pageAsk(rule, ask, number));
    const count = rowsOf(run, answer).length;
    const isMissing = rule.past === "missing";
    const isTaken = answer.isSuccess
      ? count === 0 && !isMissing
      : MISSING.has(answer.status) && rule.past !== "empty";
    const fault =
      answer.isSuccess && count > 0
        ? `a page past the end has ${count} rows`
        : `a page past the end is answered ${answer.status}`;
    yield told("past", answer, { witness: "a page past the end", fault: !isTaken && fault });
  }
}
