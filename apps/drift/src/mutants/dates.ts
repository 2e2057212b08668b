// Searches that read other days, and records in another order.
import { headers } from "../edits/answers.ts";
import { list, toText } from "../edits/json.ts";
import { queryOf, withQuery } from "../edits/requests.ts";
import { addDays, dayOf, searching } from "../edits/search.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { type Mutant, SEARCHES } from "./mutant.ts";

const shiftDays = (request: ProxyRequest, start: number, end: number) =>
  withQuery(request, {
    startDate: addDays(queryOf(request, "startDate"), start),
    endDate: addDays(queryOf(request, "endDate"), end),
  });

/** Only what the service took is read with other days. */
const withDays =
  (start: number, end: number): Mutate =>
  (answer, request, upstream) =>
    answer.status === 200 ? upstream.ask(shiftDays(request, start, end)) : answer;

export const dates: readonly Mutant[] = [
  {
    id: "start-ignored",
    class: "dates",
    operation: "searchMetadata",
    contract: "interface",
    says: "startDate is ignored",
    mutate: (answer, request, { ask }) =>
      answer.status === 200 ? ask(withQuery(request, { startDate: "2000-01-01" })) : answer,
  },
  {
    id: "end-ignored",
    class: "dates",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "endDate is ignored",
    mutate: (answer, request, { ask }) =>
      answer.status === 200 ? ask(withQuery(request, { endDate: "2099-12-31" })) : answer,
  },
  {
    id: "range-a-week-off",
    class: "dates",
    operation: SEARCHES,
    contract: "interface",
    says: "both days are read a week late",
    mutate: withDays(7, 7),
  },
  {
    id: "range-a-week-wide",
    class: "dates",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "a week on both sides counts in",
    mutate: withDays(-7, 7),
  },
  {
    id: "end-exclusive",
    class: "dates",
    operation: SEARCHES,
    contract: "decision",
    says: "the day endDate does not count in",
    mutate: searching({ isInRange: ({ datetime }, [, end]) => dayOf(datetime) < end }),
  },
  {
    id: "start-exclusive",
    class: "dates",
    operation: SEARCHES,
    contract: "decision",
    says: "the day startDate does not count in",
    mutate: searching({ isInRange: ({ datetime }, [start]) => dayOf(datetime) > start }),
  },
];

const TEN_MINUTES_MS = 600_000;

export const orders: readonly Mutant[] = [
  {
    id: "oldest-first",
    class: "order",
    operation: SEARCHES,
    contract: "decision",
    says: "records come oldest first",
    mutate: searching({ order: (records) => records.toReversed() }),
  },
  {
    id: "page-backwards",
    class: "order",
    operation: "searchMetadata",
    contract: "decision",
    says: "the records of each page are in the opposite order",
    mutate: list((records) => records.toReversed()),
  },
  {
    id: "by-text-of-time",
    class: "order",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "records are sorted by the text of datetime, offsets aside",
    mutate: searching({
      order: (records) =>
        records.toSorted(
          (a, b) =>
            Number(toText(a.datetime) < toText(b.datetime)) -
            Number(toText(a.datetime) > toText(b.datetime)),
        ),
    }),
  },
  {
    id: "order-by-the-hour",
    class: "order",
    operation: SEARCHES,
    contract: "decision",
    says: "records within ten minutes are sorted by agent",
    mutate: searching({
      order: (records) =>
        records.toSorted(
          (a, b) =>
            slotOf(b.datetime) - slotOf(a.datetime) ||
            toText(a.agent).localeCompare(toText(b.agent)),
        ),
    }),
  },
  {
    id: "other-zone-named",
    class: "header",
    operation: SEARCHES,
    contract: "decision",
    says: "Archive-Time-Zone names a zone in which the days of the ranges are others",
    mutate: headers(200, { "archive-time-zone": "Pacific/Auckland" }),
  },
  {
    id: "legs-oldest-first",
    class: "order",
    operation: ["getMetadataByCallId", "getMetadataByReference"],
    contract: "decision",
    says: "records of a call come oldest first",
    mutate: list((records) => records.toReversed()),
  },
  {
    id: "chat-newest-first",
    class: "order",
    operation: "getChatByCallId",
    contract: "decision",
    says: "messages come newest first",
    mutate: list((records) => records.toReversed()),
  },
];

function slotOf(datetime: unknown): number {
  return Math.floor(Date.parse(String(datetime)) / TEN_MINUTES_MS);
}
