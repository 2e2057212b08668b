// The railway's bookings: the stored form, and the form that users see.
import { createHash } from "node:crypto";
import { createRandom } from "@call-media/test-setup/model-service";
import { stations } from "./network.ts";
import { findJourneys, type Journey, toInstant } from "./timetable.ts";

export interface Contact {
  readonly email: string;
  readonly phone: string | null;
}

export interface NewPassenger {
  readonly givenName: string;
  readonly familyName: string;
  readonly category: "adult" | "child" | "senior";
  readonly railcard?: string | null;
}

export interface NewBooking {
  readonly journeyId: string;
  readonly contact: Contact;
  readonly seat?: string | null;
  readonly note?: string | null;
  readonly passengers: readonly NewPassenger[];
}

export interface Booking {
  readonly id: string;
  readonly owner: string;
  readonly journey: Journey;
  readonly passengers: ReadonlyMap<string, NewPassenger>;
  readonly contact: Contact;
  readonly seat: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  readonly cancelledAt: string | null;
  /** In the form that users see. */
  readonly payment: Readonly<Record<string, unknown>> | null;
}

export interface Railway {
  /** Milliseconds. */
  readonly now: () => number;
  readonly bookings: Map<string, Booking>;
  readonly newId: (prefix: "bk" | "ps") => string;
}

export interface RailwayOptions {
  readonly now?: () => number;
  readonly seed?: number;
}

const HOUR = 60 * 60_000;
const BOOKINGS: Readonly<Record<string, number>> = { ada: 34, ben: 19 };
const SHARES = { adult: 1, child: 0.5, senior: 0.7 };
const GIVEN = ["Åse", "Benoît", "Chloé", "Dörte", "Eve", "Siân"];
const FAMILY = ["Ångström", "Berg", "de la Peña", "O'Neill", "Łuczak"];

/** Creates the same bookings for the same seed and time. */
export function createRailway({ now = Date.now, seed = 1 }: RailwayOptions = {}): Railway {
  const counts = { bk: 0, ps: 0 };
  const newId = (prefix: "bk" | "ps"): string => {
    counts[prefix] += 1;
    return toId(prefix, counts[prefix]);
  };
  const railway: Railway = { now, bookings: new Map(), newId };
  const random = createRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value; // the lists above are not empty
  for (const [owner, count] of Object.entries(BOOKINGS))
    for (let ordinal = count; ordinal > 0; ordinal -= 1) {
      const passengers = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
        givenName: pick(GIVEN),
        familyName: pick(FAMILY),
        category: pick(["adult", "adult", "child", "senior"] as const),
        railcard: random() < 0.3 ? String(10_000_000 + Math.floor(random() * 80_000_000)) : null,
      }));
      const booking = createBooking(railway, owner, {
        journey: pickJourney(now() + random() * 14 * 24 * HOUR, pick),
        contact: { email: `${owner}@example.com`, phone: pick([null, "+4712345678"]) },
        seat: pick([null, "aisle", "window"]),
        note: pick([null, "Mit Fahrrad", "Vélo pliant", "Two bags"]),
        passengers,
      });
      const at = now() - ordinal * 5 * HOUR;
      const cancelledAt = ordinal % 6 === 0 ? toInstant(at + HOUR) : null;
      const code = `GIFT${100 + ordinal}`;
      const amount = toTotal(booking);
      const payment =
        ordinal % 4 === 1 ? { method: "voucher", code, amount, paidAt: toInstant(at) } : null;
      const dated = { ...booking, createdAt: toInstant(at), cancelledAt, payment };
      railway.bookings.set(booking.id, dated);
    }
  return railway;
}

export function toId(prefix: "bk" | "ps", ordinal: number): string {
  const digest = createHash("sha256").update(`${prefix} ${ordinal}`).digest("hex");
  return `${prefix}-${digest.slice(0, 12)}`;
}

/** Stores a new booking and returns it. */
export function createBooking(
  { bookings, now, newId }: Railway,
  owner: string,
  {
    journey,
    contact,
    seat = null,
    note = null,
    passengers,
  }: Omit<NewBooking, "journeyId"> & { readonly journey: Journey },
): Booking {
  const id = newId("bk");
  const booking = {
    id,
    owner,
    journey,
    passengers: new Map(passengers.map((passenger) => [newId("ps"), passenger])),
    contact,
    seat,
    note,
    createdAt: toInstant(now()),
    cancelledAt: null,
    payment: null,
  };
  bookings.set(id, booking);
  return booking;
}

export function toStatus({ cancelledAt, payment }: Booking): "cancelled" | "open" | "paid" {
  if (cancelledAt !== null) return "cancelled";
  return payment === null ? "open" : "paid";
}

export function toFare({ price }: Journey, { category }: NewPassenger) {
  return { ...price, cents: Math.round(price.cents * SHARES[category]) };
}

export function toTotal({ journey, passengers }: Booking) {
  const fares = [...passengers.values()].map((passenger) => toFare(journey, passenger).cents);
  return { ...journey.price, cents: fares.reduce((sum, fare) => sum + fare, 0) };
}

/** In the document's form. */
export function showBooking(booking: Booking) {
  const { id, journey, contact, seat, note, passengers, createdAt, cancelledAt } = booking;
  return {
    id,
    status: toStatus(booking),
    journeyId: journey.id,
    departsAt: journey.departsAt,
    contact,
    seat,
    note,
    passengerCount: passengers.size,
    total: toTotal(booking),
    createdAt,
    cancelledAt,
  };
}

/** In the document's form. */
export function showPassenger(journey: Journey, id: string, passenger: NewPassenger) {
  return { id, railcard: null, ...passenger, fare: toFare(journey, passenger) };
}

function pickJourney(from: number, pick: <Value>(values: readonly Value[]) => Value): Journey {
  const codes = [...stations.keys()];
  for (;;) {
    const [origin, destination] = [pick(codes), pick(codes)];
    const [journey] = findJourneys(origin, destination, { from, maxChanges: 1 });
    if (journey !== undefined) return journey;
  }
}
