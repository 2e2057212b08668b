// Mutants of the museum that no author of a checker has seen: a second measure, separate from `mutants`.
import {
  addDays,
  body,
  type Drift,
  field,
  hears,
  isAt,
  type JsonObject,
  records,
  type Reply,
  replies,
  when,
  without,
  withQuery,
  withSent,
} from "@call-media/test-setup/model-service";
import { type Museum, toId } from "./museum.ts";
import {
  BUY,
  CHANGE,
  CODE,
  CREATE,
  DELETE,
  EVENT,
  EVENTS,
  HOURS,
  idOf,
  LISTS,
  relist,
  slice,
} from "./mutants/edits.ts";
import { callers } from "./service.ts";

const event = `/special-events/${toId("event", 1)}`;
const created = `/special-events/${toId("event", 61)}`;
const buy = 'ann POST /tickets {"ticketType":"general","ticketDate":"2026-11-07"}';
const newEvent =
  '{"name":"Fête","location":"Library","eventDescription":"Books","price":3,"dates":["2026-11-07","2026-11-08","2026-11-09","2026-11-10"]}';
const wrong = `Authorization=Basic%20${Buffer.from("ann:wrong").toString("base64")}`;

export const holdOut: readonly Drift<Museum>[] = [
  {
    id: "deletion-not-done",
    says: "a deletion is confirmed, and the event is still there",
    reveal: [`ann DELETE ${event}`, `ann GET ${event}`],
    wrap:
      (service, { events }) =>
      (request) => {
        const before = events.get(idOf(request));
        const reply = service(request);
        if (isAt(DELETE, request) && before !== undefined) events.set(before.eventId, before);
        return reply;
      },
  },
  {
    id: "password-ignored",
    says: "any password will do, if the name exists",
    reveal: [`nobody GET /museum-hours ${wrong}`],
    wrap: (service) => (request) => {
      const { authorization = "" } = request.headers;
      const [, encoded = ""] = /^basic +(\S+)$/i.exec(authorization) ?? [];
      const [name = ""] = Buffer.from(encoded, "base64").toString().split(":");
      const known = callers[name]?.["Authorization"] ?? authorization;
      return service({ ...request, headers: { ...request.headers, authorization: known } });
    },
  },
  {
    id: "zero-price-ignored",
    says: "an event cannot be made free, because the code takes the price 0 for none",
    reveal: [`ann PATCH ${event} {"price":0}`],
    wrap: hears(CHANGE, (request) =>
      withSent(request, (sent) => (sent["price"] === 0 ? without("price")(sent) : sent)),
    ),
  },
  {
    id: "limit-capped",
    says: "a page never has more than 20 rows, so a caller who asked for 30 believes the list has ended",
    reveal: ["ann GET /museum-hours?limit=30"],
    wrap: hears(LISTS, (request) => {
      const limit = Number(request.query.get("limit") ?? 10);
      return limit > 20 && limit <= 30 ? withQuery(request, { limit: "20" }) : request;
    }),
  },
  {
    id: "last-page-for-ever",
    says: "every page after the last one repeats it, so a caller who reads until a page is empty never ends",
    reveal: ["ann GET /museum-hours?page=99"],
    wrap: relist(LISTS, (rows, window) => {
      const last = Math.max(1, Math.ceil(rows.length / window.limit));
      return slice(rows, { ...window, page: Math.min(window.page, last) });
    }),
  },
  {
    id: "code-as-base64",
    says: "the ticket's image comes as a text in base64, which no viewer shows",
    reveal: [buy, `ann GET /tickets/${toId("ticket", 1)}/qr`],
    wrap: replies(
      CODE,
      when("success", (reply) => ({ ...reply, body: Buffer.from(reply.body).toString("base64") })),
    ),
  },
  {
    id: "ids-not-listed",
    says: "the list has no ids, so nobody gets from it to an event",
    reveal: ["ann GET /special-events"],
    wrap: replies(EVENTS, records(without("eventId"))),
  },
  {
    id: "written-as-latin-1",
    says: "accents become two other letters when an event is written, because the driver takes UTF-8 for Latin-1",
    reveal: [`ann POST /special-events ${newEvent}`, `ann GET ${created}`],
    wrap: hears([CREATE, CHANGE], (request) => ({
      ...request,
      body: Buffer.from(request.body).toString("latin1"),
    })),
  },
  {
    id: "same-ticket-again",
    says: "a second purchase on the same day gives the first ticket again, so two people have one ticket",
    reveal: [buy, buy],
    wrap: (service) => {
      const sold = new Map<string, Reply>();
      return (request) => {
        if (!isAt(BUY, request)) return service(request);
        const key = `${request.headers["authorization"]} ${request.body}`;
        const reply = sold.get(key) ?? service(request);
        if (reply.status === 201) sold.set(key, reply);
        return reply;
      };
    },
  },
  {
    id: "read-from-old-replica",
    says: "the first read of a new event is 404, so a client that reads what it wrote fails",
    reveal: [`ann POST /special-events ${newEvent}`, `ann GET ${created}`],
    wrap: (service, { events }) => {
      const replicated = new Set(events.keys());
      return (request) => {
        const id = idOf(request);
        const isNew = isAt(EVENT, request) && events.has(id) && !replicated.has(id);
        if (!isNew) return service(request);
        replicated.add(id);
        return service({ ...request, path: `/special-events/${toId("event", 0)}` });
      };
    },
  },
  {
    id: "three-dates-kept",
    says: "an event keeps its first three dates, so nobody comes on the others",
    reveal: [`ann POST /special-events ${newEvent}`],
    wrap: hears([CREATE, CHANGE], (request) =>
      withSent(request, (sent) =>
        Array.isArray(sent["dates"]) ? { ...sent, dates: sent["dates"].slice(0, 3) } : sent,
      ),
    ),
  },
  {
    id: "hours-of-day-before",
    says: "opening hours have the date of the day before, as midnight is in another time zone",
    reveal: ["ann GET /museum-hours"],
    wrap: replies(HOURS, records(field("date", (date: string) => addDays(date, -1)))),
  },
  {
    id: "head-without-credentials",
    says: "HEAD needs no credentials, so anybody learns which events exist",
    reveal: ["nobody HEAD /museum-hours", `nobody HEAD ${event}`],
    wrap: (service) => (request) => {
      const authorization = callers["ann"]?.["Authorization"] ?? "";
      return request.isHead && !isAt(CODE, request)
        ? service({ ...request, headers: { ...request.headers, authorization } })
        : service(request);
    },
  },
  {
    id: "query-not-in-cache-key",
    says: "the cache leaves the query out of its key, so every page is the first that somebody read",
    reveal: ["ann GET /museum-hours", "ann GET /museum-hours?page=2"],
    wrap: (service) => {
      let kept: Reply | undefined;
      return (request) => {
        const reply = service(request);
        if (!isAt(HOURS, request) || reply.status !== 200) return reply;
        kept ??= reply;
        return kept;
      };
    },
  },
  {
    id: "hours-swapped",
    says: "on short days the museum closes before it opens, because two columns were swapped",
    reveal: ["ann GET /museum-hours"],
    wrap: replies(
      HOURS,
      body((value) =>
        (value as JsonObject[]).map((day) =>
          // as documented
          day["timeOpen"] === "10:00"
            ? { ...day, timeOpen: day["timeClose"], timeClose: day["timeOpen"] }
            : day,
        ),
      ),
    ),
  },
];
