// Variants that page, match, sort and count in another conforming way, and do so consistently.
import {
  refused,
  status,
  toErrorAnswer,
  when,
  whenAsked,
  withHeaders,
  withoutHeaders,
} from "../edits/answers.ts";
import { foundNothing, json, toText, whenEmpty } from "../edits/json.ts";
import { filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { addDays, comparing, dayOf, searching } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { byLocalNumber } from "../mutants/filters.ts";
import { SEARCHES } from "../mutants/mutant.ts";
import { toVariants, type Variant } from "./variant.ts";

const pageIndexOf = (request: ProxyRequest) => Number(queryOf(request, "pageIndex"));

/** Counts pages from 1 in requests, responses and links; page 0 is rejected. */
const fromOne: Mutate = async (answer, request, { ask }) => {
  const pageIndex = pageIndexOf(request);
  if (pageIndex === 0 && answer.status === 200)
    return toErrorAnswer(answer, 400, "pageIndex counts from 1");
  if (!Number.isSafeInteger(pageIndex) || pageIndex < 1) return answer;
  const shifted = await ask(withQuery(request, { pageIndex: String(pageIndex - 1) }));
  const { link } = shifted.headers;
  const linked = withHeaders(shifted, {
    link: link?.replace(/pageIndex=\d+/, `pageIndex=${pageIndex + 1}`),
  });
  const edit = json((page) => ("pageID" in page ? { ...page, pageID: pageIndex } : page));
  return edit(linked, request, { ask, adminKey: "", expiredToken: "" });
};

/** More pages than any search of the demo archive has. */
const MOST_PAGES = 30;

const lastPageAgain: Mutate = async (answer, request, { ask }) => {
  let found = answer;
  const last = Math.min(pageIndexOf(request), MOST_PAGES) - 1;
  for (let page = last; foundNothing(found) && page >= 0; page -= 1)
    found = await ask(withQuery(request, { pageIndex: String(page) }));
  return found;
};

const OFFSET_MS = -5 * 60 * 60 * 1000;

/** The day of an instant in a zone five hours behind UTC. */
function westernDayOf(datetime: unknown): string {
  const text = String(datetime);
  const utc = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}-05:00`);
  return new Date(utc + OFFSET_MS).toISOString().slice(0, 10);
}

const isEmptyFilter = (request: ProxyRequest) =>
  Object.keys(filterOf(request) ?? { none: "" }).length === 0;

/** Returns the records of the complete range, without the count of a page by custom fields. */
const wholeRange: Mutate = async (answer, request, upstream) => {
  if (answer.status !== 400) return answer;
  const custom = { ...request, pathname: "/metadata/by-custom-fields" };
  const found = await upstream.ask(withFilter(custom, {}));
  const strip = json(({ pageID: _page, recordCount: _count, ...envelope }) => envelope);
  return strip(withHeaders(found, { link: undefined }), request, upstream);
};

export const searches: readonly Variant[] = [
  ...toVariants("D07", {
    "pages-from-one": [SEARCHES, fromOne],
    "no-page-past-the-end": [
      SEARCHES,
      "a page past the end is 404",
      whenAsked(
        (request) => pageIndexOf(request) > 0,
        whenEmpty(refused(404, "there is no such page")),
      ),
    ],
    "last-page-again": [SEARCHES, lastPageAgain],
  }),
  ...toVariants("D06", {
    "exclusive-end": [
      SEARCHES,
      searching({ isInRange: ({ datetime }, [, end]) => dayOf(datetime) < end }),
    ],
    "other-time-zone": [
      SEARCHES,
      "days begin at 05:00 UTC",
      searching({
        days: (start, end) => [addDays(start, -1), addDays(end, 1)],
        isInRange: ({ datetime }, [start, end]) =>
          westernDayOf(datetime) >= start && westernDayOf(datetime) <= end,
      }),
    ],
  }),
  ...toVariants("D08", {
    "partial-matching": [SEARCHES, comparing((text, part) => text.includes(part))],
    "prefix-matching": [SEARCHES, comparing((text, start) => text.startsWith(start))],
    "case-sensitive-matching": [
      SEARCHES,
      "a filter matches in the same letter case and notation alone",
      searching({ matches: (value, wanted) => value === wanted }),
    ],
    "phones-by-local-number": [
      "searchMetadata",
      "a telephone number matches by its last seven digits",
      byLocalNumber,
    ],
  }),
  ...toVariants("D09", {
    "sorted-oldest-first": [SEARCHES, searching({ order: (records) => records.toReversed() })],
    "sorted-by-call-id": [
      SEARCHES,
      searching({
        order: (records) =>
          records.toSorted((a, b) => toText(a.call_id).localeCompare(toText(b.call_id))),
      }),
    ],
  }),
  ...toVariants("D10", {
    "count-per-page": [
      "searchMetadataByCustomFields",
      json((page) => ({
        ...page,
        recordCount: Array.isArray(page.data) ? page.data.length : 0,
      })),
    ],
    "no-links-no-ranges-of-records": [
      SEARCHES,
      withoutHeaders("link", "content-range", "preference-applied"),
    ],
  }),
  ...toVariants("D11", {
    "empty-filter-finds-all": ["searchMetadata", whenAsked(isEmptyFilter, wholeRange)],
  }),
  ...toVariants("D12", {
    "bad-input-422": ["every", status(400, 422)],
  }),
  {
    id: "empty-custom-filter-refused",
    standsAlone: true,
    decision: "D11",
    operation: "searchMetadataByCustomFields",
    says: "an empty filter by custom fields is refused",
    mutate: whenAsked(isEmptyFilter, when(200, refused(400, "a filter is needed"))),
  },
];
