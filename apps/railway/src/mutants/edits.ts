// Shared parts of the railway's drifts: its routes, and lists rebuilt from all of their rows.
import {
  isAt,
  type JsonObject,
  type Request,
  type Service,
  withQuery,
  type Wrap,
} from "@call-media/test-setup/model-service";
import { callers } from "../service.ts";

export const STATIONS = "GET /stations";
export const STATION = "GET /stations/{code}";
export const DEPARTURES = "GET /stations/{code}/departures";
export const LINE = "GET /lines/{lineId}";
export const JOURNEYS = "GET /journeys";
export const BOOKINGS = "GET /bookings";
export const BOOK = "POST /bookings";
export const BOOKING = "GET /bookings/{bookingId}";
export const CHANGE = "PATCH /bookings/{bookingId}";
export const CANCEL = "POST /bookings/{bookingId}/cancellation";
export const PASSENGERS = "GET /bookings/{bookingId}/passengers";
export const ADD = "POST /bookings/{bookingId}/passengers";
export const PASSENGER = "GET /bookings/{bookingId}/passengers/{passengerId}";
export const REPLACE = "PUT /bookings/{bookingId}/passengers/{passengerId}";
export const PAYMENT = "GET /bookings/{bookingId}/payment";
export const PAY = "PUT /bookings/{bookingId}/payment";
/** Operations that return bookings. */
export const ANY_BOOKING = [BOOKINGS, BOOK, BOOKING, CHANGE, CANCEL];

/** Headers of a change, for the lines of `reveal`. */
export const PATCH = "Content-Type=application/merge-patch+json";

const MAX_SIZE = 50;

/**
 * Rebuilds a paged list from all of its rows by other rules.
 * @param other changes to the request that supplies the rows; default: the same request without page and size
 */
export function relist(
  where: string,
  make: (rows: JsonObject[], request: Request, service: Service) => JsonObject[],
  other: Readonly<Record<string, string | undefined>> = {},
): Wrap {
  return (service) => (request) => {
    const reply = service(request);
    if (reply.status !== 200 || !isAt(where, request)) return reply;
    const rows = make(readAll(service, withQuery(request, other)), request, service);
    const { page, size } = JSON.parse(reply.body.toString()) as { page: number; size: number }; // as documented
    const query = withQuery(request, { page: String(page + 1) }).query.toString();
    const next = page * size < rows.length ? `${request.path}?${query}` : null;
    const items = rows.slice((page - 1) * size, page * size);
    return { ...reply, body: JSON.stringify({ items, page, size, total: rows.length, next }) };
  };
}

export function readAll(service: Service, request: Request): JsonObject[] {
  const rows: JsonObject[] = [];
  for (let page = 1; rows.length === (page - 1) * MAX_SIZE; page += 1) {
    const paged = service(withQuery(request, { page: String(page), size: String(MAX_SIZE) }));
    rows.push(...(JSON.parse(paged.body.toString()) as { items: JsonObject[] }).items); // as documented
  }
  return rows;
}

/** Returns the owner's response if the caller gets 404. */
export function asAnybody(where: string, fits: (request: Request) => boolean = () => true): Wrap {
  return (service) => (request) => {
    const reply = service(request);
    if (!isAt(where, request) || !fits(request) || reply.status !== 404) return reply;
    const others = ["ada", "ben"].map((name) => service(as(name, request)));
    return others.find(({ status }) => status < 300) ?? reply;
  };
}

/** The same request from another caller. */
export function as(name: string, request: Request): Request {
  const authorization = callers[name]?.["Authorization"] ?? "";
  return { ...request, headers: { ...request.headers, authorization } };
}

/** The id of the booking in the path. */
export function bookingOf({ path }: Request): string {
  return path.split("/")[2] ?? "";
}
