// Mutants of the railway that no author of a checker has seen: a second measure, separate from `mutants`.
import {
  asAnybody,
  cappedPages,
  doneThough,
  insteadOf,
  isAt,
  type JsonObject,
  queryAt,
  records,
  replies,
  rows,
  staleField,
  toDrifts,
  undone,
  withSent,
} from "@call-media/test-setup/model-service";
import {
  ANY_BOOKING,
  BOOK,
  bookingOf,
  BOOKINGS,
  CANCEL,
  DEPARTURES,
  JOURNEYS,
  nextOf,
  open,
  paid,
  passenger,
  PAYMENT,
  person,
  REPLACE,
  STATIONS,
  toBookings,
} from "./mutants/edits.ts";
import { type Railway, toId } from "./railway.ts";
import { callers } from "./service.ts";

const JOURNEY = "GET /journeys/{journeyId}";
const REMOVE = "DELETE /bookings/{bookingId}/passengers/{passengerId}";

const single = `/bookings/${toId("bk", 3)}/passengers/${toId("ps", 4)}`;
const journey = "T1-a0800-20261102.ASV.HAV";
const contact = '{"email":"eve@example.com","phone":null}';
const booking = `{"journeyId":"${journey}","contact":${contact},"passengers":[{${person}}]}`;
const time = "departAfter=2026-11-02T08:00:00Z";
const departures = "key GET /stations/TAR/departures?to=2026-11-02T12:00:00Z";

