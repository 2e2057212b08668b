// Pages, counts, links and order, of both searches.
import { findMissing, toIdentity, toName } from "../archive/records.ts";
import { parseMoment } from "../archive/days.ts";
import { type OpenSearch, type Page, PAGE_SIZE, searchOf, type Window } from "../archive/window.ts";
import { type Answer, isObject, isSuccess, type JsonObject, recordsOf } from "../http/answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { findCommonFilter } from "./filter-values.ts";

const MAX_PAGES = 7;

export const customPages: Check = {
  about: "pages of the search by custom fields",
  proves: [
    "page.size",
    "page.distinct",
    "page.base",
    "page.past",
    "page.echo",
    "count.total",
    "link.next",
    "order.newest",
  ],
  run: async ({ run, sample: { window } }) => {
    if (window === undefined) return;
    observeBase(run, window);
    proveOpening(run, window);
    provePages(run, window);
    const { search, pages, records } = window;
    if (search.operation !== "searchMetadataByCustomFields") return;
    if (window.isWhole) proveCounts(run, window);
    for (const [index, { answer }] of pages.entries()) {
      const id = isObject(answer.json) ? answer.json["pageID"] : undefined;
      const asked = window.base + index;
      run.prove("page.echo", answer, unless(id === asked, `pageID is ${String(id)}, not ${asked}`));
    }
    proveOrder(run, pages[0]?.answer, records);
  },
};

export const namedPages: Check = {
  about: "pages of the search by named fields",
  proves: [
    "page.size",
    "page.distinct",
    "page.past",
    "link.next",
    "order.newest",
    "search.agrees",
    "count.header",
  ],
  run: async ({ run, sample: { window } }) => {
    const filter = findCommonFilter(window?.records ?? []);
    if (window === undefined || filter === undefined) return;
    const { startDate, endDate } = window.search;
    const search = { operation: "searchMetadata", body: filter, startDate, endDate } as const;
    const found = await readPages(run, search, window.base);
    provePages(run, { ...window, ...found, search });
    proveOrder(run, found.pages[0]?.answer, found.records);
    if (window.isWhole) {
      const [other] = findMissing(found.records, window.records);
      const [{ answer } = {}] = found.pages;
      if (answer)
        run.prove(
          "search.agrees",
          answer,
          other && `${toName(other)} reads otherwise, or not at all, by custom fields`,
        );
    }
    await proveCountHeader(run, { ...window, ...found, search });
  },
};

async function readPages(run: Run, search: OpenSearch, base: number) {
  const pages: Page[] = [];
  let past: Answer | undefined;
  for (let index = 0; index < MAX_PAGES && past === undefined; index += 1) {
    const answer = await run.ask(searchOf(search, base + index));
    const records = recordsOf(answer);
    if (records.length === 0) past = answer;
    else pages.push({ answer, records });
  }
  return { pages, past, records: pages.flatMap(({ records }) => records) };
}

function observeBase(run: Run, { base, pages, past }: Window): void {
  const answer = pages[0]?.answer ?? past;
  if (answer !== undefined)
    run.prove("page.base", answer, unless(base === 0, "the first page has pageIndex 1"));
  run.observe({
    decision: "D07",
    question: "Where does pageIndex begin?",
    observed: `at ${base}`,
    value: base,
    agrees: base === 0,
  });
}

function proveOpening(run: Run, { opening: [first, second] }: Window): void {
  if (first === undefined || second === undefined || second.records.length === 0) return;
  const { length } = first.records;
  run.prove(
    "page.size",
    first.answer,
    unless(length === PAGE_SIZE, `a page has ${length} records and is not the last`),
  );
  const twice = findTwice([...first.records, ...second.records]);
  run.prove("page.distinct", second.answer, twice && `${toName(twice)} stands on the pages twice`);
}

function provePages(run: Run, { pages, past, records }: Window): void {
  for (const [
    index,
    {
      answer,
      records: { length },
    },
  ] of pages.entries()) {
    const isLast = index === pages.length - 1;
    const isRight = length === PAGE_SIZE || (isLast && length < PAGE_SIZE);
    run.prove(
      "page.size",
      answer,
      unless(isRight, `a page has ${length} records${isLast ? "" : " and is not the last"}`),
    );
    const hasNext = /rel="?next"?/.test(answer.headers.get("Link") ?? "");
    if (past !== undefined) run.prove("link.next", answer, findLinkFault(answer, !isLast, hasNext));
  }
  const [first] = pages;
  if (first === undefined) return;
  const twice = findTwice(records);
  run.prove("page.distinct", first.answer, twice && `${toName(twice)} stands on the pages twice`);
  if (past === undefined) return;
  run.prove("page.past", past, unless(past.status === 200, `the answer is ${past.status}`));
  run.observe({
    decision: "D07",
    question: "How is a page past the end answered?",
    observed: String(past.status),
    value: past.status,
    agrees: past.status === 200,
  });
}

