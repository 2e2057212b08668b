// Mutants of a single response: fields, formats, media types, statuses.
import {
  body,
  fieldAt,
  fieldLost,
  records,
  renamed,
  replies,
  statusAt,
  toDrifts,
  when,
  withHeaders,
} from "@call-media/test-setup/model-service";
import { type Museum, toId } from "../museum.ts";
import { ANY_EVENT, buy, BUY, CODE, CREATE, DELETE, event, EVENT, EVENTS, HOURS } from "./edits.ts";

const newEvent =
  '{"name":"Fair","location":"Library","eventDescription":"Books","dates":["2026-11-07"],"price":3}';

export const responses = toDrifts<Museum>({
  "close-lost": [
    "opening hours do not say when the museum closes",
    "ann GET /museum-hours",
    fieldLost(HOURS, "timeClose"),
  ],
  "open-with-seconds": [
    "timeOpen is 09:00:00, as the database has it, and clients that read HH:mm fail",
    "ann GET /museum-hours",
    fieldAt(HOURS, "timeOpen", (time: string) => `${time}:00`),
  ],
  "price-as-text": [
    "prices are texts, as the database driver gives decimals, so sums of them become nonsense",
    `ann GET ${event}`,
    fieldAt(ANY_EVENT, "price", (price: number) => price.toFixed(2)),
  ],
  "description-in-snake-case": [
    "the list has event_description, so a programme shows no descriptions",
    "ann GET /special-events",
    replies(EVENTS, records(renamed("eventDescription", "event_description"))),
  ],
  "dates-with-time": [
    "dates of one event have a time and a zone, and may become the day before when they are shown",
    `ann GET ${event}`,
    fieldAt(EVENT, "dates", (dates: string[]) => dates.map((date) => `${date}T00:00:00.000Z`)),
  ],
  "library-null": [
    "events in the library have the location null, so clients that show the text fail",
    `ann GET ${event}`,
    fieldAt(ANY_EVENT, "location", (place: string) => (place === "Library" ? null : place)),
  ],
  "list-in-envelope": [
    "the list of events is in an object with `items`, so no client finds a row",
    "ann GET /special-events",
    replies(
      EVENTS,
      body((items) => ({ items })),
    ),
  ],
  "not-found-as-html": [
    "404 is a page of HTML made by the proxy, so clients cannot read the problem",
    `ann GET /special-events/${toId("event", 999)}`,
    statusAt("*", 404, {
      status: 404,
      headers: { "content-type": "text/html" },
      body: "<html><h1>404 Not Found</h1></html>",
    }),
  ],
  "create-is-200": [
    "a created event is answered with 200, so a client that waits for 201 creates it again",
    `ann POST /special-events ${newEvent}`,
    statusAt(CREATE, 201, 200),
  ],
  "delete-with-body": [
    "a deletion is 200 with a body, which clients that expect 204 take for a failure",
    `ann DELETE ${event}`,
    statusAt(DELETE, 204, {
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"deleted":true}',
    }),
  ],
  "code-as-jpeg": [
    "the ticket's image says that it is a JPEG, so some viewers do not show it",
    [buy, `ann GET /tickets/${toId("ticket", 1)}/qr`],
    replies(CODE, when("success", withHeaders({ "content-type": "image/jpeg" }))),
  ],
  "malformed-id-500": [
    "an id that is not a UUID is 500, because the database refuses to compare it",
    "ann GET /special-events/61",
    statusAt(EVENT, 400, {
      status: 500,
      headers: { "content-type": "application/problem+json" },
      body: '{"title":"invalid input syntax for type uuid"}',
    }),
  ],
  "confirmation-lost": [
    "a ticket has no confirmation code, so nobody can prove that it is theirs",
    buy,
    fieldLost(BUY, "confirmationCode"),
  ],
  "ticket-type-capital": [
    "ticketType is General, the name of the constant, which is not one of the two values",
    buy,
    fieldAt(BUY, "ticketType", (type: string) =>
      type.replace(/^./, (first) => first.toUpperCase()),
    ),
  ],
});