export const holdOut = toDrifts<Railway>({
  "zero-time-for-null": [
    "cancelledAt is the year 1 for bookings that are not cancelled, so clients show all of them as cancelled",
    `ada GET ${open}`,
    replies(
      ANY_BOOKING,
      records((one) => ({ ...one, cancelledAt: one["cancelledAt"] ?? "0001-01-01T00:00:00Z" })),
    ),
  ],
  "next-on-inner-host": [
    "the link to the next page names the host behind the proxy, which no client reaches",
    "key GET /stations",
    nextOf([STATIONS, BOOKINGS], ({ next }) => next && `http://10.1.2.3:8080${next}`),
  ],
  "max-changes-ignored": [
    "maxChanges=0 finds journeys with a change, which a caller with a wheelchair wanted to avoid",
    `key GET /journeys?origin=ASV&destination=LOC&maxChanges=0&${time}`,
    queryAt(JOURNEYS, () => ({ maxChanges: undefined })),
  ],
  "prices-sorted-as-text": [
    "journeys sorted by price are sorted by the text of the cents, so 1060 comes before 900",
    `key GET /journeys?origin=HAV&destination=TAR&sort=price&${time}`,
    replies(
      JOURNEYS,
      rows((all, { query }) =>
        query.get("sort") === "price"
          ? all.toSorted((one, other) => (toPriceText(one) < toPriceText(other) ? -1 : 1))
          : all,
      ),
    ),
  ],
  "size-capped": [
    "a page never has more than 20 items, whatever size is asked for",
    "key GET /stations?size=50",
    cappedPages([STATIONS, BOOKINGS], "size", { most: 20, allowed: 50 }),
  ],
  "count-stale": [
    "passengerCount stays as it was when passengers are added or removed, so a seat is missing",
    [`ada POST ${open}/passengers {${person}}`, `ada GET ${open}`],
    staleField<Railway>(ANY_BOOKING, "passengerCount", ({ bookings }) =>
      [...bookings].map(([id, { passengers }]) => [id, passengers.size]),
    ),
  ],
  "replaced-passenger-has-new-id": [
    "a passenger who is replaced gets another id, so the address that the client has is 404",
    [`ada PUT ${passenger} {${person}}`, `ada GET ${passenger}`],
    (service, { bookings, newId }) =>
      (request) => {
        const reply = service(request);
        const one = bookings.get(bookingOf(request));
        if (!isAt(REPLACE, request) || reply.status !== 200 || one === undefined) return reply;
        const old = request.path.split("/")[4] ?? "";
        const id = newId("ps");
        const passengers = [...one.passengers].map(
          ([key, value]) => [key === old ? id : key, value] as const,
        );
        bookings.set(one.id, { ...one, passengers: new Map(passengers) });
        return { ...reply, body: reply.body.toString().replace(old, id) };
      },
  ],
  "cancellation-not-done": [
    "a cancellation is confirmed, and the booking is still valid and has to be paid",
    [`ada POST ${open}/cancellation`, `ada GET ${open}`],
    undone(CANCEL, toBookings, bookingOf),
  ],
  "refused-but-booked": [
    "a booking with one wrong passenger is refused, and made for the others",
    [
      `ada POST /bookings ${booking.replace("]}", `,{${person.replace("adult", "dog")}}]}`)}`,
      "ada GET /bookings",
    ],
    doneThough(422, BOOK, (request, service) =>
      service(
        withSent(request, (sent) => ({
          ...sent,
          passengers: [sent["passengers"]].flat().filter(isPassenger),
        })),
      ),
    ),
  ],
  "last-passenger-removed": [
    "the last passenger of a booking can be removed, and an empty booking remains",
    `ada DELETE ${single}`,
    insteadOf<Railway>(409, REMOVE, (request, _service, { bookings }) => {
      const one = bookings.get(bookingOf(request));
      if (one?.payment !== null || one.cancelledAt !== null) return undefined;
      bookings.set(one.id, { ...one, passengers: new Map() });
      return { status: 204, headers: {}, body: "" };
    }),
  ],
  "payment-of-others": [
    "whoever knows a booking's id reads how it was paid",
    `ben GET ${paid}/payment`,
    asAnybody(callers, PAYMENT),
  ],
  "journey-in-local-time": [
    "a journey that is read singly has local times with Z, an hour later than in the search",
    `key GET /journeys/${journey}`,
    replies(JOURNEY, (reply) => ({
      ...reply,
      body: reply.body
        .toString()
        .replaceAll(/"(\d{4}-[\d:T-]{14}Z)"/g, (_text, instant: string) => toHourLater(instant)),
    })),
  ],
  "duration-without-change": [
    "durationMinutes leaves the wait between trains out, so a journey looks shorter than it is",
    `key GET /journeys?origin=ASV&destination=LOC&${time}`,
    replies(
      [JOURNEYS, JOURNEY],
      records((one) => {
        const legs = one["legs"] as { minutes?: number }[]; // as documented
        const waiting = legs.reduce((sum, { minutes = 0 }) => sum + minutes, 0);
        return { ...one, durationMinutes: Number(one["durationMinutes"]) - waiting };
      }),
    ),
  ],
  "cursor-forgets-line": [
    "with a cursor the line is no longer looked at, so later pages have trains of other lines",
    [
      `${departures}&from=2026-11-02T08:00:00Z&line=T2&cursor=${Buffer.from("2026-11-02T08:00:00Z T2-a0800-20261102").toString("base64url")}`,
    ],
    queryAt(DEPARTURES, (query) => (query.has("cursor") ? { line: undefined } : undefined)),
  ],
  "offset-ignored": [
    "the offset of from and to is not looked at, so a caller in another zone gets trains of other hours",
    `${departures}&from=2026-11-02T10:00:00%2B02:00`,
    queryAt(DEPARTURES, (query) => {
      const toUtc = (name: string) =>
        query.get(name)?.replace(/(T[\d:]{8}(?:\.\d+)?)[+-]\d\d:\d\d$/, "$1Z");
      return { from: toUtc("from"), to: toUtc("to") };
    }),
  ],
});

function toPriceText(one: JsonObject): string {
  return String((one["price"] as { readonly cents: number }).cents); // as documented
}

function isPassenger(value: unknown): boolean {
  const { category } = { ...(value as JsonObject | undefined) };
  return category === "adult" || category === "child" || category === "senior";
}

function toHourLater(instant: string): string {
  return `"${new Date(Date.parse(instant) + 3_600_000).toISOString().replace(".000", "")}"`;
}
