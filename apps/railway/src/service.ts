// The service that implements the railway's document.
import { createHash } from "node:crypto";
import {
  type Callers,
  createService,
  json,
  Problem,
  type Reply,
  type Request,
  type Service,
} from "@call-media/test-setup/model-service";
import { type Input, parseInput, Unprocessable } from "./input.ts";
import { type Line, lines, type Station, stations } from "./network.ts";
import {
  type Booking,
  type Contact,
  createBooking,
  type NewBooking,
  type NewPassenger,
  type Railway,
  showBooking,
  showPassenger,
  toStatus,
  toTotal,
} from "./railway.ts";
import { findDepartures, findJourneys, readJourney, toInstant } from "./timetable.ts";

const TOKENS: Readonly<Record<string, string>> = { "ada-7d31f0c2": "ada", "ben-b95e4a18": "ben" };
const READ_KEY = "read-60c1e7d4";
const HOUR = 60 * 60_000;
const MAX_PASSENGERS = 9;

/** Headers that identify each caller. */
export const callers: Callers = {
  ada: { Authorization: "Bearer ada-7d31f0c2" },
  ben: { Authorization: "Bearer ben-b95e4a18" },
  key: { "X-Api-Key": READ_KEY },
  nobody: {},
};

type Operation = (input: Input, caller: string, request: Request) => Reply;

export function createRailwayService(railway: Railway): Service {
  const operations: Readonly<Record<string, Operation>> = {
    "GET /stations": listStations,
    "GET /stations/{code}": ({ path }, _caller, request) => tagged(findStation(path.code), request),
    "GET /stations/{code}/departures": (input) => listDepartures(railway, input),
    "GET /lines": listLines,
    "GET /lines/{lineId}": ({ path }, _caller, request) => {
      const found = lines.find(({ id }) => id === path.lineId);
      if (found === undefined) throw new Problem(404, "There is no such line.");
      return tagged(showLine(found), request);
    },
    "GET /journeys": (input) => searchJourneys(railway, input),
    "GET /journeys/{journeyId}": ({ path: { journeyId = "" } }) => {
      const journey = readJourney(journeyId);
      if (journey === undefined) throw new Problem(404, "There is no such journey.");
      return json(200, journey);
    },
    "GET /bookings": (input, caller) => listBookings(railway, input, caller),
    "POST /bookings": ({ body }, caller) => {
      const wanted = body as NewBooking; // validated against the document, like all casts of bodies here
      const journey = readJourney(wanted.journeyId);
      if (journey === undefined)
        throw new Unprocessable([{ field: "/journeyId", message: "There is no such journey." }]);
      const booking = createBooking(railway, caller, { ...wanted, journey });
      return tagged(showBooking(booking), undefined, {
        status: 201,
        location: `/bookings/${booking.id}`,
      });
    },
    "GET /bookings/{bookingId}": (input, caller, request) =>
      tagged(showBooking(findBooking(railway, input, caller)), request),
    "PATCH /bookings/{bookingId}": (input, caller, request) => {
      const booking = findBooking(railway, input, caller);
      if (toStatus(booking) === "cancelled") throw new Problem(409, "The booking is cancelled.");
      checkIfMatch(request, toETag(showBooking(booking)));
      const { contact, ...others } = input.body as Partial<Pick<Booking, "note" | "seat">> & {
        contact?: Partial<Contact>;
      };
      return change(railway, booking, { ...others, contact: { ...booking.contact, ...contact } });
    },
    "POST /bookings/{bookingId}/cancellation": (input, caller) => {
      const booking = findBooking(railway, input, caller);
      if (toStatus(booking) === "cancelled") throw new Problem(409, "It is cancelled already.");
      return change(railway, booking, { cancelledAt: toInstant(railway.now()) });
    },
    "GET /bookings/{bookingId}/passengers": (input, caller) => {
      const { journey, passengers } = findBooking(railway, input, caller);
      return json(
        200,
        [...passengers].map(([id, one]) => showPassenger(journey, id, one)),
      );
    },
    "POST /bookings/{bookingId}/passengers": (input, caller) => {
      const booking = findOpenBooking(railway, input, caller);
      if (booking.passengers.size >= MAX_PASSENGERS)
        throw new Problem(409, `A booking has at most ${MAX_PASSENGERS} passengers.`);
      const id = railway.newId("ps");
      const location = `/bookings/${booking.id}/passengers/${id}`;
      const shown = setPassenger(railway, booking, [id, input.body as NewPassenger]);
      return json(201, shown, { location });
    },
    "GET /bookings/{bookingId}/passengers/{passengerId}": (input, caller) => {
      const booking = findBooking(railway, input, caller);
      const [id, passenger] = findPassenger(booking, input);
      return json(200, showPassenger(booking.journey, id, passenger));
    },
    "PUT /bookings/{bookingId}/passengers/{passengerId}": (input, caller) => {
      const [id] = findPassenger(findBooking(railway, input, caller), input);
      const booking = findOpenBooking(railway, input, caller);
      return json(200, setPassenger(railway, booking, [id, input.body as NewPassenger]));
    },
    "DELETE /bookings/{bookingId}/passengers/{passengerId}": (input, caller) => {
      const [id] = findPassenger(findBooking(railway, input, caller), input);
      const booking = findOpenBooking(railway, input, caller);
      if (booking.passengers.size === 1) throw new Problem(409, "A booking keeps one passenger.");
      const left = [...booking.passengers].filter(([other]) => other !== id);
      change(railway, booking, { passengers: new Map(left) });
      return { status: 204, headers: {}, body: "" };
    },
    "GET /bookings/{bookingId}/payment": (input, caller) => {
      const { payment } = findBooking(railway, input, caller);
      if (payment === null) throw new Problem(404, "The booking is not paid.");
      return json(200, payment);
    },
    "PUT /bookings/{bookingId}/payment": (input, caller) => {
      const booking = findOpenBooking(railway, input, caller);
      const { method, number, code } = input.body as Record<string, string>;
      const shown = method === "card" ? { cardEnding: number?.slice(-4) } : { code };
      const paidAt = toInstant(railway.now());
      const payment = { method, ...shown, amount: toTotal(booking), paidAt };
      change(railway, booking, { payment });
      return json(201, payment);
    },
  };
  return createService<string>({
    authenticate,
    toErrorBody: (problem) => ({
      type: "about:blank",
      title: problem.message,
      status: problem.status,
      ...(problem instanceof Unprocessable && { faults: problem.faults }),
    }),
    routes: Object.fromEntries(
      Object.entries(operations).map(([route, operate]) => [
        route,
        (request, parameters, caller) =>
          operate(parseInput(route, request, parameters), caller, request),
      ]),
    ),
  });
}

