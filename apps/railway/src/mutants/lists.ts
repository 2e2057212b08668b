// Mutants of lists: search, sort, filters, counts, pages, cursors, ranges.
import {
  body,
  type Drift,
  hears,
  type JsonObject,
  replies,
  rows,
  withQuery,
} from "@call-media/test-setup/model-service";
import type { Railway } from "../railway.ts";
import { as, BOOKINGS, DEPARTURES, readAll, relist, STATION, STATIONS } from "./edits.ts";

const departures = "key GET /stations/TAR/departures?from=2026-11-02T08:00:00Z";

interface Page {
  readonly total: number;
  readonly next: string | null;
}

export const lists: readonly Drift<Railway>[] = [
  {
    id: "platforms-sorted-as-text",
    says: "stations sorted by platforms go 1, 10, 11, 2, so the largest ones are not at the end",
    reveal: ["key GET /stations?sort=platforms"],
    wrap: relist(STATIONS, (all, { query }) => {
      const sort = query.get("sort") ?? "name";
      if (!sort.endsWith("platforms")) return all;
      const sign = sort.startsWith("-") ? -1 : 1;
      return all.toSorted(
        (one, other) => sign * compareTexts(one["platforms"], other["platforms"]),
      );
    }),
  },
  {
    id: "accents-of-query-only",
    says: "a search removes the accents of the query and not those of the names, so `Åsvik` finds nothing",
    reveal: ["key GET /stations?q=Åsvik"],
    wrap: relist(
      STATIONS,
      (all, { query }) => {
        const wanted = (query.get("q") ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "");
        return all.filter(({ name }) => String(name).toLowerCase().includes(wanted.toLowerCase()));
      },
      { q: undefined },
    ),
  },
  {
    id: "filter-after-page",
    says: "pages are cut before the filter is applied, so they have gaps, and the total counts what is not there",
    reveal: ["key GET /stations?accessible=false"],
    wrap: (service) => (request) => {
      const accessible = request.query.get("accessible");
      if (accessible === null || service(request).status !== 200) return service(request);
      const keep = rows((all) => all.filter((one) => String(one["accessible"]) === accessible));
      return replies(STATIONS, keep)(service, undefined)(
        withQuery(request, { accessible: undefined }),
      );
    },
  },
  {
    id: "next-without-filter",
    says: "the link to the next page forgets filter and sort, so a client reads other stations from page 2 on",
    reveal: ["key GET /stations?region=coast&size=5"],
    wrap: replies(
      STATIONS,
      body((value) => {
        const page = value as Page; // as documented
        const query = new URLSearchParams(page.next?.split("?")[1]);
        const kept = [...query].filter(([name]) => name === "page" || name === "size");
        const next =
          page.next === null ? null : `/stations?${new URLSearchParams(kept).toString()}`;
        return { ...page, next };
      }),
    ),
  },
  {
    id: "next-never-null",
    says: "the last page has a next one as well, so a client that follows the links never ends",
    reveal: ["key GET /stations?size=50"],
    wrap: replies(
      STATIONS,
      body((value, { path, query }) => {
        const page = value as Page; // as documented
        const following = new URLSearchParams(query);
        following.set("page", String(Number(query.get("page") ?? 1) + 1));
        return { ...page, next: page.next ?? `${path}?${following.toString()}` };
      }),
    ),
  },
  {
    id: "total-of-all-users",
    says: "the total counts the bookings of all users, so it tells how many others there are, and no client reaches it",
    reveal: ["ada GET /bookings"],
    wrap: replies(BOOKINGS, (reply, request, service) =>
      body((value) => {
        const all = ["ada", "ben"].flatMap((name) => readAll(service, as(name, request)));
        return { ...(value as Page), total: all.length };
      })(reply, request, service),
    ),
  },
  {
    id: "cancelled-still-listed",
    says: "cancelled bookings are in the list unless another status is asked for",
    reveal: ["ada GET /bookings"],
    wrap: relist(BOOKINGS, (all, request, service) => {
      if (request.query.has("status")) return all;
      const cancelled = readAll(service, withQuery(request, { status: "cancelled" }));
      return [...all, ...cancelled].toSorted(toOrder(request.query.get("sort") ?? "-createdAt"));
    }),
  },
  {
    id: "departs-to-at-midnight",
    says: "departsTo means its first second, so the bookings of that day are missing",
    reveal: ["ada GET /bookings?departsFrom=2026-11-02&departsTo=2026-11-06"],
    wrap: relist(BOOKINGS, (all, { query }) =>
      all.filter(({ departsAt }) => String(departsAt).slice(0, 10) !== query.get("departsTo")),
    ),
  },
  {
    id: "oldest-first",
    says: "without sort the oldest bookings come first, so the new one is on the last page",
    reveal: ["ada GET /bookings"],
    wrap: hears(BOOKINGS, (request) =>
      withQuery(request, { sort: request.query.get("sort") ?? "createdAt" }),
    ),
  },
  {
    id: "departures-end-exclusive",
    says: "a train that departs at the end of the range is missing, so nobody catches it",
    reveal: [`${departures}&to=2026-11-02T09:00:00Z`],
    wrap: replies(
      DEPARTURES,
      rows((all, { query }) => {
        const end = Date.parse(query.get("to") ?? "");
        return all.filter(({ departsAt }) => Date.parse(String(departsAt)) !== end);
      }),
    ),
  },
  {
    id: "cursor-repeats-row",
    says: "the list continues with the departure that the cursor names and not after it, so it comes twice",
    reveal: [`${departures}&limit=1&cursor=${toCursor("2026-11-02T08:00:00Z T2-a0800-20261102")}`],
    wrap: hears(DEPARTURES, (request) => {
      const position = Buffer.from(request.query.get("cursor") ?? "", "base64url").toString();
      return request.query.has("cursor")
        ? withQuery(request, { cursor: toCursor(position.slice(0, -1)) })
        : request;
    }),
  },
  {
    id: "code-in-any-case",
    says: "asv is found as ASV, so one station has several addresses, and caches and links part",
    reveal: ["key GET /stations/asv"],
    wrap: hears([STATION, DEPARTURES], (request) => ({
      ...request,
      path: request.path.replace(
        /^\/stations\/[^/]+/,
        (start) => `/stations/${start.slice(10).toUpperCase()}`,
      ),
    })),
  },
];

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
