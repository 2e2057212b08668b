// Pages put together are the list: each full, no row twice, nothing lost, nothing after the last one.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { FoundList, Run } from "../run.ts";
import {
  findList,
  hasSize,
  keysOf,
  nextOf,
  pageQuery,
  type Read,
  readAll,
  rowsOf,
  sizeOf,
  totalOf,
} from "../values/lists.ts";
import { at, headerOf, show } from "../values/places.ts";
import { type Law, unchecked, type Verdicts } from "./law.ts";

const MAX_SIZE = 4;
const FAR_PAGE = 9_999;

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
    if (list === undefined || list.rows.length < 3) {
      yield unchecked("page", "fewer than three rows were found");
      return;
    }
    const size = hasSize(rule)
      ? Math.min(Math.max(1, Math.floor(list.rows.length / 3)), MAX_SIZE)
      : sizeOf(run, rule, id);
    const ask = { operation: id, query: list.query };
    const read = await readAll(run, ask, { size, most: 3 });
    const pages = { rule, list, ask, size, read };
    const [first] = read.answers;
    if (first?.isSuccess !== true) {
      yield unchecked("page", `the first page is answered ${first?.status ?? "by nothing"}`);
      return;
    }
    yield* judgePages(run, pages);
    yield* judgeWhole(run, pages);
    yield* judgeNext(run, pages);
    yield* judgePast(run, pages);
  },
};

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
  // A service that heeds no index gives the first page for ever.
  const last = answers.at(-1);
  if (last !== undefined && read.isCircle)
    yield told("distinct", last, {
      witness: "two pages with rows",
      fault: `page ${answers.length} has the rows of a page before again`,
    });
  // A page before the last one of several has to be full; the first one too, where more rows are known.
  const full = pages.slice(0, -1);
  const short = full.findIndex((rows) => rows.length !== size);
  const isFew = pages.length === 1 && list.rows.length > size && pages[0]?.length !== size;
  const odd = isFew ? 0 : short;
  yield told("size", answer, {
    witness: witness ?? (isFew ? "more rows than a page has" : undefined),
    fault: odd !== -1 && `page ${odd + 1} has ${pages[odd]?.length ?? 0} rows, not ${size}`,
  });
  const expected = keysOf(run, answer.operation.id, list.rows);
  if (list.isWhole && odd === -1 && twice === undefined) {
    const lost =
      pages.length > 1 &&
      !isDeepStrictEqual(new Set(keys), new Set(expected.slice(0, keys.length)));
    const missing = expected.slice(0, keys.length).find((key) => !keys.includes(key));
    yield told("whole", answer, {
      witness,
      fault:
        lost &&
        `the pages put together are not the whole list: ${missing ?? "other rows"} is missing`,
    });
  }
  yield* judgeEcho(rule, read);
}

function* judgeEcho(
  { echo, index, total }: RuleOf<"page">,
  { answers }: Read,
): Generator<ReturnType<typeof told>> {
  for (const answer of answers.slice(0, 2)) {
    if (echo !== undefined && index !== undefined) {
      const [came, asked] = [at(answer.json, echo), answer.ask.query?.[index]];
      yield told("echo", answer, {
        witness: "a page with its number",
        fault: came !== asked && `${echo} is ${show(came)} on page ${show(asked)}`,
      });
    }
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

/** On the whole list a row may stand twice further on, and the total is the number of its rows. */
async function* judgeWhole(run: Run, { rule, list, ask }: Pages): Verdicts {
  const { rows, isWhole, isCircle, answers, pages } = await readAll(run, ask);
  const answer = answers.at(-1);
  if (answer === undefined) return;
  if (isCircle && rule.next !== undefined)
    yield told("next", answer, {
      witness: "the whole list",
      fault: `${headerOf(rule.next) ?? rule.next} leads back to a page that came before`,
    });
  const keys = keysOf(run, answer.operation.id, rows);
  const twice = keys.find((key, index) => keys.indexOf(key) < index);
  const size = sizeOf(run, rule, answer.operation.id);
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

/** A link says the whole query, a cursor its place alone. */
const toQuery = ({ cursor }: RuleOf<"page">, { ask }: Answer, next: JsonObject): JsonObject =>
  cursor === undefined ? next : { ...ask.query, ...next };

async function* judgeNext(run: Run, { rule, read, ask, list }: Pages): Verdicts {
  const [one, two] = read.answers;
  if (rule.next === undefined || one === undefined) return;
  const place = headerOf(rule.next) ?? rule.next;
  const next = nextOf(rule, one);
  if (two !== undefined && rowsOf(run, two).length > 0) {
    yield told("next", one, {
      witness: "a page with one after it",
      fault: next === undefined && `there is a next page, and ${place} does not lead to it`,
    });
    if (next !== undefined) {
      const followed = await run.ask({ ...ask, query: toQuery(rule, one, next) });
      const [got, expected] = [followed, two].map((answer) =>
        keysOf(run, ask.operation, rowsOf(run, answer)),
      );
      yield told("next", followed, {
        witness: "the page that the link leads to",
        fault:
          !isDeepStrictEqual(got, expected) &&
          `the link to the next page gives other rows than page 2: ${show(got?.[0])}, not ${show(expected?.[0])}`,
      });
    }
  }
  // The last page of the largest size.
  const whole = await readAll(run, ask);
  const last = whole.answers.findLast((answer) => rowsOf(run, answer).length > 0);
  if (last === undefined || !whole.isWhole || !list.isWhole) return;
  const further = nextOf(rule, last);
  const rows =
    further && rowsOf(run, await run.ask({ ...last.ask, query: toQuery(rule, last, further) }));
  yield told("next", last, {
    witness: "the last page",
    fault: findLastFault(rule, place, rows),
  });
}

/** Clients stop at an empty page: a cursor may lead to one, unless the rule says otherwise. */
function findLastFault(
  { last = "either" }: RuleOf<"page">,
  place: string,
  rows: readonly unknown[] | undefined,
): string | undefined {
  if (rows === undefined)
    return last === "empty" ? `${place} leads to no empty page after the last` : undefined;
  if (last === null) return `there is no page after this, and ${place} leads to one`;
  return rows.length === 0
    ? undefined
    : `there is no page after this, and ${place} leads to one with ${rows.length} rows`;
}

async function* judgePast(run: Run, { rule, list, ask, size }: Pages): Verdicts {
  if (rule.index === undefined || !list.isWhole) return;
  const largest = sizeOf(run, rule, ask.operation);
  const after = Math.ceil(list.rows.length / largest);
  for (const [past, rows] of [
    [after, largest],
    [FAR_PAGE, size],
  ] as const) {
    const answer = await run.ask({
      ...ask,
      query: { ...ask.query, ...pageQuery(rule, past, rows) },
    });
    const count = rowsOf(run, answer).length;
    const isMissing = rule.past === "missing";
    const isTaken = answer.isSuccess
      ? count === 0 && !isMissing
      : answer.status === 404 && rule.past !== "empty";
    const fault =
      answer.isSuccess && count > 0
        ? `a page past the end has ${count} rows`
        : `a page past the end is answered ${answer.status}`;
    yield told("past", answer, { witness: "a page past the end", fault: !isTaken && fault });
  }
}
