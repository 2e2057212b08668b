// Ways in which a model service answers otherwise than it should, as wrappers around it, and the edits they are made of.
import { isJson, matchRoute, type Reply, type Request, type Service } from "./service.ts";

/** Puts other behaviour around a service, or changes its data before it starts. */
export type Wrap<State = unknown> = (service: Service, state: State) => Service;

/** A mutant, which breaks the document or its evident meaning, or a variant, which keeps both. */
export interface Drift<State = unknown> {
  readonly id: string;
  /** The harm to a user of the API, or the difference. */
  readonly says: string;
  /** Requests whose responses differ from those of the clean service, in the form of `play`. */
  readonly reveal: readonly string[];
  readonly wrap: Wrap<State>;
}

export type JsonObject = Record<string, unknown>;
export type EditReply = (reply: Reply, request: Request, service: Service) => Reply;

/** `*`, or routes such as `GET /tickets/{ticketId}/qr`. */
export type Where = string | readonly string[];

export function isAt(where: Where, request: Request): boolean {
  return where === "*" || [where].flat().some((route) => matchRoute(route, request) !== undefined);
}

/** Changes what the service replies there. */
export function replies(where: Where, edit: EditReply): Wrap {
  return (service) => (request) => {
    const reply = service(request);
    return isAt(where, request) ? edit(reply, request, service) : reply;
  };
}

/** The service hears another request there. */
export function hears(where: Where, edit: (request: Request, service: Service) => Request): Wrap {
  return (service) => (request) => service(isAt(where, request) ? edit(request, service) : request);
}

/** Applies the edit to successes only, or to replies of this status. */
export function when(status: number | "success", edit: EditReply): EditReply {
  return (reply, request, service) => {
    const fits = status === "success" ? reply.status < 300 : reply.status === status;
    return fits ? edit(reply, request, service) : reply;
  };
}

export function withHeaders(headers: Readonly<Record<string, string | undefined>>): EditReply {
  return (reply) => {
    const merged = Object.entries({ ...reply.headers, ...headers });
    const kept = merged.filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { ...reply, headers: Object.fromEntries(kept) };
  };
}

/** Changes the whole JSON of a success. */
export function body(edit: (value: unknown, request: Request) => unknown): EditReply {
  return when("success", (reply, request) =>
    isJson(reply)
      ? { ...reply, body: JSON.stringify(edit(JSON.parse(reply.body.toString()), request)) }
      : reply,
  );
}

/** Changes each record of a success: the rows of a list, or the one. */
export function records(edit: (record: JsonObject, request: Request) => JsonObject): EditReply {
  return body((value, request) => {
    const change = (row: unknown) => edit(row as JsonObject, request); // the services answer nothing but objects
    if (Array.isArray(value)) return value.map(change);
    const { items } = value as JsonObject; // as above
    return Array.isArray(items)
      ? { ...(value as JsonObject), items: items.map(change) }
      : change(value);
  });
}

/** Changes the rows of a list. */
export function rows(edit: (rows: JsonObject[], request: Request) => JsonObject[]): EditReply {
  return body((value, request) => {
    if (Array.isArray(value)) return edit(value as JsonObject[], request); // lists hold objects
    const page = value as { items: JsonObject[] };
    return { ...page, items: edit(page.items, request) };
  });
}

export function without(...names: readonly string[]): (record: JsonObject) => JsonObject {
  return (record) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

export function renamed(from: string, to: string): (record: JsonObject) => JsonObject {
  return (record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name === from ? to : name, value]),
    );
}

/** Changes a field that is there. The edit names the type that the field has. */
export function field(
  name: string,
  edit: (value: never) => unknown,
): (record: JsonObject) => JsonObject {
  return (record) => (name in record ? { ...record, [name]: edit(record[name] as never) } : record);
}

export function withQuery(
  request: Request,
  changes: Readonly<Record<string, string | undefined>>,
): Request {
  const query = new URLSearchParams(request.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return { ...request, query };
}

/** Changes the JSON object that is sent; anything else stays unchanged. */
export function withSent(request: Request, edit: (sent: JsonObject) => JsonObject): Request {
  try {
    const sent: unknown = JSON.parse(request.body);
    if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return request;
    return { ...request, body: JSON.stringify(edit(sent as JsonObject)) };
  } catch {
    return request; // a caller may send what is not JSON
  }
}
