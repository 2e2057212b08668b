// Pages, counts, links and order, of both searches.
import { toIdentity } from "../../values/places.ts";
import { findMissing, toCounted, toName } from "../archive/records.ts";
import { PAGE_SIZE, readPages, searchOf, type Window } from "../archive/window.ts";
import { type Answer, isObject, isPassed, type JsonObject, recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { findLinkFault, proveCountHeader, proveCounts } from "./counts.ts";
import { findCommonFilter } from "./filter-values.ts";
import { proveOrder } from "./order.ts";

/** As many as the window may have; the page past the end is read as well. */
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
    const read = async (pageIndex: number) => {
      const answer = await run.ask(searchOf(search, pageIndex));
      return { answer, records: recordsOf(answer) };
    };
    const { pages, past } = await readPages(read, window.base, MAX_PAGES + 1);
    const found = { pages, past, records: pages.flatMap(({ records }) => records) };
    provePages(run, { ...window, ...found, search });
    proveOrder(run, pages[0]?.answer, found.records);
    if (window.isWhole) {
      const [other] = findMissing(found.records, window.records);
      const [{ answer } = {}] = pages;
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

function observeBase(run: Run, { base, opening, pages, past }: Window): void {
  const answer = pages[0]?.answer ?? past;
  // Of an empty archive every page is empty, unless there is none with pageIndex 0.
  const isSeen = base === 1 || opening.some(({ records }) => records.length > 0);
  if (isSeen) run.learn({ firstPage: base });
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
  const fault = `a page has ${toCounted(first.records)} and is not the last`;
  run.learn({ pageSize: length });
  run.prove("page.size", first.answer, unless(length === PAGE_SIZE, fault));
  const twice = findTwice([...first.records, ...second.records]);
  run.prove("page.distinct", second.answer, twice && `${toName(twice)} stands on the pages twice`);
}

function provePages(run: Run, { pages, past, records }: Window): void {
  for (const [index, { answer, records: some }] of pages.entries()) {
    run.prove("answer.success", answer, undefined);
    const isLast = index === pages.length - 1;
    const isRight = some.length === PAGE_SIZE || (isLast && some.length < PAGE_SIZE);
    const fault = `a page has ${toCounted(some)}${isLast ? "" : " and is not the last"}`;
    run.prove("page.size", answer, unless(isRight, fault));
    const hasNext = /rel="?next"?/.test(answer.headers.get("Link") ?? "");
    // Nobody knows whether a page follows the last one that was read, unless the end was met.
    if (past !== undefined || !isLast)
      run.prove("link.next", answer, findLinkFault(answer, !isLast, hasNext));
  }
  const [first] = pages;
  if (first === undefined) return;
  const twice = findTwice(records);
  run.prove("page.distinct", first.answer, twice && `${toName(twice)} stands on the pages twice`);
  if (past !== undefined) provePast(run, past);
}

function provePast(run: Run, past: Answer): void {
  const { status } = past;
  // That nothing is there may be said by 404 (D07). Any pageIndex that the document allows is right input.
  const isTaken = isPassed(past) || status === 404;
  run.prove("answer.success", past, unless(isTaken, `a pageIndex is answered ${status}`));
  const isEmpty = recordsOf(past).length === 0;
  const observed = isEmpty ? String(status) : `${status}, with the last page again`;
  const agrees = status === 200 && isEmpty;
  run.prove("page.past", past, unless(agrees, `the answer is ${observed}`));
  run.observe({
    decision: "D07",
    question: "How is a page past the end answered?",
    observed,
    value: status,
    agrees,
  });
  if (status < 500 && isEmpty) run.learn({ pastTheEndStatus: status });
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
