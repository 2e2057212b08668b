// Mutants of a single response: fields, formats, media types, statuses.
import {
  body,
  type Drift,
  field,
  records,
  renamed,
  replies,
  when,
  withHeaders,
  without,
} from "@call-media/test-setup/model-service";
import { type Museum, toId } from "../museum.ts";
import { ANY_EVENT, BUY, CODE, CREATE, DELETE, EVENT, EVENTS, HOURS } from "./edits.ts";

const event = `/special-events/${toId("event", 1)}`;
const newEvent =
  '{"name":"Fair","location":"Library","eventDescription":"Books","dates":["2026-11-07"],"price":3}';
const buy = 'ann POST /tickets {"ticketType":"general","ticketDate":"2026-11-07"}';

export const responses: readonly Drift<Museum>[] = [
  {
    id: "close-lost",
    says: "opening hours do not say when the museum closes",
    reveal: ["ann GET /museum-hours"],
    wrap: replies(HOURS, records(without("timeClose"))),
  },
  {
    id: "open-with-seconds",
    says: "timeOpen is 09:00:00, as the database has it, and clients that read HH:mm fail",
    reveal: ["ann GET /museum-hours"],
    wrap: replies(HOURS, records(field("timeOpen", (time: string) => `${time}:00`))),
  },
  {
    id: "price-as-text",
    says: "prices are texts, as the database driver gives decimals, so sums of them become nonsense",
    reveal: [`ann GET ${event}`],
    wrap: replies(ANY_EVENT, records(field("price", (price: number) => price.toFixed(2)))),
  },
  {
    id: "description-in-snake-case",
    says: "the list has event_description, so a programme shows no descriptions",
    reveal: ["ann GET /special-events"],
    wrap: replies(EVENTS, records(renamed("eventDescription", "event_description"))),
  },
  {
    id: "dates-with-time",
    says: "dates of one event have a time and a zone, and may become the day before when they are shown",
    reveal: [`ann GET ${event}`],
    wrap: replies(
      EVENT,
      records(field("dates", (dates: string[]) => dates.map((date) => `${date}T00:00:00.000Z`))),
    ),
  },
  {
    id: "library-null",
    says: "events in the library have the location null, so clients that show the text fail",
    reveal: [`ann GET ${event}`],
    wrap: replies(
      ANY_EVENT,
      records(field("location", (location: string) => (location === "Library" ? null : location))),
    ),
  },
  {
    id: "list-in-envelope",
    says: "the list of events is in an object with `items`, so no client finds a row",
    reveal: ["ann GET /special-events"],
    wrap: replies(
      EVENTS,
      body((items) => ({ items })),
    ),
  },
  {
    id: "not-found-as-html",
    says: "404 is a page of HTML made by the proxy, so clients cannot read the problem",
    reveal: [`ann GET /special-events/${toId("event", 999)}`],
    wrap: replies(
      "*",
      when(404, (reply) => ({
        ...reply,
        headers: { "content-type": "text/html" },
        body: "<html><h1>404 Not Found</h1></html>",
      })),
    ),
  },
  {
    id: "create-is-200",
    says: "a created event is answered with 200, so a client that waits for 201 creates it again",
    reveal: [`ann POST /special-events ${newEvent}`],
    wrap: replies(
      CREATE,
      when(201, (reply) => ({ ...reply, status: 200 })),
    ),
  },
  {
    id: "delete-with-body",
    says: "a deletion is 200 with a body, which clients that expect 204 take for a failure",
    reveal: [`ann DELETE ${event}`],
    wrap: replies(
      DELETE,
      when(204, () => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body: '{"deleted":true}',
      })),
    ),
  },
  {
    id: "code-as-jpeg",
    says: "the ticket's image says that it is a JPEG, so some viewers do not show it",
    reveal: [buy, `ann GET /tickets/${toId("ticket", 1)}/qr`],
    wrap: replies(CODE, when("success", withHeaders({ "content-type": "image/jpeg" }))),
  },
  {
    id: "malformed-id-500",
    says: "an id that is not a UUID is 500, because the database refuses to compare it",
    reveal: ["ann GET /special-events/61"],
    wrap: replies(
      EVENT,
      when(400, () => ({
        status: 500,
        headers: { "content-type": "application/problem+json" },
        body: '{"title":"invalid input syntax for type uuid"}',
      })),
    ),
  },
  {
    id: "confirmation-lost",
    says: "a ticket has no confirmation code, so nobody can prove that it is theirs",
    reveal: [buy],
    wrap: replies(BUY, records(without("confirmationCode"))),
  },
  {
    id: "ticket-type-capital",
    says: "ticketType is General, the name of the constant, which is not one of the two values",
    reveal: [buy],
    wrap: replies(
      BUY,
      records(
        field("ticketType", (type: string) => type.replace(/^./, (first) => first.toUpperCase())),
      ),
    ),
  },
];
