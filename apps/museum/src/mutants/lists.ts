// Mutants of lists: pages, ranges, defaults, order, and rows that differ from single reads.
import {
  addDays,
  fieldAt,
  queryAt,
  toDrifts,
  withDefaults,
} from "@call-media/test-setup/model-service";
import type { Museum } from "../museum.ts";
import { datesOf, EVENTS, HOURS, LISTS, relist, slice, type Window } from "./edits.ts";

const WIDE = "startDate=2026-11-01&endDate=2027-02-01";
const DECEMBER = "ann GET /special-events?startDate=2026-12-01&endDate=2026-12-31";
const EVER = { startDate: "2000-01-01", endDate: "2999-12-31" };

const isInRange =
  ({ start, end }: Window) =>
  (date: string) =>
    date >= start && date <= end;

export const lists = toDrifts<Museum>({
  "page-repeats-row": [
    "every page after the first begins with the last row of the one before, so an export has rows twice",
    `ann GET /special-events?${WIDE}&page=2`,
    relist(LISTS, (rows, { page, limit }) => {
      const start = Math.max(0, (page - 1) * limit - 1);
      return rows.slice(start, start + limit);
    }),
  ],
  "page-from-zero": [
    "page=1 is the second page, so a caller who counts from 1 never sees the first rows",
    "ann GET /museum-hours?page=1",
    queryAt(LISTS, (query) => {
      const page = Number(query.get("page") ?? 0);
      return page > 0 ? { page: String(page + 1) } : undefined;
    }),
  ],
  "default-limit-25": [
    "a page without limit has 25 rows, so a caller who expects ten reads most rows twice",
    "ann GET /museum-hours",
    withDefaults(LISTS, { limit: "25" }),
  ],
  "last-page-lost": [
    "the last page is empty unless it is full, so nobody ever sees the last rows",
    `ann GET /special-events?${WIDE}&limit=25&page=3`,
    relist(LISTS, (rows, window) =>
      window.page > Math.floor(rows.length / window.limit) ? [] : slice(rows, window),
    ),
  ],
  "order-changes": [
    "every second page is cut from another order, so rows come twice and others never",
    `ann GET /special-events?${WIDE}&page=2`,
    relist([EVENTS], (rows, window) =>
      slice(window.page % 2 === 0 ? rows.toReversed() : rows, window),
    ),
  ],
  "filter-after-page": [
    "pages are cut before the range is applied, so they have gaps and a caller stops at the first empty one",
    DECEMBER,
    relist(
      [EVENTS],
      (rows, window) => slice(rows, window).filter((row) => datesOf(row).some(isInRange(window))),
      EVER,
    ),
  ],
  "end-exclusive": [
    "events on endDate are left out, so a caller who asks for one day gets none",
    "ann GET /special-events?startDate=2026-11-07&endDate=2026-11-07",
    relist([EVENTS], (rows, window) => {
      const isBefore = (date: string) => date >= window.start && date < window.end;
      return slice(
        rows.filter((row) => datesOf(row).some(isBefore)),
        window,
      );
    }),
  ],
  "start-exclusive": [
    "opening hours begin on the day after startDate, so today's are not to be had",
    "ann GET /museum-hours?startDate=2026-11-07&limit=1",
    relist([HOURS], (rows, window) =>
      slice(
        rows.filter(({ date }) => date !== window.start),
        window,
      ),
    ),
  ],
  "default-range-30-days": [
    "without endDate the range has 30 days and not seven, so a weekly programme shows a month",
    "ann GET /special-events?limit=30",
    (service, { today }) =>
      queryAt(EVENTS, (query) => ({
        endDate:
          query.get("endDate") ?? (addDays(query.get("startDate") ?? today, 30) || "2000-01-01"),
      }))(service, undefined),
  ],
  "past-by-default": [
    "without startDate the opening hours begin in the past, so a sign at the door shows last week",
    "ann GET /museum-hours",
    withDefaults(HOURS, { startDate: "2000-01-01" }),
  ],
  "first-date-only": [
    "events are found by their first date alone, so the later days of a series are missing",
    DECEMBER,
    relist([EVENTS], (rows, window) =>
      slice(
        rows.filter((row) => (datesOf(row)[0] ?? "") >= window.start),
        window,
      ),
    ),
  ],
  "row-for-each-date": [
    "an event comes once for each of its dates in the range, so a programme shows it several times",
    `ann GET /special-events?${WIDE}`,
    relist([EVENTS], (rows, window) =>
      slice(
        rows.flatMap((row) =>
          datesOf(row)
            .filter(isInRange(window))
            .map(() => row),
        ),
        window,
      ),
    ),
  ],
  "impossible-date-rolls": [
    "startDate=2026-02-30 counts as 2 March, so a mistake is answered with other days and not with 400",
    "ann GET /museum-hours?startDate=2026-11-31",
    queryAt(LISTS, (query) => {
      const [year, month, day] = (query.get("startDate") ?? "").split("-").map(Number);
      const date = new Date(Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day));
      const isDate = !Number.isNaN(date.getTime());
      return isDate ? { startDate: date.toISOString().slice(0, 10) } : undefined;
    }),
  ],
  "list-price-in-cents": [
    "the list has prices in cents, so an event costs a hundred times as much as on its own page",
    "ann GET /special-events",
    fieldAt(EVENTS, "price", (price: number) => price * 100),
  ],
});
