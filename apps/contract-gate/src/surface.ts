// A document taken apart into what a client meets: operations, parameters, bodies, answers, headers, media types and every
// schema in its place of use, with references followed. Names of components do not matter here, their use does.
import { below, isObject, lookUp, toList, toObject, type JsonObject } from "./json.ts";

export type PartKind =
  | "info"
  | "scheme"
  | "operation"
  | "parameter"
  | "body"
  | "answer"
  | "header"
  | "media"
  | "schema";

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
const COMBINATIONS = ["allOf", "anyOf", "oneOf", "prefixItems"];

/** Takes a bundled OpenAPI 3.1 document apart. Throws an Error for a reference that leads nowhere. */
export function toSurface(document: JsonObject): Surface {
  return new Map([...walkDocument(document)].map((part) => [part.name, part]));
}

function* walkDocument(document: JsonObject): Generator<Part> {
  const root = { pointer: "#", node: document };
  const walk = new Walk(document);
  const info = walk.inside(root, "info");
  if (info) yield { ...info, kind: "info", name: "info", direction: "response" };
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
    const security = operation.node["security"] ?? this.#document["security"] ?? [];
    const node = { ...operation.node, security };
    yield { kind: "operation", direction: "request", name, pointer: operation.pointer, node };
    for (const owner of [item, operation]) {
      for (const parameter of this.#list(owner, "parameters")) {
        const { in: place, name: called } = parameter.node;
        yield* this.#carrier(parameter, {
          kind: "parameter",
          direction: "request",
          name: `${name} ${String(place)} ${String(called)}`,
        });
      }
    }
    const body = this.inside(operation, "requestBody");
    if (body)
      yield* this.#carrier(body, { kind: "body", direction: "request", name: `${name} body` });
    for (const [status, answer] of this.children(this.inside(operation, "responses"))) {
      yield* this.#answer(answer, `${name} ${status}`);
    }
  }

  *#answer(answer: Place, name: string): Generator<Part> {
    yield* this.#carrier(answer, { kind: "answer", direction: "response", name });
    for (const [header, place] of this.children(this.inside(answer, "headers"))) {
      yield* this.#carrier(place, {
        kind: "header",
        direction: "response",
        name: `${name} ${header}`,
      });
    }
  }

  /** Something that has a schema, or media types that have one. */
  *#carrier(place: Place, role: Role): Generator<Part> {
    yield { ...role, ...place };
    const schema = this.inside(place, "schema");
    if (schema) yield* this.#schema(schema, { ...role, kind: "schema", name: `${role.name} ` }, []);
    for (const [type, media] of this.children(this.inside(place, "content"))) {
      yield* this.#carrier(media, { ...role, kind: "media", name: `${role.name} ${type}` });
    }
  }

  /** A schema and all in it; one that contains itself is followed once. */
  *#schema(schema: Place, role: Role, within: readonly string[]): Generator<Part> {
    if (within.includes(schema.pointer)) return;
    yield { ...role, ...schema };
    const chain = [...within, schema.pointer];
    for (const [step, inner] of this.#subschemas(schema)) {
      yield* this.#schema(inner, { ...role, name: `${role.name}${step}` }, chain);
    }
  }

  *#subschemas(schema: Place): Generator<readonly [string, Place]> {
    for (const [key, inner] of this.children(this.inside(schema, "properties"))) {
      yield [`.${key}`, inner];
    }
    for (const [keyword, step] of [
      ["items", "[]"],
      ["additionalProperties", ".*"],
    ] as const) {
      const inner = this.inside(schema, keyword);
      if (inner) yield [step, inner];
    }
    for (const keyword of COMBINATIONS) {
      for (const [index, inner] of this.#list(schema, keyword).entries()) {
        yield [` ${keyword} ${index}`, inner];
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

  #list({ pointer, node }: Place, key: string): Place[] {
    const at = below(pointer, key);
    return toList(node[key]).flatMap(
      (item, index) => this.#resolve({ pointer: below(at, index), node: item }) ?? [],
    );
  }

  #resolve({ pointer, node }: { pointer: string; node: unknown }): Place | undefined {
    const target = toObject(node)["$ref"];
    if (typeof target !== "string") return isObject(node) ? { pointer, node } : undefined;
    const found = lookUp(this.#document, target);
    if (found === undefined) throw new Error(`${pointer} refers to ${target}, which is not there`);
    return this.#resolve({ pointer: target, node: found });
  }
}
