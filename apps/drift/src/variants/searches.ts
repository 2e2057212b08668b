// Searches of services that page, match, sort and count in another lawful way, and do so throughout.
import { status, toErrorAnswer, whenAsked, withHeaders } from "../edits/answers.ts";
import { foundNothing, json, toText } from "../edits/json.ts";
import { filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { addDays, dayOf, searching, toKey } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { byLocalNumber } from "../mutants/near-matches.ts";
import { SEARCHES } from "../mutants/mutant.ts";
import type { Variant } from "./variant.ts";

const pageIndexOf = (request: ProxyRequest) => Number(queryOf(request, "pageIndex"));

/** Pages count from 1, in requests, answers and links alike; there is no page 0. */
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

/** More than any search of the demo archive has. */
const MOST_PAGES = 30;

const lastPageAgain: Mutate = async (answer, request, { ask }) => {
  let found = answer;
  const last = Math.min(pageIndexOf(request), MOST_PAGES) - 1;
  for (let page = last; foundNothing(found) && page >= 0; page -= 1)
    found = await ask(withQuery(request, { pageIndex: String(page) }));
  return found;
};

const OFFSET_MS = -5 * 60 * 60 * 1000;

/** The day of a moment in a zone five hours behind UTC. */
function westernDayOf(datetime: unknown): string {
  const text = String(datetime);
  const utc = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}-05:00`);
  return new Date(utc + OFFSET_MS).toISOString().slice(0, 10);
}

const isEmptyFilter = (request: ProxyRequest) =>
  Object.keys(filterOf(request) ?? { none: "" }).length === 0;

/** The records of the whole range, without the count of a page by custom fields. */
const wholeRange: Mutate = async (answer, request, upstream) => {
  if (answer.status !== 400) return answer;
  const custom = { ...request, pathname: "/metadata/by-custom-fields" };
  const found = await upstream.ask(withFilter(custom, {}));
  const strip = json(({ pageID: _page, recordCount: _count, ...envelope }) => envelope);
  return strip(withHeaders(found, { link: undefined }), request, upstream);
};

export const searches: readonly Variant[] = [
  {
    id: "pages-from-one",
    decision: "D07",
    operation: SEARCHES,
    says: "pages count from 1",
    mutate: fromOne,
  },
  {
    id: "exclusive-end",
    decision: "D06",
    operation: SEARCHES,
    says: "endDate does not count in",
    mutate: searching({ isInRange: ({ datetime }, [, end]) => dayOf(datetime) < end }),
  },
  {
    id: "other-time-zone",
    decision: "D06",
    operation: SEARCHES,
    says: "days begin at 05:00 UTC",
    mutate: searching({
      days: (start, end) => [addDays(start, -1), addDays(end, 1)],
      isInRange: ({ datetime }, [start, end]) =>
        westernDayOf(datetime) >= start && westernDayOf(datetime) <= end,
    }),
  },
  {
    id: "partial-matching",
    decision: "D08",
    operation: SEARCHES,
    says: "a filter matches a part of a value",
    mutate: searching({
      matches: (value, wanted, name) =>
        value !== null &&
        (typeof wanted === "number"
          ? value === wanted
          : toKey(value, name).includes(toKey(wanted, name))),
    }),
  },
  {
    id: "prefix-matching",
    decision: "D08",
    operation: SEARCHES,
    says: "a filter matches the beginning of a value",
    mutate: searching({
      matches: (value, wanted, name) =>
        value !== null &&
        (typeof wanted === "number"
          ? value === wanted
          : toKey(value, name).startsWith(toKey(wanted, name))),
    }),
  },
  {
    id: "case-sensitive-matching",
    decision: "D08",
    operation: SEARCHES,
    says: "a filter matches in the same letter case and notation alone",
    mutate: searching({ matches: (value, wanted) => value === wanted }),
  },
  {
    id: "phones-by-local-number",
    decision: "D08",
    operation: "searchMetadata",
    says: "a telephone number matches by its last seven digits",
    mutate: byLocalNumber,
  },
  {
    id: "sorted-oldest-first",
    decision: "D09",
    operation: SEARCHES,
    says: "records come oldest first",
    mutate: searching({ order: (records) => records.toReversed() }),
  },
  {
    id: "sorted-by-call-id",
    decision: "D09",
    operation: SEARCHES,
    says: "records come by call_id",
    mutate: searching({
      order: (records) =>
        records.toSorted((a, b) => toText(a.call_id).localeCompare(toText(b.call_id))),
    }),
  },
  {
    id: "count-per-page",
    decision: "D10",
    operation: "searchMetadataByCustomFields",
    says: "recordCount counts the page",
    mutate: json((page) => ({
      ...page,
      recordCount: Array.isArray(page.data) ? page.data.length : 0,
    })),
  },
  {
    id: "no-links-no-ranges-of-records",
    decision: "D10",
    operation: SEARCHES,
    says: "searches have neither Link nor Content-Range",
    mutate: (answer) =>
      withHeaders(answer, {
        link: undefined,
        "content-range": undefined,
        "preference-applied": undefined,
      }),
  },
  {
    id: "empty-filter-finds-all",
    decision: "D11",
    operation: "searchMetadata",
    says: "a search without a filter finds the whole range",
    mutate: whenAsked(isEmptyFilter, wholeRange),
  },
  {
    id: "empty-custom-filter-refused",
    standsAlone: true,
    decision: "D11",
    operation: "searchMetadataByCustomFields",
    says: "an empty filter by custom fields is refused",
    mutate: whenAsked(isEmptyFilter, (answer) =>
      answer.status === 200 ? toErrorAnswer(answer, 400, "a filter is needed") : answer,
    ),
  },
  {
    id: "no-page-past-the-end",
    decision: "D07",
    operation: SEARCHES,
    says: "a page past the end is 404",
    mutate: (answer, request) =>
      foundNothing(answer) && pageIndexOf(request) > 0
        ? toErrorAnswer(answer, 404, "there is no such page")
        : answer,
  },
  {
    id: "last-page-again",
    decision: "D07",
    operation: SEARCHES,
    says: "past the end comes the last page again",
    mutate: lastPageAgain,
  },
  {
    id: "bad-input-422",
    decision: "D12",
    operation: "every",
    says: "bad input is 422",
    mutate: status(400, 422),
  },
];
