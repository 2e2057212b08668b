// Mutants of writes: lost, done although rejected, or not done although confirmed.
import {
  as,
  doneThough,
  hears,
  insteadOf,
  isAt,
  sentAt,
  toDrifts,
  undone,
  withSent,
} from "@call-media/test-setup/model-service";
import type { Museum, SpecialEvent } from "../museum.ts";
import { callers } from "../service.ts";
import { BUY, CHANGE, CREATE, created, DELETE, event, EVENTS, idOf, toEvents } from "./edits.ts";

const FIELDS = ["name", "location", "eventDescription", "dates", "price"];
const fields = '"name":"Fair","eventDescription":"Books","dates":["2026-11-07"]';

export const writes = toDrifts<Museum>({
  "change-empties-rest": [
    "a change of the price empties the fields that were not sent",
    [`ann PATCH ${event} {"price":3}`, `ann GET ${event}`],
    sentAt(CHANGE, (sent) => ({
      name: "",
      location: "",
      eventDescription: "",
      dates: [],
      ...sent,
    })),
  ],
  "change-not-kept": [
    "a change is confirmed and shown, and gone at the next read",
    [`ann PATCH ${event} {"price":3}`, `ann GET ${event}`],
    undone(CHANGE, toEvents, idOf),
  ],
  "emoji-lost": [
    "characters outside of the first plane are kept as question marks, as old MySQL tables do",
    [`ann POST /special-events {${fields},"location":"Reef 🐠","price":3}`, `ann GET ${created}`],
    hears([CREATE, CHANGE], (request) => ({
      ...request,
      body: request.body.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?"),
    })),
  ],
  "refused-but-done": [
    "a change that is refused because of one field is made for the other fields all the same",
    [`ann PATCH ${event} {"price":3,"dates":["soon"]}`, `ann GET ${event}`],
    doneThough(400, CHANGE, (request, service) => {
      for (const name of FIELDS)
        service(withSent(request, (sent) => (name in sent ? { [name]: sent[name] } : {})));
    }),
  ],
  "deleted-still-listed": [
    "a deleted event stays in the list, where it leads to 404",
    [`ann DELETE ${event}`, "ann GET /special-events?startDate=2026-11-25&endDate=2026-11-25"],
    (service, { events }) => {
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
  ],
  "created-not-listed": [
    "a created event can be read, and never appears in the list, because the search index is not told",
    [
      `ann POST /special-events {${fields},"location":"Reef","price":3}`,
      "ann GET /special-events?startDate=2026-11-07&endDate=2026-11-07&limit=30",
    ],
    (service, { events }) => {
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
  ],
  "event-ticket-without-event": [
    "an event ticket is sold without an event, and admits its buyer to nothing",
    'ann POST /tickets {"ticketType":"event","ticketDate":"2026-11-07"}',
    insteadOf(400, BUY, (request, service) => {
      let isWithout = false;
      const general = withSent(request, (sent) => {
        isWithout = sent["ticketType"] === "event" && !("eventId" in sent);
        return { ...sent, ticketType: "general" };
      });
      const sold = isWithout ? service(general) : undefined;
      return sold && { ...sold, body: sold.body.toString().replaceAll("general", "event") };
    }),
  ],
  "delete-without-credentials": [
    "a deletion without credentials is answered with 401, and done",
    [`nobody DELETE ${event}`, `ann GET ${event}`],
    doneThough(401, DELETE, (request, service) => service(as(callers["ann"], request))),
  ],
});
