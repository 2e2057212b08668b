// Mutants of writes: lost, done although rejected, or invisible in another read.
import {
  type Drift,
  hears,
  isAt,
  type JsonObject,
  records,
  replies,
  type Request,
  withSent,
} from "@call-media/test-setup/model-service";
import { type NewPassenger, type Railway, toId, toStatus, toTotal } from "../railway.ts";
import {
  ADD,
  ANY_BOOKING,
  BOOK,
  bookingOf,
  BOOKING,
  CHANGE,
  PATCH,
  PAY,
  REPLACE,
} from "./edits.ts";

const [open, paid] = [`/bookings/${toId("bk", 1)}`, `/bookings/${toId("bk", 2)}`];
const passenger = `${open}/passengers/${toId("ps", 1)}`;
const person = '"givenName":"Eve","familyName":"Berg","category":"adult"';
const voucher = '{"method":"voucher","code":"GIFT99"}';

export const writes: readonly Drift<Railway>[] = [
  {
    id: "null-ignored",
    says: "null does not empty a field, so a note that was written once cannot be removed",
    reveal: [`ada PATCH ${open} ${PATCH} {"note":"x"}`, `ada PATCH ${open} ${PATCH} {"note":null}`],
    wrap: hears(CHANGE, (request) =>
      withSent(request, (sent) =>
        Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
      ),
    ),
  },
  {
    id: "note-trimmed",
    says: "spaces around a note are lost, though it should come back to the letter",
    reveal: [`ada PATCH ${open} ${PATCH} {"note":"  two bags "}`],
    wrap: hears([BOOK, CHANGE], (request) =>
      withSent(request, (sent) =>
        typeof sent["note"] === "string" ? { ...sent, note: sent["note"].trim() } : sent,
      ),
    ),
  },
  {
    id: "total-stale",
    says: "a booking keeps the total it was made with when passengers are added or removed, so too little is paid",
    reveal: [`ada POST ${open}/passengers {${person}}`, `ada GET ${open}`],
    wrap: (service, { bookings }) => {
      const totals = new Map<unknown, unknown>();
      for (const [id, booking] of bookings) totals.set(id, toTotal(booking));
      const keep = (booking: JsonObject): JsonObject => {
        const total = totals.get(booking["id"]) ?? booking["total"];
        totals.set(booking["id"], total);
        return { ...booking, total };
      };
      return replies(ANY_BOOKING, records(keep))(service, undefined);
    },
  },
  {
    id: "replace-keeps-railcard",
    says: "a passenger who is replaced without a railcard keeps the old one, which belongs to somebody else",
    reveal: [
      `ada PUT ${passenger} {${person},"railcard":"12345678"}`,
      `ada PUT ${passenger} {${person}}`,
    ],
    wrap: hears(REPLACE, (request, service) => {
      const before = service({ ...request, method: "GET" });
      const { railcard } = JSON.parse(before.body.toString()) as JsonObject; // a passenger or a problem
      return railcard === undefined
        ? request
        : withSent(request, (sent) => ({ railcard, ...sent }));
    }),
  },
  {
    id: "paid-twice",
    says: "a booking that is paid can be paid again",
    reveal: [`ada PUT ${paid}/payment ${voucher}`],
    wrap:
      (service, { bookings }) =>
      (request) => {
        const booking = bookings.get(bookingOf(request));
        const reply = service(request);
        if (!isAt(PAY, request) || reply.status !== 409 || booking === undefined) return reply;
        if (toStatus(booking) === "paid") bookings.set(booking.id, { ...booking, payment: null });
        return service(request);
      },
  },
  {
    id: "if-match-ignored",
    says: "If-Match is not looked at, so of two clients that change a booking one loses its change",
    reveal: [`ada PATCH ${open} ${PATCH} If-Match="old" {"note":"x"}`],
    wrap: hears(CHANGE, withoutPrecondition),
  },
  {
    id: "etag-never-changes",
    says: "the ETag is made of the id alone, so a client with an old copy gets 304 and keeps it",
    reveal: [
      `ada GET ${open}`,
      `ada PATCH ${open} ${PATCH} {"note":"changed"}`,
      `ada GET ${open} If-None-Match=$etag`,
    ],
    wrap: (service) => (request) => {
      const reply = service(withoutPrecondition(request));
      if (!isAt([BOOKING, CHANGE], request) || reply.status !== 200) return reply;
      const etag = `"${bookingOf(request)}"`;
      return request.headers["if-none-match"]?.includes(etag) === true
        ? { status: 304, headers: { etag }, body: "" }
        : { ...reply, headers: { ...reply.headers, etag } };
    },
  },
  {
    id: "refused-passenger-added",
    says: "adding a passenger to a paid booking is refused with 409, and the passenger travels all the same",
    reveal: [`ada POST ${paid}/passengers {${person}}`, `ada GET ${paid}/passengers`],
    wrap:
      (service, { bookings, newId }) =>
      (request) => {
        const booking = bookings.get(bookingOf(request));
        const reply = service(request);
        if (!isAt(ADD, request) || reply.status !== 409 || booking === undefined) return reply;
        const added = JSON.parse(request.body) as NewPassenger; // valid JSON, else the status would not be 409
        const passengers = new Map([...booking.passengers, [newId("ps"), added] as const]);
        bookings.set(booking.id, { ...booking, passengers });
        return reply;
      },
  },
];

function withoutPrecondition(request: Request): Request {
  const { "if-match": _match, "if-none-match": _none, ...headers } = request.headers;
  return { ...request, headers };
}
