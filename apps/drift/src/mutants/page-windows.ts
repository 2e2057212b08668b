// Mutants that fill, count or link pages by other rules.
import { header, withHeaders, withoutHeaders } from "../edits/answers.ts";
import { json, type JsonObject, list, parseSuccess, toRecords } from "../edits/json.ts";
import { filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { countedAs, matchesWhole } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { type Mutant, SEARCHES, toMutants } from "./mutant.ts";

const PAGE_SIZE = 50;
const WINDOW_PAGES = 4;
const pageOf = (request: ProxyRequest) => Number(queryOf(request, "pageIndex"));

/** Pages the complete range first, and filters the page afterwards. */
const filteredAfterPaging: Mutate = async (answer, request, upstream) => {
  const filter = Object.entries(filterOf(request) ?? {});
  if (answer.status !== 200) return answer;
  const pathname = "/metadata/by-custom-fields";
  const page = parseSuccess(await upstream.ask(withFilter({ ...request, pathname }, {}))) ?? {};
  const found = toRecords(page).filter((record) =>
    filter.every(([name, wanted]) => matchesWhole(record[name] ?? null, wanted, name)),
  );
  return json((whole) => ({ ...whole, data: found }))(answer, request, upstream);
};

const windowed: Mutate = (answer, request, upstream) => {
  if (pageOf(request) < WINDOW_PAGES) return answer;
  const empty = json((whole) => ({ ...whole, data: [] }));
  return empty(withHeaders(answer, { link: undefined }), request, upstream);
};

const linkedForEver: Mutate = (answer, request) => {
  const next = withQuery(request, { pageIndex: String(pageOf(request) + 1) });
  const isPage = answer.status === 200 && answer.headers.link === undefined;
  return isPage
    ? withHeaders(answer, { link: `<${next.pathname}?${next.query}>; rel="next"` })
    : answer;
};

/** Builds the rows of every page except the first from those of the previous page too. */
function afterPageBefore(
  edit: (before: readonly JsonObject[], found: JsonObject[]) => JsonObject[],
): Mutate {
  return async (answer, request, upstream) => {
    const index = pageOf(request);
    if (answer.status !== 200 || index === 0) return answer;
    const other = withQuery(request, { pageIndex: String(index - 1) });
    const before = toRecords(parseSuccess(await upstream.ask(other)) ?? {});
    return list((found) => edit(before, found))(answer, request, upstream);
  };
}

export const pageWindows: readonly Mutant[] = [
  ...toMutants("paging", "decision", {
    "filter-after-paging": [
      SEARCHES,
      "a page is cut from the whole range and filtered then",
      filteredAfterPaging,
    ],
    "window-of-200": [SEARCHES, "records after the two hundredth are on no page", windowed],
    "last-page-padded": [
      SEARCHES,
      "the last page is filled up with records of the page before",
      afterPageBefore((before, found) =>
        found.length === 0 ? found : [...before, ...found].slice(-PAGE_SIZE),
      ),
    ],
    "pages-overlap-by-one": [
      SEARCHES,
      "each page begins with the last record of the one before",
      afterPageBefore((before, found) => [...before.slice(-1), ...found].slice(0, PAGE_SIZE)),
    ],
  }),
  ...toMutants("count", "decision", {
    "count-on-first-page-alone": [
      "searchMetadataByCustomFields",
      "recordCount is 0 on every page but the first",
      json((page, request) => (pageOf(request) > 0 ? { ...page, recordCount: 0 } : page)),
    ],
    "count-of-all-days": [
      "searchMetadataByCustomFields",
      "recordCount leaves the days aside",
      countedAs((request) =>
        withQuery(request, { startDate: "0001-01-01", endDate: "9999-12-31" }),
      ),
    ],
  }),
  ...toMutants("header", "decision", {
    "next-link-of-inner-host": [
      SEARCHES,
      "Link to the next page names a host behind the gateway",
      header("link", (link) => link.replace("</", "<http://10.0.0.7:8080/")),
    ],
    "next-link-for-ever": [SEARCHES, "the last page links to a next one", linkedForEver],
    "next-link-without-days": [
      SEARCHES,
      "Link to the next page lacks startDate and endDate",
      header("link", (link) => link.replaceAll(/&(?:startDate|endDate)=[^&>]*/g, "")),
    ],
    "preference-applied-missing": [
      "searchMetadata",
      "Preference-Applied is missing",
      withoutHeaders("preference-applied"),
    ],
    "request-id-of-all": [
      "every",
      "X-Request-Id is the same in every answer",
      (answer) => withHeaders(answer, { "x-request-id": "unknown" }),
    ],
  }),
];
