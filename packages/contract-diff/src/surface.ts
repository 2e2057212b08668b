// A document taken apart into what a client meets: operations, parameters, bodies, answers, headers, media types and every
// schema in its place of use, with references followed. Names of components do not matter here, their use does.
import { below, isObject, lookUp, toList, toObject, type JsonObject } from "./json.ts";

export type PartKind =
  | "document"
  | "info"
  | "scheme"
  | "server"
  | "operation"
  | "parameter"
  | "body"
  | "answer"
  | "header"
  | "media"
  | "schema"
  /** The schema of a field of an object. */
  | "field"
  /** A schema in a list of which all, any or one must hold. */
  | "member";

/** Who writes what is described: in a request the client does, and the service must take it. */
export type Direction = "request" | "response";

/** Something that is written in the document, where it is after references were followed. */
interface Place {
  readonly pointer: string;
  readonly node: JsonObject;
}

interface Role {
  readonly kind: PartKind;
  readonly direction: Direction;
  /** In words and the same in both documents: `GET /flags/public 200 application/json data[].Name`. */
  readonly name: string;
  /** The name of the part that it belongs to; none at the top. */
  readonly owner?: string;
}

export interface Part extends Place, Role {}

/** The parts of a document by name. An operation's `security` is the one in force: its own or else the document's. */
export type Surface = ReadonlyMap<string, Part>;

const METHODS: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
]);

/** Takes a document apart. Throws an Error when it is no OpenAPI 3 document, or has a reference that leads nowhere. */
export function toSurface(document: JsonObject): Surface {
  if (!/^3\.[01]\./.test(String(document["openapi"])))
    throw new Error("no OpenAPI document: openapi must be 3.0.x or 3.1.x");
  return new Map([...walkDocument(document)].map((part) => [part.name, part]));
}

function* walkDocument(document: JsonObject): Generator<Part> {
  const root = { pointer: "#", node: document };
  const walk = new Walk(document);
  yield { ...root, kind: "document", name: "document", direction: "response" };
  const info = walk.inside(root, "info");
  if (info) yield { ...info, kind: "info", name: "info", direction: "response" };
  for (const server of walk.list(root, "servers")) {
    yield {
      ...server,
      kind: "server",
      name: `server ${String(server.node["url"])}`,
      direction: "response",
    };
  }
  const schemes = walk.path(root, "components", "securitySchemes");
  for (const [name, scheme] of walk.children(schemes)) {
    yield { ...scheme, kind: "scheme", name: `scheme ${name}`, direction: "request" };
  }
  for (const [path, item] of walk.children(walk.path(root, "paths"))) {
    for (const [method, operation] of walk.children(item)) {
      if (METHODS.has(method))
        yield* walk.operation(`${method.toUpperCase()} ${path}`, operation, item);
    }
  }
}

class Walk {
  readonly #document: JsonObject;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  *operation(name: string, operation: Place, item: Place): Generator<Part> {
    const { security = this.#document["security"] ?? [], servers = item.node["servers"] } =
      operation.node;
    const node = { ...operation.node, security, servers };
    const direction = "request";
    yield { kind: "operation", direction, name, pointer: operation.pointer, node };
    for (const parameter of [item, operation].flatMap((owner) => this.list(owner, "parameters"))) {
      const called = `${name} ${String(parameter.node["in"])} ${String(parameter.node["name"])}`;
      yield* this.#carrier(parameter, { kind: "parameter", direction, name: called, owner: name });
    }
    const body = this.inside(operation, "requestBody");
    if (body)
      yield* this.#carrier(body, { kind: "body", direction, name: `${name} body`, owner: name });
    for (const [status, answer] of this.children(this.inside(operation, "responses"))) {
      yield* this.#answer(answer, name, status);
    }
  }

  *#answer(answer: Place, owner: string, status: string): Generator<Part> {
    const direction = "response";
    const name = `${owner} ${status}`;
    yield* this.#carrier(answer, { kind: "answer", direction, name, owner });
    for (const [header, place] of this.children(this.inside(answer, "headers"))) {
      yield* this.#carrier(place, {
        kind: "header",
        direction,
        name: `${name} ${header}`,
        owner: name,
      });
    }
  }

  /** Something that has a schema, or media types that have one. */
  *#carrier(place: Place, role: Role): Generator<Part> {
    const { direction, name } = role;
    yield { ...role, ...place };
    const schema = this.inside(place, "schema");
    if (schema) {
      yield* this.#schema(schema, { kind: "schema", direction, name: `${name} `, owner: name }, []);
    }
    for (const [type, media] of this.children(this.inside(place, "content"))) {
      yield* this.#carrier(media, {
        kind: "media",
        direction,
        name: `${name} ${type}`,
        owner: name,
      });
    }
  }

  /** A schema and all in it; one that contains itself is followed once. */
  *#schema(schema: Place, role: Role, within: readonly string[]): Generator<Part> {
    if (within.includes(schema.pointer)) return;
    yield { ...role, ...schema };
    const chain = [...within, schema.pointer];
    for (const [kind, step, inner] of this.#subschemas(schema)) {
      const inside = {
        kind,
        direction: role.direction,
        name: `${role.name}${step}`,
        owner: role.name,
      };
      yield* this.#schema(inner, inside, chain);
    }
  }

  *#subschemas(schema: Place): Generator<readonly [PartKind, string, Place]> {
    for (const [key, inner] of this.children(this.inside(schema, "properties"))) {
      yield ["field", `.${key}`, inner];
    }
    const items = this.inside(schema, "items");
    if (items) yield ["schema", "[]", items];
    const others = this.inside(schema, "additionalProperties");
    if (others) yield ["schema", ".*", others];
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      for (const [index, inner] of this.list(schema, keyword).entries()) {
        yield ["member", ` ${keyword} ${index}`, inner];
      }
    }
  }

  /** What stands under a key; undefined where it is no object. */
  inside({ pointer, node }: Place, key: string): Place | undefined {
    return this.#resolve({ pointer: below(pointer, key), node: node[key] });
  }

  path(from: Place, ...keys: readonly string[]): Place | undefined {
    return keys.reduce<Place | undefined>((at, key) => at && this.inside(at, key), from);
  }

  *children(place: Place | undefined): Generator<readonly [string, Place]> {
    for (const key of Object.keys(place?.node ?? {})) {
      const child = place && this.inside(place, key);
      if (child) yield [key, child];
    }
  }

  list({ pointer, node }: Place, key: string): Place[] {
    const at = below(pointer, key);
    return toList(node[key]).flatMap(
      (item, index) => this.#resolve({ pointer: below(at, index), node: item }) ?? [],
    );
  }

  /** Follows references. What stands beside one is put over what it leads to, as OpenAPI 3.1 allows. */
  #resolve(
    from: { pointer: string; node: unknown },
    within: readonly string[] = [],
  ): Place | undefined {
    const { pointer, node } = from;
    const { $ref: target, ...beside } = toObject(node);
    if (typeof target !== "string") return isObject(node) ? { pointer, node } : undefined;
    if (!target.startsWith("#"))
      throw new Error(
        `${pointer} refers to ${target}, which is not in the document: bundle it first, for example with redocly bundle`,
      );
    const found = lookUp(this.#document, target);
    if (found === undefined || within.includes(target))
      throw new Error(`${pointer} refers to ${target}, which is not there`);
    const place = this.#resolve({ pointer: target, node: found }, [...within, target]);
    return place && { pointer: place.pointer, node: { ...place.node, ...beside } };
  }
}
