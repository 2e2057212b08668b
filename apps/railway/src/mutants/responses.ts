// Mutants of a single response: fields, formats, headers, statuses.
import {
  fieldAt,
  type JsonObject,
  records,
  renamed,
  replies,
  statusAt,
  toDrifts,
  when,
  withHeaders,
  without,
} from "@call-media/test-setup/model-service";
import type { Railway } from "../railway.ts";
import {
  ADD,
  ANY_BOOKING,
  BOOK,
  BOOKING,
  DEPARTURES,
  departures,
  JOURNEYS,
  LINE,
  open,
  PAY,
  PAYMENT,
  person,
  STATION,
  STATIONS,
} from "./edits.ts";

const card = '{"method":"card","number":"4000123412341234","expires":"09/29"}';

export const responses = toDrifts<Railway>({
  "platforms-as-text": [
    "the number of platforms is a text, so a client that compares numbers fails",
    "key GET /stations",
    fieldAt([STATIONS, STATION], "platforms", String),
  ],
  "accessible-renamed": [
    "a station has isAccessible, as the new class names it, so people in wheelchairs see no station that they can use",
    "key GET /stations/ASV",
    replies(STATION, records(renamed("accessible", "isAccessible"))),
  ],
  "unknown-opening-absent": [
    "openedOn is absent where it should be null, because the serializer leaves nulls out",
    "key GET /stations",
    replies(
      [STATIONS, STATION],
      records((station) => (station["openedOn"] === null ? without("openedOn")(station) : station)),
    ),
  ],
  "departure-with-offset": [
    "departures have +00:00 in place of Z, so clients that compare texts sort them wrongly",
    departures,
    fieldAt(DEPARTURES, "departsAt", (time: string) => time.replace("Z", "+00:00")),
  ],
  "status-as-constant": [
    "a departure's status is ON_TIME, so no client knows it",
    departures,
    fieldAt(DEPARTURES, "status", (status: string) => status.toUpperCase().replace("-", "_")),
  ],
  "leg-without-kind": [
    "the legs of a journey do not say what they are, so a client cannot tell a ride from a change",
    "key GET /journeys?origin=ASV&destination=HAV&departAfter=2026-11-02T08:00:00Z",
    fieldAt(JOURNEYS, "legs", (legs: JsonObject[]) => legs.map(without("kind"))),
  ],
  "total-as-decimal": [
    "a booking's total is a decimal number of euros in place of cents and currency",
    `ada GET ${open}`,
    fieldAt(ANY_BOOKING, "total", ({ cents }: { cents: number }) => cents / 100),
  ],
  "location-lost": [
    "the proxy removes Location, so a client does not know where its booking is",
    `ada POST ${open}/passengers {${person}}`,
    replies([BOOK, ADD], withHeaders({ location: undefined })),
  ],
  "etag-without-quotes": [
    "ETags have no quotes, so caches and clients that parse them drop them",
    `ada GET ${open}`,
    replies(BOOKING, (reply, request, service) =>
      withHeaders({ etag: reply.headers["etag"]?.replaceAll('"', "") })(reply, request, service),
    ),
  ],
  "problem-with-other-status": [
    "the problem's status is 500 whatever the status line says, so logs and alerts count wrongly",
    "key GET /stations/ZZZ",
    replies(
      "*",
      when(404, (reply) => ({
        ...reply,
        body: reply.body.toString().replace('"status":404', '"status":500'),
      })),
    ),
  ],
  "no-challenge": [
    "401 does not say which credentials are wanted, so libraries do not send them",
    "nobody GET /bookings",
    replies("*", when(401, withHeaders({ "www-authenticate": undefined }))),
  ],
  "paid-is-200": [
    "a payment is answered with 200, so a client that waits for 201 believes it has failed",
    `ada PUT ${open}/payment ${card}`,
    statusAt(PAY, 201, 200),
  ],
  "card-ending-as-number": [
    "cardEnding is a number, so 0012 becomes 12",
    `ada PUT ${open}/payment ${card.replace('1234"', '0012"')}`,
    fieldAt([PAY, PAYMENT], "cardEnding", Number),
  ],
  "unknown-line-is-200": [
    "a line that does not exist is 200 with an error text, so a client shows a line without stations",
    "key GET /lines/Z9",
    statusAt(LINE, 404, {
      status: 200,
      headers: { "content-type": "application/json", etag: '"error"' },
      body: '{"error":"line not found"}',
    }),
  ],
});
