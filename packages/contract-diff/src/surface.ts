// A document taken apart into what a client meets: operations, parameters, bodies, answers, headers, media types and every
// schema in its place of use, with references followed. Names of components do not matter here, their use does.
import { toObject, type JsonObject, type Place } from "./json.ts";
import type { Beside, Part, Role, Surface } from "./parts.ts";
import { children, inside, list, path } from "./places.ts";
import { createNames, type Names } from "./names.ts";
import { toSchemaParts } from "./schema-parts.ts";
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

/** Takes a document apart. Throws an Error when it is no OpenAPI 3 document, or has a reference that leads nowhere. */
export function toSurface(
  document: JsonObject,
  { earlier = new Map(), other = earlier }: Beside = {},
): Surface {
  if (!/^3\.[012]\./.test(String(toObject(document)["openapi"])))
    throw new Error("no OpenAPI document: openapi must be 3.0.x, 3.1.x or 3.2.x");
  const root = { document, pointer: "#", usedAt: "#", node: document };
  const walk = new Walk(root, earlier, other);
  return new Map([...walk.document()].map((part) => [part.name, part]));
}

/** By method; OpenAPI 3.2 has those of other methods in a place of their own. */
function* operationsOf(item: Place): Generator<readonly [string, Place]> {
  yield* children(item, (key) => METHODS.has(key));
  yield* children(inside(item, "additionalOperations"));
}

const isNoExtension = (key: string): boolean => !key.startsWith("x-");

interface Operation {
  readonly method: string;
  readonly route: string;
  readonly operation: Place;
  readonly item: Place;
  /** Who writes the request; the other side writes the answer. A webhook is a request of the service. */
  readonly sender: "client" | "service";
}

class Walk {
  readonly #earlier: Surface;
  readonly #other: Surface;
  readonly #names: Names;

  readonly #root: Place;
  readonly #schemes: Schemes;

  constructor(root: Place, earlier: Surface, other: Surface) {
    this.#root = root;
    this.#earlier = earlier;
    this.#other = other;
    this.#names = createNames(earlier);
    this.#schemes = new Schemes(root, earlier);
  }

  *document(): Generator<Part> {
    const root = this.#root;
    const direction = "response";
    yield { ...root, kind: "document", name: "document", direction };
    const info = inside(root, "info");
    if (info) yield { ...info, kind: "info", name: "info", direction };
    for (const server of serversOf(root)) {
      yield { ...server, kind: "server", name: `server ${String(server.node["url"])}`, direction };
    }
    for (const [route, item] of children(path(root, "paths"), isNoExtension)) {
      for (const [method, operation] of operationsOf(item)) {
        yield* this.#operation({ method, route, operation, item, sender: "client" });
      }
    }
    for (const [hook, item] of children(path(root, "webhooks"), isNoExtension)) {
      for (const [method, operation] of operationsOf(item)) {
        const route = `webhook ${hook}`;
        yield* this.#operation({ method, route, operation, item, sender: "service" });
      }
    }
    yield* this.#schemes.parts();
  }

  *#operation({ method, route, operation, item, sender }: Operation): Generator<Part> {
    const name = this.#names.toOperation(method.toUpperCase(), route);
    const isHook = sender === "service";
    const { security = isHook ? undefined : this.#root.node["security"] } = operation.node;
    const located = operation.node["servers"] === undefined ? item : operation;
    const servers = ownServersOf(located, this.#root);
    const node = { ...operation.node, security: this.#schemes.ask(security), servers };
    const [direction, reply] = isHook
      ? (["response", "request"] as const)
      : (["request", "response"] as const);
    yield { ...operation, kind: "operation", direction, name, node };
    for (const parameter of [item, operation].flatMap((owner) => list(owner, "parameters"))) {
      const called = this.#names.toParameter(name, route, parameter.node);
      yield* this.#carrier(parameter, { kind: "parameter", direction, name: called, owner: name });
    }
    const body = inside(operation, "requestBody");
    if (body)
      yield* this.#carrier(body, { kind: "body", direction, name: `${name} body`, owner: name });
    for (const [status, answer] of children(inside(operation, "responses"), isNoExtension)) {
      const role = { kind: "answer", direction: reply, name: `${name} ${status}` } as const;
      yield* this.#answer(answer, { ...role, owner: name });
    }
  }

  *#answer(answer: Place, role: Role): Generator<Part> {
    const { direction, name } = role;
    yield* this.#carrier(answer, role);
    for (const [header, place] of children(inside(answer, "headers"))) {
      const called = this.#names.toFolded(name, header);
      yield* this.#carrier(place, { kind: "header", direction, name: called, owner: name });
    }
    for (const [link, place] of children(inside(answer, "links"))) {
      yield { ...place, kind: "link", direction, name: `${name} link ${link}`, owner: name };
    }
  }

  /** Something that has a schema, or media types that have one. */
  *#carrier(place: Place, role: Role): Generator<Part> {
    const { direction, name } = role;
    yield { ...role, ...place };
    const beside = { earlier: this.#earlier, other: this.#other };
    // `itemSchema` is that of each item of a stream (OpenAPI 3.2).
    for (const [key, mark] of [
      ["schema", ""],
      ["itemSchema", "item "],
    ] as const) {
      const schema = inside(place, key);
      const inner = { kind: "schema", direction, name: `${name} ${mark}`, owner: name } as const;
      if (schema) yield* toSchemaParts(schema, inner, beside);
    }
    for (const [type, media] of children(inside(place, "content"))) {
      const called = this.#names.toFolded(name, type);
      yield* this.#carrier(media, { kind: "media", direction, name: called, owner: name });
    }
  }
}