/** @returns the user's name, or `key` */
function authenticate({ headers }: Request, route: string): string {
  const { authorization, "x-api-key": key } = headers;
  const [, token = ""] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  const user = Object.hasOwn(TOKENS, token) ? TOKENS[token] : undefined;
  if (user !== undefined) return user;
  const isPublic = !route.includes(" /bookings");
  if (authorization === undefined && key === READ_KEY && isPublic) return "key";
  const challenge = { "www-authenticate": 'Bearer realm="tarn-valley"' };
  throw new Problem(
    401,
    "This needs a user's token, or for network and timetable a key.",
    challenge,
  );
}

function fold(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

type Order<Row> = Readonly<Record<string, (row: Row) => number | string>>;

/** @param sort a key of `order`, with a hyphen if descending; ties are broken by `toId`, ascending */
function sortRows<Row>(
  rows: readonly Row[],
  sort: string,
  { toId, ...order }: Order<Row> & { readonly toId: (row: Row) => string },
): Row[] {
  const toKey = (order as Order<Row>)[sort.replace("-", "")] ?? toId;
  const sign = sort.startsWith("-") ? -1 : 1;
  const compare = (one: number | string, other: number | string) =>
    one === other ? 0 : one < other ? -1 : 1;
  return rows.toSorted(
    (one, other) => sign * compare(toKey(one), toKey(other)) || compare(toId(one), toId(other)),
  );
}

function toPage(path: string, query: Input["query"], rows: readonly unknown[]): Reply {
  const { page, size } = query as { page: number; size: number }; // both have defaults
  const items = rows.slice((page - 1) * size, page * size);
  const others = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams({ ...Object.fromEntries(others), page: String(page + 1) });
  const next = page * size < rows.length ? `${path}?${search.toString()}` : null;
  return json(200, { items, page, size, total: rows.length, next });
}

function listStations({ query }: Input): Reply {
  const { q, region, accessible, sort } = query as Record<string, string>;
  const found = [...stations.values()].filter(
    (station) =>
      fold(station.name).includes(fold(q ?? "")) &&
      (region === undefined || station.region === region) &&
      (accessible === undefined || station.accessible === query["accessible"]),
  );
  const order = {
    name: ({ name }: Station) => fold(name),
    platforms: ({ platforms }: Station) => platforms,
    toId: ({ code }: Station) => code,
  };
  return toPage("/stations", query, sortRows(found, sort ?? "", order));
}

function findStation(code = ""): Station {
  const station = stations.get(code);
  if (station === undefined) throw new Problem(404, `There is no station ${code}.`);
  return station;
}

function listDepartures({ now }: Railway, { path, query }: Input): Reply {
  const { code } = findStation(path.code);
  const { from, to, line, cursor } = query as Record<string, string>;
  const limit = query["limit"] as number; // it has a default
  const start = from === undefined ? now() : parseInstant(from);
  const end = to === undefined ? start + 2 * HOUR : parseInstant(to);
  if (end < start || end > start + 24 * HOUR)
    throw new Problem(400, "to must not be before from, and at most a day after it.");
  const after = cursor === undefined ? "" : parseCursor(cursor);
  const rest = findDepartures(code, start, end)
    .filter((departure) => line === undefined || departure.line === line)
    .filter(({ departsAt, trainId }) => `${departsAt} ${trainId}` > after);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  const position = `${last?.departsAt} ${last?.trainId}`;
  const nextCursor = rest.length > limit ? Buffer.from(position).toString("base64url") : null;
  return json(200, { items, nextCursor });
}

/** Milliseconds. @param text a date-time, which may have leap seconds or years outside the timetable */
function parseInstant(text: string): number {
  const instant = Date.parse(text);
  if (instant >= Date.UTC(2000, 0) && instant < Date.UTC(2100, 0)) return instant;
  throw new Problem(400, `${text} is not a time of the years 2000 to 2099.`);
}

function parseCursor(cursor: string): string {
  const position = Buffer.from(cursor, "base64url").toString();
  if (/^\d{4}-\d\d-\d\dT[\d:]{8}Z \S+$/.test(position)) return position;
  throw new Problem(400, "cursor is not one that a response gave.");
}

function showLine({ id, name, kind, stations: codes }: Line) {
  return { id, name, kind, stations: codes };
}

function listLines({ query: { kind, station } }: Input): Reply {
  const found = lines
    .filter((line) => kind === undefined || line.kind === kind)
    .filter((line) => station === undefined || line.stations.includes(station as string));
  return json(200, found.map(showLine));
}

function searchJourneys({ now }: Railway, { query }: Input): Reply {
  const { origin, destination, departAfter, sort } = query as Record<string, string>;
  const [from, to] = [findStation(origin).code, findStation(destination).code];
  if (from === to) throw new Problem(400, "destination must not be origin.");
  const start = departAfter === undefined ? now() : parseInstant(departAfter);
  const maxChanges = query["maxChanges"] as number; // it has a default
  const found = findJourneys(from, to, { from: start, maxChanges });
  const items = sortRows(found, sort ?? "", {
    departsAt: ({ departsAt }) => departsAt,
    durationMinutes: ({ durationMinutes }) => durationMinutes,
    price: ({ price }) => price.cents,
    toId: ({ departsAt, id }) => `${departsAt} ${id}`,
  });
  return json(200, { items });
}

function listBookings({ bookings }: Railway, { query }: Input, caller: string): Reply {
  const {
    status,
    departsFrom = "",
    departsTo = "9999-12-31",
    sort,
  } = query as Record<string, string>;
  const found = [...bookings.values()].filter((booking) => {
    const own = toStatus(booking);
    const day = booking.journey.departsAt.slice(0, 10);
    const fits = status === undefined ? own !== "cancelled" : own === status;
    return booking.owner === caller && fits && day >= departsFrom && day <= departsTo;
  });
  const sorted = sortRows(found, sort ?? "", {
    createdAt: ({ createdAt }) => createdAt,
    departsAt: ({ journey }) => journey.departsAt,
    total: (booking) => toTotal(booking).cents,
    toId: ({ id }) => id,
  });
  return toPage("/bookings", query, sorted.map(showBooking));
}

function findBooking({ bookings }: Railway, { path }: Input, caller: string): Booking {
  const booking = bookings.get(path.bookingId ?? "");
  if (booking?.owner !== caller) throw new Problem(404, "There is no such booking.");
  return booking;
}

function findOpenBooking(railway: Railway, input: Input, caller: string): Booking {
  const booking = findBooking(railway, input, caller);
  const status = toStatus(booking);
  if (status !== "open") throw new Problem(409, `The booking is ${status}.`);
  return booking;
}

function findPassenger({ passengers }: Booking, { path: { passengerId = "" } }: Input) {
  const passenger = passengers.get(passengerId);
  if (passenger === undefined) throw new Problem(404, "There is no such passenger.");
  return [passengerId, passenger] as const;
}

function setPassenger(
  railway: Railway,
  booking: Booking,
  [id, passenger]: readonly [id: string, passenger: NewPassenger],
) {
  change(railway, booking, { passengers: new Map([...booking.passengers, [id, passenger]]) });
  return showPassenger(booking.journey, id, passenger);
}

function change({ bookings }: Railway, booking: Booking, changes: Partial<Booking>): Reply {
  const changed = { ...booking, ...changes };
  bookings.set(booking.id, changed);
  return tagged(showBooking(changed));
}

/** Adds the ETag; returns 304 if the request is given and already has it. */
function tagged(
  value: unknown,
  request?: Request,
  { status = 200, ...headers }: { status?: number; location?: string } = {},
): Reply {
  const etag = toETag(value);
  const known = request?.headers["if-none-match"]?.split(",").map((tag) => tag.trim()) ?? [];
  // The comparison is weak (RFC 9110, section 13.1.2).
  if (known.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag))
    return { status: 304, headers: { etag }, body: "" };
  return json(status, value, { etag, ...headers });
}

function toETag(value: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16)}"`;
}

/** @throws {Problem} 412 */
function checkIfMatch({ headers }: Request, etag: string): void {
  const wanted = headers["if-match"]?.split(",").map((tag) => tag.trim());
  if (wanted !== undefined && !wanted.includes("*") && !wanted.includes(etag))
    throw new Problem(412, "The booking has changed since.");
}
