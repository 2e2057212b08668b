// Walks two documents together: every part that concerns a client, at its place of use, with references followed. The use of components
// matters, not their names.
import type { Place } from "./json.ts";
import { bothOf, eitherOf, mapPair, type Pair, pairByKey, pairUp } from "./pairs.ts";
import type { Form, Meeting, Role } from "./parts.ts";
import { children, inside, list, pairInside, path } from "./places.ts";
import { takesSeveral } from "./rules/parameters.ts";
import { SchemaMeetings } from "./schema-meetings.ts";
import { Schemes } from "./schemes.ts";
import { ownServersOf, serversOf } from "./servers.ts";

const METHODS: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query", // OpenAPI 3.2
]);

/** All parts at the same place of both documents. A part in only one document comes without its content. */
export function findMeetings(before: Place, after: Place): Iterable<Meeting> {
  return new Walk(before, after).document();
}

interface Operation {
  /** Method and path: `GET /flags/{id}`. */
  readonly name: string;
  readonly place: Place;
  readonly item: Place;
  readonly root: Place;
}

/** The side that writes the request; the other side writes the response. The service sends the requests of webhooks and callbacks. */
type Sender = "client" | "service";

class Walk {
  readonly #roots: Pair<Place>;
  readonly #schemes: Schemes;
  readonly #schemas = new SchemaMeetings();

  constructor(before: Place, after: Place) {
    this.#roots = { before, after };
    this.#schemes = new Schemes(before, after);
  }

  *document(): Generator<Meeting> {
    const roots = this.#roots;
    const direction = "response";
    yield* meet(roots, { kind: "document", name: "document", direction });
    const info = mapPair(roots, (root) => inside(root, "info"));
    yield* meet(info, { kind: "info", name: "info", direction });
    const urlOf = ({ node }: Place) => String(node["url"]);
    for (const server of pairLists(roots, serversOf, urlOf)) {
      yield* meet(server, { kind: "server", name: `server ${urlOf(eitherOf(server))}`, direction });
    }
    const listIn = (key: string, prefix: string) =>
      mapPair(roots, (root) => [...operationsOf(path(root, key), { root, prefix })]);
    yield* this.#operations(listIn("paths", ""), "client");
    yield* this.#operations(listIn("webhooks", "webhook "), "service");
    for (const scheme of this.#schemes.pairs()) yield { ...scheme, owners: [] };
  }

  *#operations(
    { before = [], after = [] }: Pair<Operation[]>,
    sender: Sender,
    owner?: Meeting,
  ): Generator<Meeting> {
    const isSameName = (one: Operation, other: Operation) => one.name === other.name;
    const isSamePath = (one: Operation, other: Operation) =>
      withoutNames(one.name) === withoutNames(other.name);
    for (const pair of pairUp(before, after, isSameName, isSamePath))
      yield* this.#operation(pair, sender, owner);
  }

  *#operation(pair: Pair<Operation>, sender: Sender, owner?: Meeting): Generator<Meeting> {
    const { name } = eitherOf(pair);
    const [direction, reply] =
      sender === "client" ? (["request", "response"] as const) : (["response", "request"] as const);
    const places = {
      before: pair.before && this.#inForce("before", pair.before, sender),
      after: pair.after && this.#inForce("after", pair.after, sender),
    };
    const meeting = yield* meet(places, { kind: "operation", direction, name }, owner);
    if (meeting === undefined) return;
    for (const both of pairLists(pair, parametersOf, ({ key }) => key)) {
      const parameter = mapPair(both, ({ place }) => place);
      const { in: where, name: called } = eitherOf(parameter).node;
      const role = {
        kind: "parameter",
        form: "text",
        direction,
        name: `${name} ${String(where)} ${String(called)}`,
      } as const;
      yield* this.#carrier(parameter, role, meeting);
    }
    const body = mapPair(places, (place) => inside(place, "requestBody"));
    yield* this.#carrier(body, { kind: "body", direction, name: `${name} body` }, meeting);
    for (const [status, answer] of pairInside(places, "responses", { isAsked: isNoExtension })) {
      const role = { kind: "answer", direction: reply, name: `${name} ${status}` } as const;
      yield* this.#answer(answer, role, meeting);
    }
    const callbacks = mapPair(pair, (operation) => [...callbacksOf(operation)]);
    yield* this.#operations(callbacks, sender === "client" ? "service" : "client", meeting);
  }

  /** An operation with the credentials and servers that apply to it. */
  #inForce(side: keyof Pair<Place>, { place, item, root }: Operation, sender: Sender): Place {
    const { security = sender === "client" ? root.node["security"] : undefined } = place.node;
    const servers = ownServersOf(place.node["servers"] === undefined ? item : place, root);
    return {
      ...place,
      node: { ...place.node, security: this.#schemes.ask(side, security), servers },
    };
  }

  *#answer(answer: Pair<Place>, role: Role, owner: Meeting): Generator<Meeting> {
    const { direction, name } = role;
    const meeting = yield* this.#carrier(answer, role, owner);
    if (meeting === undefined) return;
    for (const [header, place] of pairInside(meeting, "headers", FOLDED)) {
      yield* this.#carrier(
        place,
        { kind: "header", direction, name: `${name} ${header}`, form: "text" },
        meeting,
      );
    }
    for (const [link, place] of pairInside(meeting, "links")) {
      yield* meet(place, { kind: "link", direction, name: `${name} link ${link}` }, meeting);
    }
  }

  /** A part with a schema, or with media types that have one. */
  *#carrier(
    pair: Pair<Place>,
    role: Role,
    owner: Meeting,
  ): Generator<Meeting, Meeting | undefined> {
    const { kind, direction, name, form } = role;
    const meeting = yield* meet(pair, role, owner);
    const both = meeting && bothOf(meeting);
    if (meeting === undefined || both === undefined) return undefined;
    const isList = kind === "parameter" && takesSeveral(...both);
    // `itemSchema` describes each item of a stream (OpenAPI 3.2).
    for (const [key, mark] of [
      ["schema", ""],
      ["itemSchema", "item "],
    ] as const) {
      const { before, after: whole } = mapPair(meeting, (place) => inside(place, key));
      const after = isList ? whole && inside(whole, "items") : whole;
      const inner = { kind: "schema", direction, name: `${name} ${mark}`, form } as const;
      yield* this.#schemas.find({ before, after }, inner, meeting);
    }
    for (const [type, media] of pairInside(meeting, "content", FOLDED)) {
      const inner = {
        kind: "media",
        direction,
        name: `${name} ${type}`,
        form: formOf(type),
      } as const;
      yield* this.#carrier(media, inner, meeting);
    }
    return meeting;
  }
}

