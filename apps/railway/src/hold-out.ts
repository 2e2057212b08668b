// Mutants of the railway that no author of a checker has seen: a second measure, separate from `mutants`.
import {
  body,
  type Drift,
  hears,
  isAt,
  type JsonObject,
  records,
  replies,
  rows,
  withQuery,
  withSent,
} from "@call-media/test-setup/model-service";
import {
  ANY_BOOKING,
  asAnybody,
  BOOK,
  bookingOf,
  BOOKINGS,
  CANCEL,
  DEPARTURES,
  JOURNEYS,
  PAYMENT,
  REPLACE,
  STATIONS,
} from "./mutants/edits.ts";
import { type Railway, toId } from "./railway.ts";

const JOURNEY = "GET /journeys/{journeyId}";
const REMOVE = "DELETE /bookings/{bookingId}/passengers/{passengerId}";

const [open, paid] = [`/bookings/${toId("bk", 1)}`, `/bookings/${toId("bk", 2)}`];
const passenger = `${open}/passengers/${toId("ps", 1)}`;
const person = '{"givenName":"Eve","familyName":"Berg","category":"adult"}';
const single = `/bookings/${toId("bk", 3)}/passengers/${toId("ps", 4)}`;
const journey = "T1-a0800-20261102.ASV.HAV";
const contact = '{"email":"eve@example.com","phone":null}';
const booking = `{"journeyId":"${journey}","contact":${contact},"passengers":[${person}]}`;
const time = "departAfter=2026-11-02T08:00:00Z";
const departures = "key GET /stations/TAR/departures?to=2026-11-02T12:00:00Z";

