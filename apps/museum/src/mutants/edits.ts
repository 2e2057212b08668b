// Shared parts of the museum's drifts: its routes, and lists rebuilt from all of their rows.
import {
  addDays,
  isAt,
  type JsonObject,
  readAll,
  type Request,
  withQuery,
  type Wrap,
} from "@call-media/test-setup/model-service";
import { type Museum, toId } from "../museum.ts";

export const HOURS = "GET /museum-hours";
export const EVENTS = "GET /special-events";
export const LISTS = [HOURS, EVENTS];
export const CREATE = "POST /special-events";
export const EVENT = "GET /special-events/{eventId}";
export const CHANGE = "PATCH /special-events/{eventId}";
export const DELETE = "DELETE /special-events/{eventId}";
export const ANY_EVENT = [EVENTS, CREATE, EVENT, CHANGE];
export const BUY = "POST /tickets";
export const CODE = "GET /tickets/{ticketId}/qr";

/** Paths and lines of `play` that show drifts. */
export const event = `/special-events/${toId("event", 1)}`;
export const created = `/special-events/${toId("event", 61)}`;
export const buy = 'ann POST /tickets {"ticketType":"general","ticketDate":"2026-11-07"}';

const PAGING = { index: "page", size: "limit", most: 30 };

export interface Window {
  readonly page: number;
  readonly limit: number;
  /** Both ends are included. */
  readonly start: string;
  readonly end: string;
}

export function slice(rows: readonly JsonObject[], { page, limit }: Window): JsonObject[] {
  return rows.slice((page - 1) * limit, page * limit);
}

/**
 * Rebuilds a list from all of its rows by other rules.
 * @param other the request that supplies the rows; default: the same without page and limit
 */
export function relist(
  where: readonly string[],
  cut: (rows: JsonObject[], window: Window) => readonly unknown[],
  other: Readonly<Record<string, string>> = {},
): Wrap<Museum> {
  return (service, museum) => (request) => {
    const reply = service(request);
    if (reply.status !== 200 || !isAt(where, request)) return reply;
    const rows = readAll(service, withQuery(request, other), PAGING);
    return { ...reply, body: JSON.stringify(cut(rows, toWindow(request, museum))) };
  };
}

export function datesOf({ dates }: JsonObject): readonly string[] {
  return dates as string[]; // as documented
}

/** The id at the end of the path, or before `/qr`. */
export function idOf({ path }: Request): string {
  return path.split("/")[2] ?? "";
}

export const toEvents = ({ events }: Museum) => events;

function toWindow({ query }: Request, { today }: Museum): Window {
  const start = query.get("startDate") ?? today;
  return {
    page: Number(query.get("page") ?? 1),
    limit: Number(query.get("limit") ?? 10),
    start,
    end: query.get("endDate") ?? addDays(start, 7),
  };
}
