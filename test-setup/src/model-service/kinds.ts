// The kinds of drifts that more than one model service has, and the table of their rows.
import {
  type Drift,
  field,
  hears,
  isAt,
  type JsonObject,
  records,
  replies,
  type Where,
  when,
  withQuery,
  withSent,
  without,
  type Wrap,
} from "./drift.ts";
import type { Callers } from "./play.ts";
import type { Reply, Request, Service } from "./service.ts";

/** Drifts by id: what a user suffers, the request or requests that show it, and the behaviour. */
export type Rows<State> = Readonly<
  Record<string, readonly [says: string, reveal: string | readonly string[], wrap: Wrap<State>]>
>;

export const toDrifts = <State>(rows: Rows<State>): readonly Drift<State>[] =>
  Object.entries(rows).map(([id, [says, reveal, wrap]]) => ({
    id,
    says,
    reveal: [reveal].flat(),
    wrap,
  }));

/** Changes one field of each record. The edit names the type that the field has. */
export const fieldAt = (where: Where, name: string, edit: (value: never) => unknown): Wrap =>
  replies(where, records(field(name, edit)));

export const fieldLost = (where: Where, name: string): Wrap =>
  replies(where, records(without(name)));

/** Replies with another status, or with another response altogether. */
export const statusAt = (where: Where, from: number | "success", to: number | Reply): Wrap =>
  replies(
    where,
    when(from, (reply) => (typeof to === "number" ? { ...reply, status: to } : to)),
  );

/** The service reads other JSON than was sent. */
export const sentAt = (where: Where, edit: (sent: JsonObject) => JsonObject): Wrap =>
  hears(where, (request) => withSent(request, edit));

type Query = Readonly<Record<string, string | undefined>>;

/** The service reads other parameters than were sent; undefined if it reads those. */
export const queryAt = (
  where: Where,
  edit: (query: URLSearchParams, request: Request) => Query | undefined,
): Wrap =>
  hears(where, (request) => {
    const changes = edit(request.query, request);
    return changes === undefined ? request : withQuery(request, changes);
  });

/** Absent parameters have these values. */
export const withDefaults = (where: Where, values: Readonly<Record<string, string>>): Wrap =>
  queryAt(where, (query) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !query.has(name))),
  );

/** A page never has more than `most` rows, although the document allows `allowed`. */
export const cappedPages = (
  where: Where,
  name: string,
  { most, allowed }: { readonly most: number; readonly allowed: number },
): Wrap =>
  queryAt(where, (query) => {
    const size = Number(query.get(name) ?? 0);
    return size > most && size <= allowed ? { [name]: String(most) } : undefined;
  });

/** Another response to what the service refuses with this status; undefined leaves the refusal. */
export const insteadOf =
  <State = unknown>(
    status: number,
    where: Where,
    answer: (request: Request, service: Service, state: State) => Reply | undefined,
  ): Wrap<State> =>
  (service, state) =>
  (request) => {
    const reply = service(request);
    return isAt(where, request) && reply.status === status
      ? (answer(request, service, state) ?? reply)
      : reply;
  };

/** Does something all the same after it has refused. */
export const doneThough = <State = unknown>(
  status: number,
  where: Where,
  act: (request: Request, service: Service, state: State) => unknown,
): Wrap<State> =>
  insteadOf<State>(status, where, (...asked) => {
    act(...asked);
    return undefined;
  });

/** The same request from another caller. */
export function as(caller: Callers[string] | undefined, request: Request): Request {
  const authorization = caller?.["Authorization"] ?? "";
  return { ...request, headers: { ...request.headers, authorization } };
}

/** Returns what another caller gets if this one gets 404. */
export const asAnybody = (
  callers: Callers,
  where: Where,
  fits: (request: Request) => boolean = () => true,
): Wrap =>
  insteadOf(404, where, (request, service) =>
    fits(request)
      ? Object.values(callers)
          .map((caller) => service(as(caller, request)))
          .find(({ status }) => status < 300)
      : undefined,
  );

/** Keeps the first success for a key forever. */
export const cached =
  (where: Where, toKey: (request: Request) => string): Wrap =>
  (service) => {
    const kept = new Map<string, Reply>();
    return (request) => {
      const reply = service(request);
      if (!isAt(where, request) || reply.status < 200 || reply.status > 201) return reply;
      const key = toKey(request);
      kept.set(key, kept.get(key) ?? reply);
      return kept.get(key) ?? reply;
    };
  };

/** Returns the correct reply, but restores the thing. */
export const undone =
  <State, Thing>(
    where: Where,
    toThings: (state: State) => Map<string, Thing>,
    toId: (request: Request) => string,
  ): Wrap<State> =>
  (service, state) =>
  (request) => {
    const [things, id] = [toThings(state), toId(request)];
    const before = things.get(id);
    const reply = service(request);
    if (isAt(where, request) && before !== undefined) things.set(id, before);
    return reply;
  };

/** A field keeps the value with which the record was first seen. */
export const staleField =
  <State>(
    where: Where,
    name: string,
    toFirst: (state: State) => Iterable<readonly [id: string, value: unknown]>,
  ): Wrap<State> =>
  (service, state) => {
    const known = new Map<unknown, unknown>(toFirst(state));
    const keep = (record: JsonObject): JsonObject => {
      const value = known.get(record["id"]) ?? record[name];
      known.set(record["id"], value);
      return { ...record, [name]: value };
    };
    return replies(where, records(keep))(service, undefined);
  };

/** The names of a list's parameters for pages. */
export interface Paging {
  readonly index: string;
  readonly size: string;
  readonly most: number;
}

/** All rows of a list, page by page. */
export function readAll(service: Service, request: Request, { index, size, most }: Paging) {
  const found: JsonObject[] = [];
  for (let page = 1; found.length === (page - 1) * most; page += 1) {
    const paged = service(withQuery(request, { [index]: String(page), [size]: String(most) }));
    const json = JSON.parse(paged.body.toString()) as JsonObject[] | { items: JsonObject[] }; // as documented
    found.push(...(Array.isArray(json) ? json : json.items));
  }
  return found;
}
