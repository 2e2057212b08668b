// The timetable: trains of any day, departures of a station, journeys with at most one change.
import { createHash } from "node:crypto";
import { type Line, lines, stations } from "./network.ts";

export interface Departure {
  readonly trainId: string;
  readonly line: string;
  readonly destination: string;
  readonly departsAt: string;
  readonly platform: string | null;
  readonly status: "cancelled" | "delayed" | "on-time";
  readonly delayMinutes: number;
}

interface Money {
  readonly cents: number;
  readonly currency: "EUR";
}

interface TrainLeg {
  readonly kind: "train";
  readonly trainId: string;
  readonly line: string;
  readonly from: string;
  readonly to: string;
  readonly departsAt: string;
  readonly arrivesAt: string;
}

interface ChangeLeg {
  readonly kind: "change";
  readonly station: string;
  readonly minutes: number;
}

export interface Journey {
  readonly id: string;
  readonly origin: string;
  readonly destination: string;
  readonly departsAt: string;
  readonly arrivesAt: string;
  readonly durationMinutes: number;
  readonly changes: number;
  readonly price: Money;
  readonly legs: readonly (ChangeLeg | TrainLeg)[];
}

interface Stop {
  readonly code: string;
  /** Milliseconds. Trains depart on arrival. */
  readonly at: number;
}

interface Train {
  readonly id: string;
  readonly line: Line;
  /** True for a train against the order of the line's stations. */
  readonly isBack: boolean;
  readonly stops: readonly Stop[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SEARCH_HOURS = 3;
const LEAST_CHANGE_MINUTES = 5;

/** Ordered by time, then by id. @param from milliseconds, like `to`; both are included */
export function findDepartures(station: string, from: number, to: number): Departure[] {
  return findTrains(station, from, to).map(({ train, at }) => toDeparture(train, at));
}

/** Ordered by departure, then by id: the earliest arrival for each train from the origin that is not cancelled. */
export function findJourneys(
  origin: string,
  destination: string,
  { from, maxChanges }: { readonly from: number; readonly maxChanges: number },
): Journey[] {
  return findTrains(origin, from, from + SEARCH_HOURS * HOUR).flatMap(({ train, at }) => {
    if (toDeparture(train, at).status === "cancelled") return [];
    const direct = toLeg(train, origin, destination);
    const found =
      direct === undefined && maxChanges > 0
        ? findChange(train, origin, destination)
        : direct && [direct];
    return found === undefined ? [] : [toJourney(found)];
  });
}

/** The journey with this id, as a search returns it; undefined if no search does. */
export function readJourney(id: string): Journey | undefined {
  const legs = id.split("~").map((part) => {
    const [trainId = "", from = "", to = ""] = part.split(".");
    const train = findTrain(trainId);
    return train && toLeg(train, from, to);
  });
  const found = legs.filter((leg) => leg !== undefined);
  if (found.length < legs.length || found.length > 2) return undefined;
  const [first, second] = found;
  const fits =
    second === undefined ||
    (first !== undefined && second.from === first.to && canChange(first, second));
  return fits ? toJourney(found) : undefined;
}

export function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, "");
}

function findTrains(station: string, from: number, to: number) {
  const found: { readonly train: Train; readonly at: number }[] = [];
  for (const line of lines) {
    const index = line.stations.indexOf(station);
    if (index === -1) continue;
    const last = line.stations.length - 1;
    for (let day = toDay(from) - DAY; day <= to; day += DAY)
      for (const train of listTrains(line, day)) {
        const ordinal = train.isBack ? last - index : index;
        const at = train.stops[ordinal]?.at ?? 0;
        if (at >= from && at <= to && ordinal < last) found.push({ train, at });
      }
  }
  return found.toSorted(
    (one, other) => one.at - other.at || (one.train.id < other.train.id ? -1 : 1),
  );
}

const cache = new Map<string, readonly Train[]>();
const MAX_CACHED_DAYS = 200;

