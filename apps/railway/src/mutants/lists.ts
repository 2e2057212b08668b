// Mutants of lists: search, sort, filters, counts, pages, cursors, ranges.
import {
  as,
  body,
  hears,
  type JsonObject,
  queryAt,
  replies,
  rows,
  toDrifts,
  withDefaults,
  withQuery,
} from "@call-media/test-setup/model-service";
import type { Railway } from "../railway.ts";
import { callers } from "../service.ts";
import {
  BOOKINGS,
  DEPARTURES,
  departures,
  nextOf,
  readAll,
  relist,
  STATION,
  STATIONS,
} from "./edits.ts";

export const lists = toDrifts<Railway>({
  "platforms-sorted-as-text": [
    "stations sorted by platforms go 1, 10, 11, 2, so the largest ones are not at the end",
    "key GET /stations?sort=platforms",
    relist(STATIONS, (all, { query }) => {
      const sort = query.get("sort") ?? "name";
      if (!sort.endsWith("platforms")) return all;
      const sign = sort.startsWith("-") ? -1 : 1;
      return all.toSorted(
        (one, other) => sign * compareTexts(one["platforms"], other["platforms"]),
      );
    }),
  ],
  "accents-of-query-only": [
    "a search removes the accents of the query and not those of the names, so `Åsvik` finds nothing",
    "key GET /stations?q=Åsvik",
    relist(
      STATIONS,
      (all, { query }) => {
        const wanted = (query.get("q") ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "");
        return all.filter(({ name }) => String(name).toLowerCase().includes(wanted.toLowerCase()));
      },
      { q: undefined },
    ),
  ],
  "filter-after-page": [
    "pages are cut before the filter is applied, so they have gaps, and the total counts what is not there",
    "key GET /stations?accessible=false",
    (service) => (request) => {
      const accessible = request.query.get("accessible");
      if (accessible === null || service(request).status !== 200) return service(request);
      const keep = rows((all) => all.filter((one) => String(one["accessible"]) === accessible));
      return replies(STATIONS, keep)(service, undefined)(
        withQuery(request, { accessible: undefined }),
      );
    },
  ],
  "next-without-filter": [
    "the link to the next page forgets filter and sort, so a client reads other stations from page 2 on",
    "key GET /stations?region=coast&size=5",
    nextOf(STATIONS, ({ next }) => {
      const query = new URLSearchParams(next?.split("?")[1]);
      const kept = [...query].filter(([name]) => name === "page" || name === "size");
      return next && `/stations?${new URLSearchParams(kept).toString()}`;
    }),
  ],
  "next-never-null": [
    "the last page has a next one as well, so a client that follows the links never ends",
    "key GET /stations?size=50",
    nextOf(STATIONS, ({ next, page }, request) => {
      const { query } = withQuery(request, { page: String(page + 1) });
      return next ?? `${request.path}?${query.toString()}`;
    }),
  ],
  "total-of-all-users": [
    "the total counts the bookings of all users, so it tells how many others there are, and no client reaches it",
    "ada GET /bookings",
    replies(BOOKINGS, (reply, request, service) =>
      body((value) => {
        const all = [callers["ada"], callers["ben"]].flatMap((caller) =>
          readAll(service, as(caller, request)),
        );
        return { ...Object(value), total: all.length };
      })(reply, request, service),
    ),
  ],
  "cancelled-still-listed": [
    "cancelled bookings are in the list unless another status is asked for",
    "ada GET /bookings",
    relist(BOOKINGS, (all, request, service) => {
      if (request.query.has("status")) return all;
      const cancelled = readAll(service, withQuery(request, { status: "cancelled" }));
      return [...all, ...cancelled].toSorted(toOrder(request.query.get("sort") ?? "-createdAt"));
    }),
  ],
  "departs-to-at-midnight": [
    "departsTo means its first second, so the bookings of that day are missing",
    "ada GET /bookings?departsFrom=2026-11-02&departsTo=2026-11-06",
    relist(BOOKINGS, (all, { query }) =>
      all.filter(({ departsAt }) => String(departsAt).slice(0, 10) !== query.get("departsTo")),
    ),
  ],
  "oldest-first": [
    "without sort the oldest bookings come first, so the new one is on the last page",
    "ada GET /bookings",
    withDefaults(BOOKINGS, { sort: "createdAt" }),
  ],
  "departures-end-exclusive": [
    "a train that departs at the end of the range is missing, so nobody catches it",
    `${departures}&to=2026-11-02T09:00:00Z`,
    replies(
      DEPARTURES,
      rows((all, { query }) => {
        const end = Date.parse(query.get("to") ?? "");
        return all.filter(({ departsAt }) => Date.parse(String(departsAt)) !== end);
      }),
    ),
  ],
  "cursor-repeats-row": [
    "the list continues with the departure that the cursor names and not after it, so it comes twice",
    `${departures}&limit=1&cursor=${toCursor("2026-11-02T08:00:00Z T2-a0800-20261102")}`,
    queryAt(DEPARTURES, (query) => {
      const position = Buffer.from(query.get("cursor") ?? "", "base64url").toString();
      return query.has("cursor") ? { cursor: toCursor(position.slice(0, -1)) } : undefined;
    }),
  ],
  "code-in-any-case": [
    "asv is found as ASV, so one station has several addresses, and caches and links part",
    "key GET /stations/asv",
    hears([STATION, DEPARTURES], (request) => ({
      ...request,
      path: request.path.replace(
        /^\/stations\/[^/]+/,
        (start) => `/stations/${start.slice(10).toUpperCase()}`,
      ),
    })),
  ],
});

function toCursor(position: string): string {
  return Buffer.from(position).toString("base64url");
}

function compareTexts(one: unknown, other: unknown): number {
  const [first, second] = [String(one), String(other)];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** Orders as the document's `sort` says, but leaves ties unordered. */
function toOrder(sort: string): (one: JsonObject, other: JsonObject) => number {
  const sign = sort.startsWith("-") ? -1 : 1;
  const name = sort.replace("-", "");
  const toKey = (row: JsonObject) =>
    name === "total" ? (row["total"] as { cents: number }).cents : Date.parse(String(row[name]));
  return (one, other) => sign * (toKey(one) - toKey(other));
}
