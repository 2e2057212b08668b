// The service that implements the Museum document.
import {
  addDays,
  type Callers,
  createService,
  json,
  type Parameters,
  parseBody,
  parseDate,
  Problem,
  queryInteger,
  queryValue,
  type Reply,
  type Request,
  type Service,
} from "@call-media/test-setup/model-service";
import { type EventFields, type Museum, type SpecialEvent, type Ticket } from "./museum.ts";
import { toTicketCode } from "./ticket-code.ts";

const PASSWORDS: Readonly<Record<string, string>> = { ann: "ammonite", bob: "belemnite" };
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DEFAULT_RANGE_DAYS = 7;
const PAGE = { default: 1, least: 1, most: Number.MAX_SAFE_INTEGER };
const LIMIT = { default: 10, least: 1, most: 30 };

/** Headers that identify each caller. */
export const callers: Callers = {
  ann: { Authorization: toBasic("ann", "ammonite") },
  bob: { Authorization: toBasic("bob", "belemnite") },
  nobody: {},
};

export function createMuseumService(museum: Museum): Service {
  return createService<string>({
    authenticate,
    toErrorBody: ({ message: title, status }) => ({ type: "about:blank", title, status }),
    routes: {
      "GET /museum-hours": (request) => {
        const { startDate } = parseRange(request, museum);
        return page(
          request,
          museum.hours.filter(({ date }) => date >= startDate),
        );
      },
      "GET /special-events": (request) => page(request, findEvents(request, museum)),
      "POST /special-events": (request) => createEvent(museum, parseBody(request)),
      "GET /special-events/{eventId}": (_request, parameters) =>
        json(200, findEvent(museum, parameters)),
      "PATCH /special-events/{eventId}": (request, parameters) => {
        const event = findEvent(museum, parameters);
        const changed = { ...event, ...parseFields(parseBody(request)) };
        museum.events.set(event.eventId, changed);
        return json(200, changed);
      },
      "DELETE /special-events/{eventId}": (_request, parameters) => {
        museum.events.delete(findEvent(museum, parameters).eventId);
        return { status: 204, headers: {}, body: "" };
      },
      "POST /tickets": (request, _parameters, caller) =>
        sellTicket(museum, parseBody(request), caller),
      "GET /tickets/{ticketId}/qr": (_request, { ticketId = "" }, caller) => {
        const ticket = museum.tickets.get(parseId(ticketId, "ticketId"));
        if (ticket?.buyer !== caller) throw new Problem(404, "There is no such ticket.");
        const body = toTicketCode(ticket.confirmationCode);
        return { status: 200, headers: { "content-type": "image/png" }, body };
      },
    },
  });
}

/** Basic authentication (RFC 7617). @returns the caller's name */
function authenticate({ headers }: Request): string {
  const [, encoded = ""] = /^basic +(\S+)$/i.exec(headers["authorization"] ?? "") ?? [];
  const [name = "", password = ""] = Buffer.from(encoded, "base64").toString().split(/:(.*)/s);
  if (Object.hasOwn(PASSWORDS, name) && PASSWORDS[name] === password) return name;
  throw new Problem(401, "Name and password are needed.", {
    "www-authenticate": 'Basic realm="museum", charset="UTF-8"',
  });
}

function toBasic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}

function parseRange(request: Request, { today }: Museum) {
  const [start, end] = [queryValue(request, "startDate"), queryValue(request, "endDate")];
  const startDate = start === undefined ? today : parseDate(start, "startDate");
  const endDate =
    end === undefined ? addDays(startDate, DEFAULT_RANGE_DAYS) : parseDate(end, "endDate");
  return { startDate, endDate };
}

function page(request: Request, rows: readonly unknown[]): Reply {
  const number = queryInteger(request, "page", PAGE);
  const limit = queryInteger(request, "limit", LIMIT);
  return json(200, rows.slice((number - 1) * limit, number * limit));
}