function listTrains(line: Line, day: number): readonly Train[] {
  const key = `${line.id} ${day}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size > MAX_CACHED_DAYS) cache.clear();
  const trains = makeTrains(line, day);
  cache.set(key, trains);
  return trains;
}

function makeTrains(line: Line, day: number): Train[] {
  const directions = { a: line.stations, b: line.stations.toReversed() };
  return Object.entries(directions).flatMap(([direction, codes]) => {
    const trains: Train[] = [];
    for (let minute = 0; minute < DAY / MINUTE; minute += line.everyMinutes) {
      const start = day + minute * MINUTE;
      const [date = "", time = ""] = toInstant(start).replaceAll(/[-:Z]/g, "").split("T");
      const toStop = (code: string, index: number) => ({
        code,
        at: start + index * line.hopMinutes * MINUTE,
      });
      const id = `${line.id}-${direction}${time.slice(0, 4)}-${date}`;
      trains.push({ id, line, isBack: direction === "b", stops: codes.map(toStop) });
    }
    return trains;
  });
}

function findTrain(id: string): Train | undefined {
  const [lineId, , date = ""] = id.split("-");
  const line = lines.find((one) => one.id === lineId);
  const day = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3T00:00:00Z"));
  if (line === undefined || Number.isNaN(day)) return undefined;
  return listTrains(line, day).find((train) => train.id === id);
}

function toDay(milliseconds: number): number {
  return Math.floor(milliseconds / DAY) * DAY;
}

function toDeparture({ id, line, stops }: Train, at: number): Departure {
  const [chance = 0, length = 0, track = 0] = createHash("sha256").update(id).digest();
  const status = chance < 8 ? "cancelled" : chance < 40 ? "delayed" : "on-time";
  return {
    trainId: id,
    line: line.id,
    destination: stops.at(-1)?.code ?? "",
    departsAt: toInstant(at),
    platform: status === "cancelled" || track < 16 ? null : String(1 + (track % 4)),
    status,
    delayMinutes: status === "delayed" ? 3 + (length % 15) : 0,
  };
}

/** The ride from one station to a later one; undefined if the train does not go that way. */
function toLeg({ id, line, stops }: Train, from: string, to: string): TrainLeg | undefined {
  const [start, end] = [from, to].map((code) => stops.findIndex((stop) => stop.code === code));
  const [first, last] = [stops[start ?? -1], stops[end ?? -1]];
  if (first === undefined || last === undefined || first.at >= last.at) return undefined;
  const [departsAt, arrivesAt] = [toInstant(first.at), toInstant(last.at)];
  return { kind: "train", trainId: id, line: line.id, from, to, departsAt, arrivesAt };
}

function findChange(train: Train, origin: string, destination: string): TrainLeg[] | undefined {
  const options = train.stops.flatMap(({ code, at }) => {
    const first = toLeg(train, origin, code);
    const earliest = at + LEAST_CHANGE_MINUTES * MINUTE;
    const isHub = (stations.get(code)?.lines.length ?? 0) > 1;
    if (first === undefined || !isHub) return [];
    return findTrains(code, earliest, earliest + 2 * HOUR)
      .filter(({ train: next }) => next.line !== train.line)
      .map(({ train: next }) => toLeg(next, code, destination))
      .filter((second) => second !== undefined)
      .map((second) => [first, second]);
  });
  const toKey = (legs: readonly TrainLeg[]) =>
    `${legs[1]?.arrivesAt} ${legs[1]?.trainId} ${legs[0]?.to}`;
  return options.toSorted((one, other) => (toKey(one) < toKey(other) ? -1 : 1))[0];
}

function canChange(first: TrainLeg, second: TrainLeg): boolean {
  return (
    first.line !== second.line &&
    toMinutes(first.arrivesAt, second.departsAt) >= LEAST_CHANGE_MINUTES
  );
}

function toMinutes(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / MINUTE;
}

function toJourney(legs: readonly TrainLeg[]): Journey {
  const [first, last] = [legs[0], legs.at(-1)] as [TrainLeg, TrainLeg]; // at least one
  const change: ChangeLeg[] = legs.slice(1).map(({ from, departsAt }) => ({
    kind: "change",
    station: from,
    minutes: toMinutes(first.arrivesAt, departsAt),
  }));
  const cents = legs.reduce((sum, leg) => sum + toCents(leg), 0);
  return {
    id: legs.map(({ trainId, from, to }) => `${trainId}.${from}.${to}`).join("~"),
    origin: first.from,
    destination: last.to,
    departsAt: first.departsAt,
    arrivesAt: last.arrivesAt,
    durationMinutes: toMinutes(first.departsAt, last.arrivesAt),
    changes: legs.length - 1,
    price: { cents, currency: "EUR" },
    legs: [first, ...change, ...legs.slice(1)],
  };
}

function toCents({ line: lineId, departsAt, arrivesAt }: TrainLeg): number {
  const perMinute = lineId.startsWith("X") ? 31 : 17;
  return 125 + perMinute * toMinutes(departsAt, arrivesAt);
}
