// Mutants that page and count by other rules.
import { header } from "../edits/answers.ts";
import { foundNothing, json, list } from "../edits/json.ts";
import { asIf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { countedAs, searching } from "../edits/search.ts";
import type { Mutate } from "../exchange.ts";
import { type Mutant, SEARCHES, toMutants } from "./mutant.ts";

/** Returns the page of another pageIndex, and echoes the requested one. */
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
  ...toMutants("paging", "interface", {
    "page-index-ignored": [
      "searchMetadataByCustomFields",
      "every page is the first",
      paging(() => 0),
    ],
    "search-page-index-ignored": ["searchMetadata", "every page is the first", paging(() => 0)],
    "page-repeated": [
      "searchMetadata",
      "the second page is the first again, and so on",
      paging((index) => Math.max(0, index - 1)),
    ],
    "pages-of-25": [SEARCHES, "a page has 25 records", searching({ pageSize: 25 })],
    "pages-of-100": [
      "searchMetadataByCustomFields",
      "a page has 100 records",
      searching({ pageSize: 100 }),
    ],
  }),
  ...toMutants("paging", "decision", {
    "page-skipped": [
      "searchMetadataByCustomFields",
      "the second page is left out",
      paging((index) => (index > 0 ? index + 1 : index)),
    ],
    "search-page-skipped": [
      "searchMetadata",
      "the second page is left out",
      paging((index) => (index > 0 ? index + 1 : index)),
    ],
    "rows-doubled": [
      "searchMetadataByCustomFields",
      "the first record of a page is there twice, the last is dropped",
      list((records) =>
        records.length < 3 ? records : [...records.slice(0, 1), ...records.slice(0, -1)],
      ),
    ],
    "row-lost-between-pages": [
      SEARCHES,
      "the last record of a full page is dropped",
      list((records) => (records.length < 50 ? records : records.slice(0, -1))),
    ],
    "past-the-end-repeats": [
      SEARCHES,
      "past the end comes the first page again",
      async (answer, request, upstream) =>
        foundNothing(answer) ? paging(() => 0)(answer, request, upstream) : answer,
    ],
    "past-the-end-404": [
      SEARCHES,
      "past the end is 404",
      (answer, request) =>
        foundNothing(answer) && queryOf(request, "pageIndex") !== "0"
          ? { ...answer, status: 404 }
          : answer,
    ],
    "page-id-from-one": [
      "searchMetadataByCustomFields",
      "pageID is one more than pageIndex",
      json((page) => ({ ...page, pageID: Number(page.pageID) + 1 })),
    ],
  }),
];

export const counts = toMutants("count", "decision", {
  "count-of-page": [
    "searchMetadataByCustomFields",
    "recordCount counts the page",
    json((page) => ({
      ...page,
      recordCount: Array.isArray(page.data) ? page.data.length : 0,
    })),
  ],
  "count-one-more": [
    "searchMetadataByCustomFields",
    "recordCount is one too many",
    json((page) => ({ ...page, recordCount: Number(page.recordCount) + 1 })),
  ],
  "count-capped": [
    "searchMetadataByCustomFields",
    "recordCount is at most 100",
    json((page) => ({ ...page, recordCount: Math.min(100, Number(page.recordCount)) })),
  ],
  "count-without-filter": [
    "searchMetadataByCustomFields",
    "recordCount leaves the filter aside",
    countedAs((request) => withFilter(request, {})),
  ],
  "count-of-pages": [
    "searchMetadataByCustomFields",
    "recordCount is the number of pages",
    json((page) => ({ ...page, recordCount: Math.ceil(Number(page.recordCount) / 50) })),
  ],
  "counted-range-one-more": [
    "searchMetadata",
    "the total of Content-Range is one too many",
    header("content-range", (range) => range.replace(/\d+$/, (total) => String(Number(total) + 1))),
  ],
  "counted-range-from-one": [
    "searchMetadata",
    "the positions of Content-Range count from 1",
    header("content-range", (range) =>
      range.replace(/(\d+)-(\d+)/, (_, first, last) => `${Number(first) + 1}-${Number(last) + 1}`),
    ),
  ],
});
