// The museum's data around today, generated from a seed: opening days, special events and sold tickets.
import { createHash } from "node:crypto";
import { addDays, createRandom } from "@call-media/test-setup/model-service";

export interface DailyHours {
  readonly date: string;
  readonly timeOpen: string;
  readonly timeClose: string;
}

export interface EventFields {
  readonly name: string;
  readonly location: string;
  readonly eventDescription: string;
  readonly dates: readonly string[];
  readonly price: number;
}

export interface SpecialEvent extends EventFields {
  readonly eventId: string;
}

export interface Ticket {
  readonly ticketId: string;
  readonly ticketDate: string;
  readonly ticketType: "event" | "general";
  readonly eventId?: string;
  readonly confirmationCode: string;
  readonly buyer: string;
}

export interface Museum {
  /** YYYY-MM-DD. */
  readonly today: string;
  /** By date. */
  readonly hours: DailyHours[];
  readonly events: Map<string, SpecialEvent>;
  readonly tickets: Map<string, Ticket>;
  /** Ids are never reused, not even those of deleted events. */
  readonly newId: (kind: Kind) => string;
}

type Kind = "event" | "ticket";

export interface MuseumOptions {
  /** YYYY-MM-DD; default: today in UTC. */
  readonly today?: string;
  readonly seed?: number;
}

const OPENING_DAYS = 90;
const EVENTS = 60;
/** The number of days before today that also have data. */
const PAST_DAYS = 7;
const MONDAY = 1;
const FRIDAY = 5;

const KINDS = ["Workshop", "Concert", "Tour", "Lecture", "Tasting", "Dance"];
const SUBJECTS = [
  "Ammonites",
  "Bronze",
  "Café Tables",
  "Dürer",
  "Ærø Boats",
  "Ébauches",
  "Glass",
  "Łódź",
];
const LOCATIONS = ["Main Hall", "Courtyard", "Ålesund Room", "Library", "Café", "Roof Garden 🌿"];

export function createMuseum({ today = toToday(), seed = 1 }: MuseumOptions = {}): Museum {
  const random = createRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value; // the lists above are not empty
  const first = addDays(today, -PAST_DAYS);
  const hours: DailyHours[] = [];
  for (let date = first; hours.length < OPENING_DAYS; date = addDays(date, 1)) {
    const day = new Date(date).getUTCDay();
    const times = day === FRIDAY ? ["10:00", "16:00"] : ["09:00", "18:00"];
    const [timeOpen = "", timeClose = ""] = times;
    if (day !== MONDAY) hours.push({ date, timeOpen, timeClose });
  }
  const events = Array.from({ length: EVENTS }, (_, index): SpecialEvent => {
    const [kind, subject, location] = [pick(KINDS), pick(SUBJECTS), pick(LOCATIONS)];
    const days = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(hours).date);
    return {
      eventId: toId("event", index + 1),
      name: `${kind}: ${subject} ${index + 1}`,
      location,
      eventDescription: `${kind} about ${subject} in the ${location}. "Hands on", free coffee.`,
      dates: [...new Set(days)].toSorted(),
      price: Math.floor(random() * 120) / 2,
    };
  });
  const counts = { event: EVENTS, ticket: 0 };
  return {
    today,
    hours,
    events: new Map(events.map((event) => [event.eventId, event])),
    tickets: new Map(),
    newId: (kind) => {
      counts[kind] += 1;
      return toId(kind, counts[kind]);
    },
  };
}

/** The UUID of the n-th item of a kind, the same in every run. */
export function toId(kind: Kind, ordinal: number): string {
  const hex = createHash("sha256").update(`${kind} ${ordinal}`).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");
}

function toToday(): string {
  return new Date().toISOString().slice(0, 10);
}
