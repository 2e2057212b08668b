// Mutants of a single response: fields, formats, headers, statuses.
import {
  type Drift,
  field,
  type JsonObject,
  records,
  renamed,
  replies,
  when,
  withHeaders,
  without,
} from "@call-media/test-setup/model-service";
import { type Railway, toId } from "../railway.ts";
import {
  ADD,
  ANY_BOOKING,
  BOOK,
  BOOKING,
  DEPARTURES,
  JOURNEYS,
  LINE,
  PAY,
  PAYMENT,
  STATION,
  STATIONS,
} from "./edits.ts";

const open = `/bookings/${toId("bk", 1)}`;
const person = '{"givenName":"Eve","familyName":"Berg","category":"adult"}';
const card = '{"method":"card","number":"4000123412341234","expires":"09/29"}';
const departures = "key GET /stations/TAR/departures?from=2026-11-02T08:00:00Z";

export const responses: readonly Drift<Railway>[] = [
  {
    id: "platforms-as-text",
    says: "the number of platforms is a text, so a client that compares numbers fails",
    reveal: ["key GET /stations"],
    wrap: replies([STATIONS, STATION], records(field("platforms", String))),
  },
  {
    id: "accessible-renamed",
    says: "a station has isAccessible, as the new class names it, so people in wheelchairs see no station that they can use",
    reveal: ["key GET /stations/ASV"],
    wrap: replies(STATION, records(renamed("accessible", "isAccessible"))),
  },
  {
    id: "unknown-opening-absent",
    says: "openedOn is absent where it should be null, because the serializer leaves nulls out",
    reveal: ["key GET /stations"],
    wrap: replies(
      [STATIONS, STATION],
      records((station) => (station["openedOn"] === null ? without("openedOn")(station) : station)),
    ),
  },
  {
    id: "departure-with-offset",
    says: "departures have +00:00 in place of Z, so clients that compare texts sort them wrongly",
    reveal: [departures],
    wrap: replies(
      DEPARTURES,
      records(field("departsAt", (time: string) => time.replace("Z", "+00:00"))),
    ),
  },
  {
    id: "status-as-constant",
    says: "a departure's status is ON_TIME, so no client knows it",
    reveal: [departures],
    wrap: replies(
      DEPARTURES,
      records(field("status", (status: string) => status.toUpperCase().replace("-", "_"))),
    ),
  },
  {
    id: "leg-without-kind",
    says: "the legs of a journey do not say what they are, so a client cannot tell a ride from a change",
    reveal: ["key GET /journeys?origin=ASV&destination=HAV&departAfter=2026-11-02T08:00:00Z"],
    wrap: replies(
      JOURNEYS,
      records(field("legs", (legs: JsonObject[]) => legs.map(without("kind")))),
    ),
  },
  {
    id: "total-as-decimal",
    says: "a booking's total is a decimal number of euros in place of cents and currency",
    reveal: [`ada GET ${open}`],
    wrap: replies(
      ANY_BOOKING,
      records(field("total", ({ cents }: { cents: number }) => cents / 100)),
    ),
  },
  {
    id: "location-lost",
    says: "the proxy removes Location, so a client does not know where its booking is",
    reveal: [`ada POST ${open}/passengers ${person}`],
    wrap: replies([BOOK, ADD], withHeaders({ location: undefined })),
  },
  {
    id: "etag-without-quotes",
    says: "ETags have no quotes, so caches and clients that parse them drop them",
    reveal: [`ada GET ${open}`],
    wrap: replies(BOOKING, (reply, request, service) =>
      withHeaders({ etag: reply.headers["etag"]?.replaceAll('"', "") })(reply, request, service),
    ),
  },
  {
    id: "problem-with-other-status",
    says: "the problem's status is 500 whatever the status line says, so logs and alerts count wrongly",
    reveal: ["key GET /stations/ZZZ"],
    wrap: replies(
      "*",
      when(404, (reply) => ({
        ...reply,
        body: reply.body.toString().replace('"status":404', '"status":500'),
      })),
    ),
  },
  {
    id: "no-challenge",
    says: "401 does not say which credentials are wanted, so libraries do not send them",
    reveal: ["nobody GET /bookings"],
    wrap: replies("*", when(401, withHeaders({ "www-authenticate": undefined }))),
  },
  {
    id: "paid-is-200",
    says: "a payment is answered with 200, so a client that waits for 201 believes it has failed",
    reveal: [`ada PUT ${open}/payment ${card}`],
    wrap: replies(
      PAY,
      when(201, (reply) => ({ ...reply, status: 200 })),
    ),
  },
  {
    id: "card-ending-as-number",
    says: "cardEnding is a number, so 0012 becomes 12",
    reveal: [`ada PUT ${open}/payment ${card.replace('1234"', '0012"')}`],
    wrap: replies([PAY, PAYMENT], records(field("cardEnding", Number))),
  },
  {
    id: "unknown-line-is-200",
    says: "a line that does not exist is 200 with an error text, so a client shows a line without stations",
    reveal: ["key GET /lines/Z9"],
    wrap: replies(
      LINE,
      when(404, () => ({
        status: 200,
        headers: { "content-type": "application/json", etag: '"error"' },
        body: '{"error":"line not found"}',
      })),
    ),
  },
];
