// Pages that are filled, counted and linked by other rules.
import { header, withHeaders, withoutHeaders } from "../edits/answers.ts";
import { json, list, parseSuccess, toRecords } from "../edits/json.ts";
import { filterOf, queryOf, withFilter, withQuery } from "../edits/requests.ts";
import { matchesWhole } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { SEARCHES, type Mutant, toMutants } from "./mutant.ts";

const PAGE_SIZE = 50;
const WINDOW_PAGES = 4;
const pageOf = (request: ProxyRequest) => Number(queryOf(request, "pageIndex"));

/** The page of the whole range, less what does not match. */
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
      async (answer, request, upstream) => {
        const index = pageOf(request);
        if (answer.status !== 200 || index === 0) return answer;
        const before = parseSuccess(
          await upstream.ask(withQuery(request, { pageIndex: String(index - 1) })),
        );
        return list((found) =>
          found.length === 0 ? found : [...toRecords(before ?? {}), ...found].slice(-PAGE_SIZE),
        )(answer, request, upstream);
      },
    ],
    "pages-overlap-by-one": [
      SEARCHES,
      "each page begins with the last record of the one before",
      async (answer, request, upstream) => {
        const index = pageOf(request);
        if (answer.status !== 200 || index === 0) return answer;
        const before = parseSuccess(
          await upstream.ask(withQuery(request, { pageIndex: String(index - 1) })),
        );
        return list((found) =>
          [...toRecords(before ?? {}).slice(-1), ...found].slice(0, PAGE_SIZE),
        )(answer, request, upstream);
      },
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
      async (answer, request, upstream) => {
        const ever = withQuery(request, { startDate: "0001-01-01", endDate: "9999-12-31" });
        const all = parseSuccess(await upstream.ask(ever));
        return json((page) => ({ ...page, recordCount: all?.recordCount ?? 0 }))(
          answer,
          request,
          upstream,
        );
      },
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