function findLinkFault({ headers, ask: { query = {} } }: Answer, isDue: boolean, hasNext: boolean) {
  if (hasNext !== isDue) return hasNext ? "Link names a page that is not there" : "Link is missing";
  if (!isDue) return undefined;
  const [, target = ""] = /<([^>]*)>/.exec(headers.get("Link") ?? "") ?? [];
  const parameters = new URL(target, "http://service.invalid").searchParams;
  const wanted = { ...query, pageIndex: String(Number(query["pageIndex"]) + 1) };
  const wrong = Object.entries(wanted).find(([name, value]) => parameters.get(name) !== value);
  return wrong && `Link has ${wrong[0]}=${parameters.get(wrong[0])}, not ${wrong[1]}`;
}

function findTwice(records: readonly JsonObject[]): JsonObject | undefined {
  const seen = new Set<string>();
  // Without call_id two calls may well be told by equal records.
  return records.find((record) => {
    const identity = toIdentity(record);
    const isTwice = record["call_id"] !== null && seen.has(identity);
    seen.add(identity);
    return isTwice;
  });
}

function proveCounts(run: Run, { pages, records, past }: Window): void {
  const counts = pages.map(({ answer }) =>
    isObject(answer.json) ? answer.json["recordCount"] : undefined,
  );
  const isOfAll = counts.every((count) => count === records.length);
  const isOfPage = pages.every(({ records: { length } }, index) => counts[index] === length);
  const answer = pages[0]?.answer ?? past;
  if (answer === undefined) return;
  const fault = `recordCount is ${[...new Set(counts)].join(", ")}; the pages have ${records.length} records`;
  run.prove("count.total", answer, unless(isOfAll, fault));
  const observed = isOfAll ? "all pages" : isOfPage ? "the page" : "something else";
  if (isOfAll && isOfPage && pages.length > 0) return;
  run.observe({
    decision: "D10",
    question: "What does recordCount count?",
    observed: pages.length === 0 ? "nothing to count" : observed,
    value: observed,
    agrees: isOfAll,
  });
}

/** Only moments that are comparable whatever the time zone of the archive is. */
export function findDisorder(records: readonly JsonObject[]): string | undefined {
  const moments = records.map((record) => ({ record, moment: parseMoment(record["datetime"]) }));
  for (const hasOffset of [true, false]) {
    const comparable = moments.filter(({ moment }) => moment?.hasOffset === hasOffset);
    const at = comparable.findIndex(
      ({ moment }, index) => (moment?.ms ?? 0) > (comparable[index - 1]?.moment?.ms ?? Infinity),
    );
    if (at !== -1) return `${toName(comparable[at]?.record)} comes after an older one`;
  }
  return undefined;
}

function proveOrder(run: Run, answer: Answer | undefined, records: readonly JsonObject[]): void {
  if (answer === undefined) return;
  const fault = findDisorder(records);
  const isOldestFirst = findDisorder(records.toReversed()) === undefined;
  run.prove("order.newest", answer, fault);
  const observed =
    fault === undefined ? "newest first" : isOldestFirst ? "oldest first" : "another";
  run.observe({
    decision: "D09",
    question: `In which order does ${answer.ask.operation} give records?`,
    observed,
    value: observed,
    agrees: fault === undefined,
  });
}

async function proveCountHeader(run: Run, { search, base, records, past }: Window): Promise<void> {
  for (const index of [0, 1]) {
    const ask = searchOf(search, base + index);
    const answer = await run.ask({ ...ask, headers: { Prefer: "count=exact" } });
    if (!isSuccess(answer)) continue;
    const { length } = recordsOf(answer);
    const first = index * PAGE_SIZE;
    const range = length === 0 ? "*" : `${first}-${first + length - 1}`;
    const found = answer.headers.get("Content-Range") ?? "missing";
    const total = past === undefined ? found.split("/")[1] : records.length;
    const isApplied = answer.headers.get("Preference-Applied") === "count=exact";
    const isRight = found === `records ${range}/${total}` && isApplied;
    run.prove(
      "count.header",
      answer,
      unless(isRight, `Content-Range is ${found}; the pages have ${records.length} records`),
    );
  }
}