export const holdOut: readonly Drift<Railway>[] = [
  {
    id: "zero-time-for-null",
    says: "cancelledAt is the year 1 for bookings that are not cancelled, so clients show all of them as cancelled",
    reveal: [`ada GET ${open}`],
    wrap: replies(
      ANY_BOOKING,
      records((one) => ({ ...one, cancelledAt: one["cancelledAt"] ?? "0001-01-01T00:00:00Z" })),
    ),
  },
  {
    id: "next-on-inner-host",
    says: "the link to the next page names the host behind the proxy, which no client reaches",
    reveal: ["key GET /stations"],
    wrap: replies(
      [STATIONS, BOOKINGS],
      body((value) => {
        const page = value as { readonly next: string | null }; // as documented
        return { ...page, next: page.next && `http://10.1.2.3:8080${page.next}` };
      }),
    ),
  },
  {
    id: "max-changes-ignored",
    says: "maxChanges=0 finds journeys with a change, which a caller with a wheelchair wanted to avoid",
    reveal: [`key GET /journeys?origin=ASV&destination=LOC&maxChanges=0&${time}`],
    wrap: hears(JOURNEYS, (request) => withQuery(request, { maxChanges: undefined })),
  },
  {
    id: "prices-sorted-as-text",
    says: "journeys sorted by price are sorted by the text of the cents, so 1060 comes before 900",
    reveal: [`key GET /journeys?origin=HAV&destination=TAR&sort=price&${time}`],
    wrap: replies(
      JOURNEYS,
      rows((all, { query }) =>
        query.get("sort") === "price"
          ? all.toSorted((one, other) => (toPriceText(one) < toPriceText(other) ? -1 : 1))
          : all,
      ),
    ),
  },
  {
    id: "size-capped",
    says: "a page never has more than 20 items, whatever size is asked for",
    reveal: ["key GET /stations?size=50"],
    wrap: hears([STATIONS, BOOKINGS], (request) => {
      const size = Number(request.query.get("size") ?? 20);
      return size > 20 && size <= 50 ? withQuery(request, { size: "20" }) : request;
    }),
  },
  {
    id: "count-stale",
    says: "passengerCount stays as it was when passengers are added or removed, so a seat is missing",
    reveal: [`ada POST ${open}/passengers ${person}`, `ada GET ${open}`],
    wrap: (service, { bookings }) => {
      const counts = new Map<unknown, unknown>();
      for (const [id, { passengers }] of bookings) counts.set(id, passengers.size);
      const keep = (one: JsonObject): JsonObject => {
        const passengerCount = counts.get(one["id"]) ?? one["passengerCount"];
        counts.set(one["id"], passengerCount);
        return { ...one, passengerCount };
      };
      return replies(ANY_BOOKING, records(keep))(service, undefined);
    },
  },
  {
    id: "replaced-passenger-has-new-id",
    says: "a passenger who is replaced gets another id, so the address that the client has is 404",
    reveal: [`ada PUT ${passenger} ${person}`, `ada GET ${passenger}`],
    wrap:
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
  },
  {
    id: "cancellation-not-done",
    says: "a cancellation is confirmed, and the booking is still valid and has to be paid",
    reveal: [`ada POST ${open}/cancellation`, `ada GET ${open}`],
    wrap:
      (service, { bookings }) =>
      (request) => {
        const before = bookings.get(bookingOf(request));
        const reply = service(request);
        if (isAt(CANCEL, request) && before !== undefined) bookings.set(before.id, before);
        return reply;
      },
  },
  {
    id: "refused-but-booked",
    says: "a booking with one wrong passenger is refused, and made for the others",
    reveal: [
      `ada POST /bookings ${booking.replace("]}", `,${person.replace("adult", "dog")}]}`)}`,
      "ada GET /bookings",
    ],
    wrap: (service) => (request) => {
      const reply = service(request);
      if (isAt(BOOK, request) && reply.status === 422)
        service(
          withSent(request, (sent) => ({
            ...sent,
            passengers: [sent["passengers"]].flat().filter(isPassenger),
          })),
        );
      return reply;
    },
  },
  {
    id: "last-passenger-removed",
    says: "the last passenger of a booking can be removed, and an empty booking remains",
    reveal: [`ada DELETE ${single}`],
    wrap:
      (service, { bookings }) =>
      (request) => {
        const reply = service(request);
        const one = bookings.get(bookingOf(request));
        if (!isAt(REMOVE, request) || reply.status !== 409 || one?.payment !== null) return reply;
        if (one.cancelledAt !== null) return reply;
        bookings.set(one.id, { ...one, passengers: new Map() });
        return { status: 204, headers: {}, body: "" };
      },
  },
  {
    id: "payment-of-others",
    says: "whoever knows a booking's id reads how it was paid",
    reveal: [`ben GET ${paid}/payment`],
    wrap: asAnybody(PAYMENT),
  },
  {
    id: "journey-in-local-time",
    says: "a journey that is read singly has local times with Z, an hour later than in the search",
    reveal: [`key GET /journeys/${journey}`],
    wrap: replies(JOURNEY, (reply) => ({
      ...reply,
      body: reply.body
        .toString()
        .replaceAll(/"(\d{4}-[\d:T-]{14}Z)"/g, (_text, instant: string) => toHourLater(instant)),
    })),
  },
  {
    id: "duration-without-change",
    says: "durationMinutes leaves the wait between trains out, so a journey looks shorter than it is",
    reveal: [`key GET /journeys?origin=ASV&destination=LOC&${time}`],
    wrap: replies(
      [JOURNEYS, JOURNEY],
      records((one) => {
        const legs = one["legs"] as { minutes?: number }[]; // as documented
        const waiting = legs.reduce((sum, { minutes = 0 }) => sum + minutes, 0);
        return { ...one, durationMinutes: Number(one["durationMinutes"]) - waiting };
      }),
    ),
  },
  {
    id: "cursor-forgets-line",
    says: "with a cursor the line is no longer looked at, so later pages have trains of other lines",
    reveal: [
      `${departures}&from=2026-11-02T08:00:00Z&line=T2&cursor=${Buffer.from("2026-11-02T08:00:00Z T2-a0800-20261102").toString("base64url")}`,
    ],
    wrap: hears(DEPARTURES, (request) =>
      request.query.has("cursor") ? withQuery(request, { line: undefined }) : request,
    ),
  },
  {
    id: "offset-ignored",
    says: "the offset of from and to is not looked at, so a caller in another zone gets trains of other hours",
    reveal: [`${departures}&from=2026-11-02T10:00:00%2B02:00`],
    wrap: hears(DEPARTURES, (request) => {
      const [from, to] = ["from", "to"].map((name) =>
        request.query.get(name)?.replace(/(T[\d:]{8}(?:\.\d+)?)[+-]\d\d:\d\d$/, "$1Z"),
      );
      return withQuery(request, { from, to });
    }),
  },
];

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
