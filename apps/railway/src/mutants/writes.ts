// Mutants of writes: lost, done although rejected, or invisible in another read.
import {
  doneThough,
  hears,
  insteadOf,
  isAt,
  type JsonObject,
  type Request,
  sentAt,
  staleField,
  toDrifts,
  withSent,
} from "@call-media/test-setup/model-service";
import { type NewPassenger, type Railway, toStatus, toTotal } from "../railway.ts";
import {
  ADD,
  ANY_BOOKING,
  BOOK,
  bookingOf,
  BOOKING,
  CHANGE,
  open,
  paid,
  passenger,
  PATCH,
  PAY,
  person,
  REPLACE,
} from "./edits.ts";

const voucher = '{"method":"voucher","code":"GIFT99"}';

export const writes = toDrifts<Railway>({
  "null-ignored": [
    "null does not empty a field, so a note that was written once cannot be removed",
    [`ada PATCH ${open} ${PATCH} {"note":"x"}`, `ada PATCH ${open} ${PATCH} {"note":null}`],
    sentAt(CHANGE, (sent) =>
      Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
    ),
  ],
  "note-trimmed": [
    "spaces around a note are lost, though it should come back to the letter",
    `ada PATCH ${open} ${PATCH} {"note":"  two bags "}`,
    sentAt([BOOK, CHANGE], (sent) =>
      typeof sent["note"] === "string" ? { ...sent, note: sent["note"].trim() } : sent,
    ),
  ],
  "total-stale": [
    "a booking keeps the total it was made with when passengers are added or removed, so too little is paid",
    [`ada POST ${open}/passengers {${person}}`, `ada GET ${open}`],
    staleField<Railway>(ANY_BOOKING, "total", ({ bookings }) =>
      [...bookings].map(([id, booking]) => [id, toTotal(booking)]),
    ),
  ],
  "replace-keeps-railcard": [
    "a passenger who is replaced without a railcard keeps the old one, which belongs to somebody else",
    [`ada PUT ${passenger} {${person},"railcard":"12345678"}`, `ada PUT ${passenger} {${person}}`],
    hears(REPLACE, (request, service) => {
      const before = service({ ...request, method: "GET" });
      const { railcard } = JSON.parse(before.body.toString()) as JsonObject; // a passenger or a problem
      return railcard === undefined
        ? request
        : withSent(request, (sent) => ({ railcard, ...sent }));
    }),
  ],
  "paid-twice": [
    "a booking that is paid can be paid again",
    `ada PUT ${paid}/payment ${voucher}`,
    insteadOf<Railway>(409, PAY, (request, service, { bookings }) => {
      const booking = bookings.get(bookingOf(request));
      if (booking === undefined) return undefined;
      if (toStatus(booking) === "paid") bookings.set(booking.id, { ...booking, payment: null });
      return service(request);
    }),
  ],
  "if-match-ignored": [
    "If-Match is not looked at, so of two clients that change a booking one loses its change",
    `ada PATCH ${open} ${PATCH} If-Match="old" {"note":"x"}`,
    hears(CHANGE, withoutPrecondition),
  ],
  "etag-never-changes": [
    "the ETag is made of the id alone, so a client with an old copy gets 304 and keeps it",
    [
      `ada GET ${open}`,
      `ada PATCH ${open} ${PATCH} {"note":"changed"}`,
      `ada GET ${open} If-None-Match=$etag`,
    ],
    (service) => (request) => {
      const reply = service(withoutPrecondition(request));
      if (!isAt([BOOKING, CHANGE], request) || reply.status !== 200) return reply;
      const etag = `"${bookingOf(request)}"`;
      return request.headers["if-none-match"]?.includes(etag) === true
        ? { status: 304, headers: { etag }, body: "" }
        : { ...reply, headers: { ...reply.headers, etag } };
    },
  ],
  "refused-passenger-added": [
    "adding a passenger to a paid booking is refused with 409, and the passenger travels all the same",
    [`ada POST ${paid}/passengers {${person}}`, `ada GET ${paid}/passengers`],
    doneThough<Railway>(409, ADD, (request, _service, { bookings, newId }) => {
      const booking = bookings.get(bookingOf(request));
      if (booking === undefined) return;
      const added = JSON.parse(request.body) as NewPassenger; // valid JSON, else the status would not be 409
      const passengers = new Map([...booking.passengers, [newId("ps"), added] as const]);
      bookings.set(booking.id, { ...booking, passengers });
    }),
  ],
});

function withoutPrecondition(request: Request): Request {
  const { "if-match": _match, "if-none-match": _none, ...headers } = request.headers;
  return { ...request, headers };
}