/** Events with a date in the range, both ends included, ordered by their first date. */
function findEvents(request: Request, museum: Museum): SpecialEvent[] {
  const { startDate, endDate } = parseRange(request, museum);
  if (endDate < startDate) throw new Problem(400, "endDate must not be before startDate.");
  const toKey = ({ dates, eventId }: SpecialEvent) => `${dates.toSorted()[0] ?? ""} ${eventId}`;
  return [...museum.events.values()]
    .filter(({ dates }) => dates.some((date) => date >= startDate && date <= endDate))
    .toSorted((one, other) => (toKey(one) < toKey(other) ? -1 : 1));
}

function findEvent(museum: Museum, { eventId = "" }: Parameters): SpecialEvent {
  const event = museum.events.get(parseId(eventId, "eventId"));
  if (event === undefined) throw new Problem(404, "There is no such event.");
  return event;
}

function parseId(value: unknown, name: string): string {
  if (typeof value === "string" && UUID.test(value)) return value;
  throw new Problem(400, `${name} must be a UUID.`);
}

const PARSERS: { readonly [Name in keyof EventFields]: (value: unknown) => EventFields[Name] } = {
  name: (value) => parseText(value, "name"),
  location: (value) => parseText(value, "location"),
  eventDescription: (value) => parseText(value, "eventDescription"),
  dates: (value) => {
    if (!Array.isArray(value)) throw new Problem(400, "dates must be a list of dates.");
    return value.map((date) => parseDate(date, "dates"));
  },
  price: (value) => {
    // JSON allows 1e999, which parses as infinity and could not be returned.
    if (!Number.isFinite(value)) throw new Problem(400, "price must be a number.");
    return Number(value);
  },
};

function parseText(value: unknown, name: string): string {
  if (typeof value !== "string") throw new Problem(400, `${name} must be a text.`);
  return value;
}

/** The event fields present in the body. Ignores other fields. */
function parseFields(body: Readonly<Record<string, unknown>>): Partial<EventFields> {
  const given = Object.entries(PARSERS).filter(([name]) => body[name] !== undefined);
  return Object.fromEntries(given.map(([name, parse]) => [name, parse(body[name])]));
}

function createEvent(museum: Museum, body: Readonly<Record<string, unknown>>): Reply {
  const fields = parseFields(body);
  const missing = Object.keys(PARSERS).filter((name) => !(name in fields));
  if (missing.length > 0) throw new Problem(400, `${missing.join(", ")} must be given.`);
  const eventId =
    body["eventId"] === undefined ? museum.newId("event") : parseId(body["eventId"], "eventId");
  if (museum.events.has(eventId)) throw new Problem(400, "There is an event with this eventId.");
  const event = { eventId, ...(fields as EventFields) }; // every field is present
  museum.events.set(eventId, event);
  return json(201, event);
}

function sellTicket(museum: Museum, body: Readonly<Record<string, unknown>>, buyer: string): Reply {
  const { ticketType, email } = body;
  if (ticketType !== "event" && ticketType !== "general")
    throw new Problem(400, "ticketType must be event or general.");
  const ticketDate = parseDate(body["ticketDate"], "ticketDate");
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(parseText(email, "email")))
    throw new Problem(400, "email must be an email address.");
  const event = ticketType === "event" ? findEvent(museum, parseEventId(body)) : undefined;
  if (event?.dates.includes(ticketDate) === false)
    throw new Problem(400, "The event is not held on ticketDate.");
  const ticketId = museum.newId("ticket");
  const confirmationCode = `ticket-${ticketType}-${ticketId.slice(0, 6)}-${ticketId.slice(-5)}`;
  const ofEvent = event === undefined ? {} : { eventId: event.eventId };
  const ticket: Ticket = { ticketId, ticketDate, ticketType, ...ofEvent, confirmationCode, buyer };
  museum.tickets.set(ticketId, ticket);
  const what = ticketType === "event" ? "special event" : "general entry";
  const { buyer: _private, ...shown } = ticket;
  return json(201, { message: `Museum ${what} ticket purchased`, ...shown });
}

function parseEventId({ eventId }: Readonly<Record<string, unknown>>): Parameters {
  if (eventId === undefined) throw new Problem(400, "An event ticket needs an eventId.");
  return { eventId: parseId(eventId, "eventId") };
}