/** Returns the meeting if both documents have the part, so that its content can be compared. */
function* meet(
  places: Pair<Place>,
  role: Role,
  owner?: Meeting,
): Generator<Meeting, Meeting | undefined> {
  const parts = mapPair(places, (place) => ({ ...place, ...role }));
  if (parts.before === undefined && parts.after === undefined) return undefined;
  const meeting = { ...parts, owners: owner === undefined ? [] : [owner] };
  yield meeting;
  return bothOf(meeting) && meeting;
}

interface Naming {
  readonly root: Place;
  readonly prefix: string;
}

/** Operations by method. OpenAPI 3.2 has a separate place for additional methods. */
function* operationsOf(items: Place | undefined, { root, prefix }: Naming): Generator<Operation> {
  for (const [route, item] of children(items, isNoExtension)) {
    const known = children(item, (key) => METHODS.has(key));
    for (const [method, place] of [...known, ...children(inside(item, "additionalOperations"))])
      yield { name: `${method.toUpperCase()} ${prefix}${route}`, place, item, root };
  }
}

function* callbacksOf({ name, place, root }: Operation): Generator<Operation> {
  for (const [called, callback] of children(inside(place, "callbacks"), isNoExtension))
    yield* operationsOf(callback, { root, prefix: `callback ${called} of ${name} to ` });
}

interface Parameter {
  readonly key: string;
  readonly place: Place;
}

/** Parameters of an operation override those of its path. */
function parametersOf({ name, item, place }: Operation): Parameter[] {
  const names = namesOf(name);
  return [item, place]
    .flatMap((owner) => list(owner, "parameters"))
    .map((parameter) => {
      const { in: where, name: called } = parameter.node;
      const at = where === "path" ? names.indexOf(String(called)) : -1;
      const known = where === "header" ? toFolded(String(called)) : String(called);
      return { key: `${String(where)} ${at < 0 ? known : at}`, place: parameter };
    });
}

function pairLists<T, R>(
  pair: Pair<T>,
  listOf: (side: T) => readonly R[],
  keyOf: (item: R) => string,
): Pair<R>[] {
  const { before = [], after = [] } = mapPair(pair, listOf);
  return pairByKey(before, after, keyOf);
}

/** The notation of values in a media type: XML by RFC 7303; forms and plain text have no quotes. */
function formOf(type: string): Form | undefined {
  if (/^[\w.-]+\/(?:[\w.-]+\+)?xml\s*(?:;|$)/i.test(type)) return "xml";
  return /^(?:text|multipart)\/|x-www-form-urlencoded/i.test(type) ? "text" : undefined;
}

/** Names of headers and media types are case-insensitive (RFC 9110, 5.1 and 8.3.1). */
const toFolded = (name: string): string => name.toLowerCase();
const FOLDED = { toKey: toFolded };

const isNoExtension = (key: string): boolean => !key.startsWith("x-");

const PARAMETER = /\{([^{}]*)\}/g;

const withoutNames = (route: string) => route.replaceAll(PARAMETER, "{}");

const namesOf = (route: string) => Array.from(route.matchAll(PARAMETER), ([, name]) => name);
