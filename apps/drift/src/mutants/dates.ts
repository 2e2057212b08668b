// Mutants that search other days or return records in another order.
import { headers } from "../edits/answers.ts";
import { list, toText } from "../edits/json.ts";
import { queryOf, withQuery } from "../edits/requests.ts";
import { addDays, dayOf, searching } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { SEARCHES, type Mutant, toMutants } from "./mutant.ts";

const shiftDays = (request: ProxyRequest, start: number, end: number) =>
  withQuery(request, {
    startDate: addDays(queryOf(request, "startDate"), start),
    endDate: addDays(queryOf(request, "endDate"), end),
  });

/** Shifts the days only of requests that the service accepted. */
const withDays =
  (start: number, end: number): Mutate =>
  (answer, request, upstream) =>
    answer.status === 200 ? upstream.ask(shiftDays(request, start, end)) : answer;

export const dates: readonly Mutant[] = [
  ...toMutants("dates", "interface", {
    "start-ignored": [
      "searchMetadata",
      "startDate is ignored",
      (answer, request, { ask }) =>
        answer.status === 200 ? ask(withQuery(request, { startDate: "2000-01-01" })) : answer,
    ],
    "end-ignored": [
      "searchMetadataByCustomFields",
      "endDate is ignored",
      (answer, request, { ask }) =>
        answer.status === 200 ? ask(withQuery(request, { endDate: "2099-12-31" })) : answer,
    ],
    "range-a-week-off": [SEARCHES, "both days are read a week late", withDays(7, 7)],
    "range-a-week-wide": [
      "searchMetadataByCustomFields",
      "a week on both sides counts in",
      withDays(-7, 7),
    ],
  }),
  ...toMutants("dates", "decision", {
    "end-exclusive": [
      SEARCHES,
      "the day endDate does not count in",
      searching({ isInRange: ({ datetime }, [, end]) => dayOf(datetime) < end }),
    ],
    "start-exclusive": [
      SEARCHES,
      "the day startDate does not count in",
      searching({ isInRange: ({ datetime }, [start]) => dayOf(datetime) > start }),
    ],
  }),
];

const TEN_MINUTES_MS = 600_000;

export const orders: readonly Mutant[] = [
  ...toMutants("order", "decision", {
    "oldest-first": [
      SEARCHES,
      "records come oldest first",
      searching({ order: (records) => records.toReversed() }),
    ],
    "page-backwards": [
      "searchMetadata",
      "the records of each page are in the opposite order",
      list((records) => records.toReversed()),
    ],
    "by-text-of-time": [
      "searchMetadataByCustomFields",
      "records are sorted by the text of datetime, offsets aside",
      searching({
        order: (records) =>
          records.toSorted(
            (a, b) =>
              Number(toText(a.datetime) < toText(b.datetime)) -
              Number(toText(a.datetime) > toText(b.datetime)),
          ),
      }),
    ],
    "order-by-the-hour": [
      SEARCHES,
      "records within ten minutes are sorted by agent",
      searching({
        order: (records) =>
          records.toSorted(
            (a, b) =>
              slotOf(b.datetime) - slotOf(a.datetime) ||
              toText(a.agent).localeCompare(toText(b.agent)),
          ),
      }),
    ],
    "legs-oldest-first": [
      ["getMetadataByCallId", "getMetadataByReference"],
      "records of a call come oldest first",
      list((records) => records.toReversed()),
    ],
    "chat-newest-first": [
      "getChatByCallId",
      "messages come newest first",
      list((records) => records.toReversed()),
    ],
  }),
  ...toMutants("header", "decision", {
    "other-zone-named": [
      SEARCHES,
      "Archive-Time-Zone names a zone in which the days of the ranges are others",
      headers(200, { "archive-time-zone": "Pacific/Auckland" }),
    ],
  }),
];

function slotOf(datetime: unknown): number {
  return Math.floor(Date.parse(String(datetime)) / TEN_MINUTES_MS);
}
