// Searches that page and count otherwise.
import { header } from "../edits/answers.ts";
import { foundNothing, json, list, parseSuccess } from "../edits/json.ts";
import { asIf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { searching } from "../edits/search.ts";
import type { Mutate } from "../exchange.ts";
import { type Mutant, SEARCHES } from "./mutant.ts";

/** Answers as if another pageIndex had been asked for, and echoes the one that was. */
function paging(edit: (pageIndex: number) => number): Mutate {
  const other = asIf((request) =>
    withQuery(request, { pageIndex: String(edit(Number(queryOf(request, "pageIndex")))) }),
  );
  const echo = json((page, request) =>
    "pageID" in page ? { ...page, pageID: Number(queryOf(request, "pageIndex")) } : page,
  );
  return async (answer, request, upstream) =>
    answer.status === 200
      ? echo(await other(answer, request, upstream), request, upstream)
      : answer;
}

export const pages: readonly Mutant[] = [
  {
    id: "page-index-ignored",
    class: "paging",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "every page is the first",
    mutate: paging(() => 0),
  },
  {
    id: "search-page-index-ignored",
    class: "paging",
    operation: "searchMetadata",
    contract: "interface",
    says: "every page is the first",
    mutate: paging(() => 0),
  },
  {
    id: "page-repeated",
    class: "paging",
    operation: "searchMetadata",
    contract: "interface",
    says: "the second page is the first again, and so on",
    mutate: paging((index) => Math.max(0, index - 1)),
  },
  {
    id: "page-skipped",
    class: "paging",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "the second page is left out",
    mutate: paging((index) => (index > 0 ? index + 1 : index)),
  },
  {
    id: "search-page-skipped",
    class: "paging",
    operation: "searchMetadata",
    contract: "decision",
    says: "the second page is left out",
    mutate: paging((index) => (index > 0 ? index + 1 : index)),
  },
  {
    id: "rows-doubled",
    class: "paging",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "the first record of a page is there twice, the last is dropped",
    mutate: list((records) =>
      records.length < 3 ? records : [...records.slice(0, 1), ...records.slice(0, -1)],
    ),
  },
  {
    id: "row-lost-between-pages",
    class: "paging",
    operation: SEARCHES,
    contract: "decision",
    says: "the last record of a full page is dropped",
    mutate: list((records) => (records.length < 50 ? records : records.slice(0, -1))),
  },
  {
    id: "pages-of-25",
    class: "paging",
    operation: SEARCHES,
    contract: "interface",
    says: "a page has 25 records",
    mutate: searching({ pageSize: 25 }),
  },
  {
    id: "pages-of-100",
    class: "paging",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "a page has 100 records",
    mutate: searching({ pageSize: 100 }),
  },
  {
    id: "past-the-end-repeats",
    class: "paging",
    operation: SEARCHES,
    contract: "decision",
    says: "past the end comes the first page again",
    mutate: async (answer, request, upstream) =>
      foundNothing(answer) ? paging(() => 0)(answer, request, upstream) : answer,
  },
  {
    id: "past-the-end-404",
    class: "paging",
    operation: SEARCHES,
    contract: "decision",
    says: "past the end is 404",
    mutate: (answer, request) =>
      foundNothing(answer) && queryOf(request, "pageIndex") !== "0"
        ? { ...answer, status: 404 }
        : answer,
  },
  {
    id: "page-id-from-one",
    class: "paging",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "pageID is one more than pageIndex",
    mutate: json((page) => ({ ...page, pageID: Number(page.pageID) + 1 })),
  },
];

export const counts: readonly Mutant[] = [
  {
    id: "count-of-page",
    class: "count",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "recordCount counts the page",
    mutate: json((page) => ({
      ...page,
      recordCount: Array.isArray(page.data) ? page.data.length : 0,
    })),
  },
  {
    id: "count-one-more",
    class: "count",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "recordCount is one too many",
    mutate: json((page) => ({ ...page, recordCount: Number(page.recordCount) + 1 })),
  },
  {
    id: "count-capped",
    class: "count",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "recordCount is at most 100",
    mutate: json((page) => ({ ...page, recordCount: Math.min(100, Number(page.recordCount)) })),
  },
  {
    id: "count-without-filter",
    class: "count",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "recordCount leaves the filter aside",
    mutate: async (answer, request, { ask }) => {
      const all = parseSuccess(await ask(withFilter(request, {})));
      return json((page) => ({ ...page, recordCount: all?.recordCount ?? 0 }))(answer, request, {
        ask,
        adminKey: "",
        expiredToken: "",
      });
    },
  },
  {
    id: "count-of-pages",
    class: "count",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "recordCount is the number of pages",
    mutate: json((page) => ({ ...page, recordCount: Math.ceil(Number(page.recordCount) / 50) })),
  },
  {
    id: "counted-range-one-more",
    class: "count",
    operation: "searchMetadata",
    contract: "decision",
    says: "the total of Content-Range is one too many",
    mutate: header("content-range", (range) =>
      range.replace(/\d+$/, (total) => String(Number(total) + 1)),
    ),
  },
  {
    id: "counted-range-from-one",
    class: "count",
    operation: "searchMetadata",
    contract: "decision",
    says: "the positions of Content-Range count from 1",
    mutate: header("content-range", (range) =>
      range.replace(/(\d+)-(\d+)/, (_, first, last) => `${Number(first) + 1}-${Number(last) + 1}`),
    ),
  },
];
