// Mutants of lists: pages, ranges, defaults, order, and rows that differ from single reads.
import {
  addDays,
  type Drift,
  field,
  hears,
  records,
  replies,
  withQuery,
} from "@call-media/test-setup/model-service";
import type { Museum } from "../museum.ts";
import { datesOf, EVENTS, HOURS, LISTS, relist, slice } from "./edits.ts";

const WIDE = "startDate=2026-11-01&endDate=2027-02-01";
const EVER = { startDate: "2000-01-01", endDate: "2999-12-31" };

export const lists: readonly Drift<Museum>[] = [
  {
    id: "page-repeats-row",
    says: "every page after the first begins with the last row of the one before, so an export has rows twice",
    reveal: [`ann GET /special-events?${WIDE}&page=2`],
    wrap: relist(LISTS, (rows, { page, limit }) => {
      const start = Math.max(0, (page - 1) * limit - 1);
      return rows.slice(start, start + limit);
    }),
  },
  {
    id: "page-from-zero",
    says: "page=1 is the second page, so a caller who counts from 1 never sees the first rows",
    reveal: ["ann GET /museum-hours?page=1"],
    wrap: hears(LISTS, (request) => {
      const page = Number(request.query.get("page") ?? 0);
      return page > 0 ? withQuery(request, { page: String(page + 1) }) : request;
    }),
  },
  {
    id: "default-limit-25",
    says: "a page without limit has 25 rows, so a caller who expects ten reads most rows twice",
    reveal: ["ann GET /museum-hours"],
    wrap: hears(LISTS, (request) =>
      withQuery(request, { limit: request.query.get("limit") ?? "25" }),
    ),
  },
  {
    id: "last-page-lost",
    says: "the last page is empty unless it is full, so nobody ever sees the last rows",
    reveal: [`ann GET /special-events?${WIDE}&limit=25&page=3`],
    wrap: relist(LISTS, (rows, window) =>
      window.page > Math.floor(rows.length / window.limit) ? [] : slice(rows, window),
    ),
  },
  {
    id: "order-changes",
    says: "every second page is cut from another order, so rows come twice and others never",
    reveal: [`ann GET /special-events?${WIDE}&page=2`],
    wrap: relist([EVENTS], (rows, window) =>
      slice(window.page % 2 === 0 ? rows.toReversed() : rows, window),
    ),
  },
  {
    id: "filter-after-page",
    says: "pages are cut before the range is applied, so they have gaps and a caller stops at the first empty one",
    reveal: ["ann GET /special-events?startDate=2026-12-01&endDate=2026-12-31"],
    wrap: relist(
      [EVENTS],
      (rows, window) =>
        slice(rows, window).filter((row) =>
          datesOf(row).some((date) => date >= window.start && date <= window.end),
        ),
      EVER,
    ),
  },
  {
    id: "end-exclusive",
    says: "events on endDate are left out, so a caller who asks for one day gets none",
    reveal: ["ann GET /special-events?startDate=2026-11-07&endDate=2026-11-07"],
    wrap: relist([EVENTS], (rows, window) =>
      slice(
        rows.filter((row) =>
          datesOf(row).some((date) => date >= window.start && date < window.end),
        ),
        window,
      ),
    ),
  },
  {
    id: "start-exclusive",
    says: "opening hours begin on the day after startDate, so today's are not to be had",
    reveal: ["ann GET /museum-hours?startDate=2026-11-07&limit=1"],
    wrap: relist([HOURS], (rows, window) =>
      slice(
        rows.filter(({ date }) => date !== window.start),
        window,
      ),
    ),
  },
  {
    id: "default-range-30-days",
    says: "without endDate the range has 30 days and not seven, so a weekly programme shows a month",
    reveal: ["ann GET /special-events?limit=30"],
    wrap: (service, { today }) =>
      hears(EVENTS, (request) => {
        const { query } = request;
        const end = addDays(query.get("startDate") ?? today, 30);
        return withQuery(request, { endDate: query.get("endDate") ?? (end || "2000-01-01") });
      })(service, undefined),
  },
  {
    id: "past-by-default",
    says: "without startDate the opening hours begin in the past, so a sign at the door shows last week",
    reveal: ["ann GET /museum-hours"],
    wrap: hears(HOURS, (request) =>
      withQuery(request, { startDate: request.query.get("startDate") ?? "2000-01-01" }),
    ),
  },
  {
    id: "first-date-only",
    says: "events are found by their first date alone, so the later days of a series are missing",
    reveal: ["ann GET /special-events?startDate=2026-12-01&endDate=2026-12-31"],
    wrap: relist([EVENTS], (rows, window) =>
      slice(
        rows.filter((row) => (datesOf(row)[0] ?? "") >= window.start),
        window,
      ),
    ),
  },
  {
    id: "row-for-each-date",
    says: "an event comes once for each of its dates in the range, so a programme shows it several times",
    reveal: [`ann GET /special-events?${WIDE}`],
    wrap: relist([EVENTS], (rows, window) => {
      const isInRange = (date: string) => date >= window.start && date <= window.end;
      const repeated = rows.flatMap((row) =>
        datesOf(row)
          .filter(isInRange)
          .map(() => row),
      );
      return slice(repeated, window);
    }),
  },
  {
    id: "impossible-date-rolls",
    says: "startDate=2026-02-30 counts as 2 March, so a mistake is answered with other days and not with 400",
    reveal: ["ann GET /museum-hours?startDate=2026-11-31"],
    wrap: hears(LISTS, (request) => {
      const [year, month, day] = (request.query.get("startDate") ?? "").split("-").map(Number);
      const date = new Date(Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day));
      const isDate = !Number.isNaN(date.getTime());
      return isDate ? withQuery(request, { startDate: date.toISOString().slice(0, 10) }) : request;
    }),
  },
  {
    id: "list-price-in-cents",
    says: "the list has prices in cents, so an event costs a hundred times as much as on its own page",
    reveal: ["ann GET /special-events"],
    wrap: replies(EVENTS, records(field("price", (price: number) => price * 100))),
  },
];
