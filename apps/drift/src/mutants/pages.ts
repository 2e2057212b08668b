// Mutants that page, count, order or link by other rules, or search other days.
import { header, headers, when, whenAsked, withHeaders, withoutHeaders } from "../edits/answers.ts";
import {
  type Json,
  json,
  type JsonObject,
  list,
  parseSuccess,
  toRecords,
  toText,
  whenEmpty,
} from "../edits/json.ts";
import { asIf, asIfQuery, filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { addDays, countedAs, dayOf, matchesWhole, searching } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { type Deviation, type Mutant, SEARCHES, toMutants } from "./mutant.ts";

const PAGE_SIZE = 50;
const WINDOW_PAGES = 4;
const TEN_MINUTES_MS = 600_000;
const EVER = { startDate: "0001-01-01", endDate: "9999-12-31" };
const CUSTOM = "searchMetadataByCustomFields";

/** Shifts the days of requests that the service accepted. */
const withDays = (start: number, end: number): Mutate =>
  when(
    200,
    asIf((request) =>
      withQuery(request, {
        startDate: addDays(queryOf(request, "startDate"), start),
        endDate: addDays(queryOf(request, "endDate"), end),
      }),
    ),
  );

const pageOf = (request: ProxyRequest) => Number(queryOf(request, "pageIndex"));
const atPage = (request: ProxyRequest, page: number) =>
  withQuery(request, { pageIndex: String(page) });

/** Returns the page of another pageIndex, and echoes the requested one. */
function paging(edit: (pageIndex: number) => number): Mutate {
  const other = asIf((request) => atPage(request, edit(pageOf(request))));
  const echo = json((page, request) =>
    "pageID" in page ? { ...page, pageID: pageOf(request) } : page,
  );
  return when(200, async (answer, request, upstream) =>
    echo(await other(answer, request, upstream), request, upstream),
  );
}

const FIRST_PAGE: Deviation = ["every page is the first", paging(() => 0)];
const SKIPPED: Deviation = [
  "the second page is left out",
  paging((index) => (index > 0 ? index + 1 : index)),
];

/** Pages the complete range first, and filters the page afterwards. */
const filteredAfterPaging = when(200, async (answer, request, upstream) => {
  const filter = Object.entries(filterOf(request) ?? {});
  const pathname = "/metadata/by-custom-fields";
  const page = parseSuccess(await upstream.ask(withFilter({ ...request, pathname }, {}))) ?? {};
  const found = toRecords(page).filter((record) =>
    filter.every(([name, wanted]) => matchesWhole(record[name] ?? null, wanted, name)),
  );
  return json((whole) => ({ ...whole, data: found }))(answer, request, upstream);
});

const windowed = whenAsked(
  (request) => !(pageOf(request) < WINDOW_PAGES),
  (answer, ...asked) =>
    json((whole) => ({ ...whole, data: [] }))(withHeaders(answer, { link: undefined }), ...asked),
);

const linkedForEver = when(200, (answer, request) => {
  const { pathname, query } = atPage(request, pageOf(request) + 1);
  return withHeaders(answer, {
    link: answer.headers.link ?? `<${pathname}?${query}>; rel="next"`,
  });
});

/** Builds the rows of every page except the first from those of the previous page too. */
const afterPageBefore = (
  edit: (before: readonly JsonObject[], found: JsonObject[]) => JsonObject[],
): Mutate =>
  when(200, async (answer, request, upstream) => {
    const index = pageOf(request);
    if (index === 0) return answer;
    const other = await upstream.ask(atPage(request, index - 1));
    const before = toRecords(parseSuccess(other) ?? {});
    return list((found) => edit(before, found))(answer, request, upstream);
  });

const counting = (edit: (count: number, page: JsonObject, request: ProxyRequest) => Json) =>
  json((page, request) => ({
    ...page,
    recordCount: edit(Number(page.recordCount), page, request),
  }));

const ordering = (order: (one: JsonObject, other: JsonObject) => number) =>
  searching({ order: (records) => records.toSorted(order) });

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
const slotOf = ({ datetime }: JsonObject) =>
  Math.floor(Date.parse(toText(datetime)) / TEN_MINUTES_MS);

const inUtc = (record: JsonObject): JsonObject => {
  const text = toText(record.datetime);
  return /[+-]\d\d:\d\d$/.test(text)
    ? { ...record, datetime: new Date(text).toISOString() }
    : record;
};

const reversed = list((records) => records.toReversed());

export const pages: readonly Mutant[] = [
  ...toMutants("dates", "interface", {
    "start-ignored": ["searchMetadata", when(200, asIfQuery({ startDate: "2000-01-01" }))],
    "end-ignored": [CUSTOM, when(200, asIfQuery({ endDate: "2099-12-31" }))],
    "range-a-week-off": [SEARCHES, withDays(7, 7)],
    "range-a-week-wide": [CUSTOM, withDays(-7, 7)],
  }),
  ...toMutants("dates", "decision", {
    "end-exclusive": [
      SEARCHES,
      searching({ isInRange: ({ datetime }, [, end]) => dayOf(datetime) < end }),
    ],
    "start-exclusive": [
      SEARCHES,
      searching({ isInRange: ({ datetime }, [start]) => dayOf(datetime) > start }),
    ],
    "datetime-rewritten-in-search": [
      SEARCHES,
      "searches give datetime in UTC, whatever the text of the record",
      searching({ order: (records) => records.map(inUtc) }),
    ],
  }),
  ...toMutants("order", "decision", {
    "oldest-first": [SEARCHES, searching({ order: (records) => records.toReversed() })],
    "page-backwards": ["searchMetadata", reversed],
    "by-text-of-time": [
      CUSTOM,
      ordering((a, b) => compare(toText(b.datetime), toText(a.datetime))),
    ],
    "order-by-the-hour": [
      SEARCHES,
      "records within ten minutes are sorted by agent",
      ordering((a, b) => slotOf(b) - slotOf(a) || toText(a.agent).localeCompare(toText(b.agent))),
    ],
    "legs-oldest-first": [["getMetadataByCallId", "getMetadataByReference"], reversed],
    "chat-newest-first": ["getChatByCallId", reversed],
  }),
  ...toMutants("paging", "interface", {
    "page-index-ignored": [CUSTOM, ...FIRST_PAGE],
    "search-page-index-ignored": ["searchMetadata", ...FIRST_PAGE],
    "page-repeated": ["searchMetadata", paging((index) => Math.max(0, index - 1))],
    "pages-of-25": [SEARCHES, searching({ pageSize: 25 })],
    "pages-of-100": [CUSTOM, searching({ pageSize: 100 })],
  }),
  ...toMutants("paging", "decision", {
    "page-skipped": [CUSTOM, ...SKIPPED],
    "search-page-skipped": ["searchMetadata", ...SKIPPED],
    "rows-doubled": [
      CUSTOM,
      list((found) => (found.length < 3 ? found : [...found.slice(0, 1), ...found.slice(0, -1)])),
    ],
    "row-lost-between-pages": [
      SEARCHES,
      list((found) => (found.length < PAGE_SIZE ? found : found.slice(0, -1))),
    ],
    "past-the-end-repeats": [SEARCHES, whenEmpty(paging(() => 0))],
    "past-the-end-404": [
      SEARCHES,
      whenEmpty((answer, request) =>
        queryOf(request, "pageIndex") === "0" ? answer : { ...answer, status: 404 },
      ),
    ],
    "page-id-from-one": [CUSTOM, json((page) => ({ ...page, pageID: Number(page.pageID) + 1 }))],
    "filter-after-paging": [SEARCHES, filteredAfterPaging],
    "window-of-200": [SEARCHES, windowed],
    "last-page-padded": [
      SEARCHES,
      afterPageBefore((before, found) =>
        found.length === 0 ? found : [...before, ...found].slice(-PAGE_SIZE),
      ),
    ],
    "pages-overlap-by-one": [
      SEARCHES,
      afterPageBefore((before, found) => [...before.slice(-1), ...found].slice(0, PAGE_SIZE)),
    ],
  }),
  ...toMutants("count", "decision", {
    "count-of-page": [
      CUSTOM,
      counting((_count, { data }) => (Array.isArray(data) ? data.length : 0)),
    ],
    "count-one-more": [CUSTOM, counting((count) => count + 1)],
    "count-capped": [CUSTOM, counting((count) => Math.min(100, count))],
    "count-without-filter": [CUSTOM, countedAs((request) => withFilter(request, {}))],
    "count-of-pages": [CUSTOM, counting((count) => Math.ceil(count / PAGE_SIZE))],
    "count-on-first-page-alone": [
      CUSTOM,
      counting((count, _page, request) => (pageOf(request) > 0 ? 0 : count)),
    ],
    "count-of-all-days": [CUSTOM, countedAs((request) => withQuery(request, EVER))],
    "counted-range-one-more": [
      "searchMetadata",
      "the total of Content-Range is one too many",
      header("content-range", (range) => range.replace(/\d+$/, (total) => `${Number(total) + 1}`)),
    ],
    "counted-range-from-one": [
      "searchMetadata",
      "the positions of Content-Range count from 1",
      header("content-range", (range) =>
        range.replaceAll(/\d+(?=[-/])/g, (position) => `${Number(position) + 1}`),
      ),
    ],
  }),
  ...toMutants("header", "decision", {
    "other-zone-named": [SEARCHES, headers(200, { "archive-time-zone": "Pacific/Auckland" })],
    "next-link-of-inner-host": [
      SEARCHES,
      header("link", (link) => link.replace("</", "<http://10.0.0.7:8080/")),
    ],
    "next-link-for-ever": [SEARCHES, linkedForEver],
    "next-link-without-days": [
      SEARCHES,
      header("link", (link) => link.replaceAll(/&(?:startDate|endDate)=[^&>]*/g, "")),
    ],
    "preference-applied-missing": ["searchMetadata", withoutHeaders("preference-applied")],
    "request-id-of-all": ["every", (answer) => withHeaders(answer, { "x-request-id": "unknown" })],
  }),
];
