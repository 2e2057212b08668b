// Shared parts of the railway's drifts: its routes, and lists rebuilt from all of their rows.
import {
  body,
  isAt,
  type JsonObject,
  readAll as readPages,
  replies,
  type Request,
  type Service,
  withQuery,
  type Wrap,
} from "@call-media/test-setup/model-service";
import { type Railway, toId } from "../railway.ts";

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

/** Paths of bookings, of which the second is paid, and of a passenger of the first. */
export const open = `/bookings/${toId("bk", 1)}`;
export const paid = `/bookings/${toId("bk", 2)}`;
export const passenger = `${open}/passengers/${toId("ps", 1)}`;
export const person = '"givenName":"Eve","familyName":"Berg","category":"adult"';

export const departures = "key GET /stations/TAR/departures?from=2026-11-02T08:00:00Z";

/** Headers of a change, for the lines of `reveal`. */
export const PATCH = "Content-Type=application/merge-patch+json";

const PAGING = { index: "page", size: "size", most: 50 };

/** All rows of a list, of any of its pages. */
export const readAll = (service: Service, request: Request): JsonObject[] =>
  readPages(service, request, PAGING);

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

interface Page {
  readonly page: number;
  readonly next: string | null;
}

/** Changes the link to the next page. */
export const nextOf = (
  where: string | readonly string[],
  edit: (page: Page, request: Request) => string | null,
): Wrap =>
  replies(
    where,
    body((value, request) => ({ ...Object(value), next: edit(value as Page, request) })), // as documented
  );

/** The id of the booking in the path. */
export function bookingOf({ path }: Request): string {
  return path.split("/")[2] ?? "";
}

export const toBookings = ({ bookings }: Railway) => bookings;
