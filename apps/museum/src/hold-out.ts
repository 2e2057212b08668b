// Mutants of the museum that no author of a checker has seen: a second measure, separate from `mutants`.
import {
  addDays,
  as,
  cached,
  cappedPages,
  fieldAt,
  fieldLost,
  hears,
  isAt,
  type JsonObject,
  records,
  replies,
  sentAt,
  toDrifts,
  undone,
  when,
  without,
} from "@call-media/test-setup/model-service";
import { type Museum, toId } from "./museum.ts";
import {
  BUY,
  buy,
  CHANGE,
  CODE,
  CREATE,
  created,
  DELETE,
  event,
  EVENT,
  EVENTS,
  HOURS,
  idOf,
  LISTS,
  relist,
  slice,
  toEvents,
} from "./mutants/edits.ts";
import { callers } from "./service.ts";

const newEvent =
  '{"name":"Fête","location":"Library","eventDescription":"Books","price":3,"dates":["2026-11-07","2026-11-08","2026-11-09","2026-11-10"]}';
const wrong = `Authorization=Basic%20${Buffer.from("ann:wrong").toString("base64")}`;

/** On short days the hours of opening and closing are exchanged. */
const swapped = (day: JsonObject): JsonObject =>
  day["timeOpen"] === "10:00"
    ? { ...day, timeOpen: day["timeClose"], timeClose: day["timeOpen"] }
    : day;

export const holdOut = toDrifts<Museum>({
  "deletion-not-done": [
    "a deletion is confirmed, and the event is still there",
    [`ann DELETE ${event}`, `ann GET ${event}`],
    undone(DELETE, toEvents, idOf),
  ],
  "password-ignored": [
    "any password will do, if the name exists",
    `nobody GET /museum-hours ${wrong}`,
    hears("*", (request) => {
      const [, encoded = ""] = /^basic +(\S+)$/i.exec(request.headers["authorization"] ?? "") ?? [];
      const [name = ""] = Buffer.from(encoded, "base64").toString().split(":");
      return callers[name] === undefined ? request : as(callers[name], request);
    }),
  ],
  "zero-price-ignored": [
    "an event cannot be made free, because the code takes the price 0 for none",
    `ann PATCH ${event} {"price":0}`,
    sentAt(CHANGE, (sent) => (sent["price"] === 0 ? without("price")(sent) : sent)),
  ],
  "limit-capped": [
    "a page never has more than 20 rows, so a caller who asked for 30 believes the list has ended",
    "ann GET /museum-hours?limit=30",
    cappedPages(LISTS, "limit", { most: 20, allowed: 30 }),
  ],
  "last-page-for-ever": [
    "every page after the last one repeats it, so a caller who reads until a page is empty never ends",
    "ann GET /museum-hours?page=99",
    relist(LISTS, (rows, window) => {
      const last = Math.max(1, Math.ceil(rows.length / window.limit));
      return slice(rows, { ...window, page: Math.min(window.page, last) });
    }),
  ],
  "code-as-base64": [
    "the ticket's image comes as a text in base64, which no viewer shows",
    [buy, `ann GET /tickets/${toId("ticket", 1)}/qr`],
    replies(
      CODE,
      when("success", (reply) => ({ ...reply, body: Buffer.from(reply.body).toString("base64") })),
    ),
  ],
  "ids-not-listed": [
    "the list has no ids, so nobody gets from it to an event",
    "ann GET /special-events",
    fieldLost(EVENTS, "eventId"),
  ],
  "written-as-latin-1": [
    "accents become two other letters when an event is written, because the driver takes UTF-8 for Latin-1",
    [`ann POST /special-events ${newEvent}`, `ann GET ${created}`],
    hears([CREATE, CHANGE], (request) => ({
      ...request,
      body: Buffer.from(request.body).toString("latin1"),
    })),
  ],
  "same-ticket-again": [
    "a second purchase on the same day gives the first ticket again, so two people have one ticket",
    [buy, buy],
    cached(BUY, ({ headers, body }) => `${headers["authorization"]} ${body}`),
  ],
  "read-from-old-replica": [
    "the first read of a new event is 404, so a client that reads what it wrote fails",
    [`ann POST /special-events ${newEvent}`, `ann GET ${created}`],
    (service, { events }) => {
      const replicated = new Set(events.keys());
      return (request) => {
        const id = idOf(request);
        const isNew = isAt(EVENT, request) && events.has(id) && !replicated.has(id);
        if (!isNew) return service(request);
        replicated.add(id);
        return service({ ...request, path: `/special-events/${toId("event", 0)}` });
      };
    },
  ],
  "three-dates-kept": [
    "an event keeps its first three dates, so nobody comes on the others",
    `ann POST /special-events ${newEvent}`,
    sentAt([CREATE, CHANGE], (sent) =>
      Array.isArray(sent["dates"]) ? { ...sent, dates: sent["dates"].slice(0, 3) } : sent,
    ),
  ],
  "hours-of-day-before": [
    "opening hours have the date of the day before, as midnight is in another time zone",
    "ann GET /museum-hours",
    fieldAt(HOURS, "date", (date: string) => addDays(date, -1)),
  ],
  "head-without-credentials": [
    "HEAD needs no credentials, so anybody learns which events exist",
    ["nobody HEAD /museum-hours", `nobody HEAD ${event}`],
    hears("*", (request) =>
      request.isHead && !isAt(CODE, request) ? as(callers["ann"], request) : request,
    ),
  ],
  "query-not-in-cache-key": [
    "the cache leaves the query out of its key, so every page is the first that somebody read",
    ["ann GET /museum-hours", "ann GET /museum-hours?page=2"],
    cached(HOURS, ({ path }) => path),
  ],
  "hours-swapped": [
    "on short days the museum closes before it opens, because two columns were swapped",
    "ann GET /museum-hours",
    replies(HOURS, records(swapped)),
  ],
});
