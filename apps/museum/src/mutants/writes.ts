// Mutants of writes: lost, done although rejected, or not done although confirmed.
import {
  type Drift,
  hears,
  isAt,
  type Request,
  type Service,
  withSent,
  type Wrap,
} from "@call-media/test-setup/model-service";
import { type Museum, type SpecialEvent, toId } from "../museum.ts";
import { callers } from "../service.ts";
import { BUY, CHANGE, CREATE, DELETE, EVENTS, idOf } from "./edits.ts";

const event = `/special-events/${toId("event", 1)}`;
const created = `/special-events/${toId("event", 61)}`;
const fields = '"name":"Fair","eventDescription":"Books","dates":["2026-11-07"]';

export const writes: readonly Drift<Museum>[] = [
  {
    id: "change-empties-rest",
    says: "a change of the price empties the fields that were not sent",
    reveal: [`ann PATCH ${event} {"price":3}`, `ann GET ${event}`],
    wrap: hears(CHANGE, (request) =>
      withSent(request, (sent) => ({
        name: "",
        location: "",
        eventDescription: "",
        dates: [],
        ...sent,
      })),
    ),
  },
  {
    id: "change-not-kept",
    says: "a change is confirmed and shown, and gone at the next read",
    reveal: [`ann PATCH ${event} {"price":3}`, `ann GET ${event}`],
    wrap: undone(CHANGE),
  },
  {
    id: "emoji-lost",
    says: "characters outside of the first plane are kept as question marks, as old MySQL tables do",
    reveal: [
      `ann POST /special-events {${fields},"location":"Reef 🐠","price":3}`,
      `ann GET ${created}`,
    ],
    wrap: hears([CREATE, CHANGE], (request) => ({
      ...request,
      body: request.body.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?"),
    })),
  },
  {
    id: "refused-but-done",
    says: "a change that is refused because of one field is made for the other fields all the same",
    reveal: [`ann PATCH ${event} {"price":3,"dates":["soon"]}`, `ann GET ${event}`],
    wrap: (service) => (request) => {
      const reply = service(request);
      if (isAt(CHANGE, request) && reply.status === 400) sendEach(service, request);
      return reply;
    },
  },
  {
    id: "deleted-still-listed",
    says: "a deleted event stays in the list, where it leads to 404",
    reveal: [
      `ann DELETE ${event}`,
      "ann GET /special-events?startDate=2026-11-25&endDate=2026-11-25",
    ],
    wrap: (service, { events }) => {
      const deleted = new Map<string, SpecialEvent>();
      return (request) => {
        const before = events.get(idOf(request));
        if (isAt(EVENTS, request)) for (const [id, one] of deleted) events.set(id, one);
        const reply = service(request);
        if (isAt(DELETE, request) && before !== undefined && reply.status === 204)
          deleted.set(before.eventId, before);
        for (const id of deleted.keys()) events.delete(id);
        return reply;
      };
    },
  },
  {
    id: "created-not-listed",
    says: "a created event can be read, and never appears in the list, because the search index is not told",
    reveal: [
      `ann POST /special-events {${fields},"location":"Reef","price":3}`,
      "ann GET /special-events?startDate=2026-11-07&endDate=2026-11-07&limit=30",
    ],
    wrap: (service, { events }) => {
      const indexed = new Set(events.keys());
      return (request) => {
        if (!isAt(EVENTS, request)) return service(request);
        const all = [...events];
        for (const [id] of all) if (!indexed.has(id)) events.delete(id);
        const reply = service(request);
        for (const [id, one] of all) events.set(id, one);
        return reply;
      };
    },
  },
  {
    id: "event-ticket-without-event",
    says: "an event ticket is sold without an event, and admits its buyer to nothing",
    reveal: ['ann POST /tickets {"ticketType":"event","ticketDate":"2026-11-07"}'],
    wrap: (service) => (request) => {
      const reply = service(request);
      if (!isAt(BUY, request) || reply.status !== 400) return reply;
      let isWithout = false;
      const general = withSent(request, (sent) => {
        isWithout = sent["ticketType"] === "event" && !("eventId" in sent);
        return { ...sent, ticketType: "general" };
      });
      const sold = isWithout ? service(general) : reply;
      return { ...sold, body: sold.body.toString().replaceAll("general", "event") };
    },
  },
  {
    id: "delete-without-credentials",
    says: "a deletion without credentials is answered with 401, and done",
    reveal: [`nobody DELETE ${event}`, `ann GET ${event}`],
    wrap: (service) => (request) => {
      const reply = service(request);
      const authorization = callers["ann"]?.["Authorization"] ?? "";
      if (isAt(DELETE, request) && reply.status === 401)
        service({ ...request, headers: { ...request.headers, authorization } });
      return reply;
    },
  },
];

/** Returns the correct reply, but restores the event. */
function undone(where: string): Wrap<Museum> {
  return (service, { events }) =>
    (request) => {
      const before = events.get(idOf(request));
      const reply = service(request);
      if (isAt(where, request) && before !== undefined) events.set(before.eventId, before);
      return reply;
    };
}

function sendEach(service: Service, request: Request): void {
  for (const name of ["name", "location", "eventDescription", "dates", "price"])
    service(withSent(request, (sent) => (name in sent ? { [name]: sent[name] } : {})));
}
