// Closed twins of schemas: undocumented fields are not allowed. Recursion is kept, with one definition per schema.
import { isObject, type JsonObject, lookUp } from "@call-media/contract-diff";
import { isModern, toTarget } from "./resolve.ts";
import { toUsable } from "./usable.ts";

/**
 * `closed`: a response without anything undocumented. `open`: a response that may have more than the document says. `request`: what a
 * client may send according to the document.
 */
export type Closing = "closed" | "open" | "request";

/** `whole`: a schema on its own. `member`, and `part` of an `allOf`: one of several schemas for the same value, which are closed together. */
type Role = "whole" | "member" | "part";

const MEMBERS: ReadonlySet<string> = new Set(["oneOf", "anyOf"]);
const LONE_MEMBERS: ReadonlySet<string> = new Set([
  "if",
  "then",
  "else",
  "not",
  "dependentSchemas",
]);
const SCHEMAS: ReadonlySet<string> = new Set([
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
]);
const MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties"]);
const UNJUDGED: ReadonlySet<string> = new Set([
  "example",
  "examples",
  "discriminator",
  "xml",
  "externalDocs",
  "$id",
  "$anchor",
  "$schema",
  "id",
]);

/** A standalone schema, with everything it refers to in `$defs`. */
export function toClosed(document: JsonObject, pointer: string, closing: Closing): JsonObject {
  const closer = new Closer(document, closing);
  const root = closer.refer(pointer, "whole");
  return { ...root, $defs: closer.definitions };
}

class Closer {
  readonly definitions: Record<string, unknown> = {};
  readonly #names = new Map<string, string>();
  readonly #document: JsonObject;
  readonly #closing: Closing;

  constructor(document: JsonObject, closing: Closing) {
    this.#document = document;
    this.#closing = closing;
  }

  refer(reference: string, role: Role): JsonObject {
    const pointer = toTarget(reference);
    const key = `${role} ${pointer}`;
    const known = this.#names.get(key);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = `s${this.#names.size}`;
    this.#names.set(key, name);
    const schema = lookUp(this.#document, pointer);
    if (schema === undefined) throw new Error(`${pointer} is not in the document`);
    this.definitions[name] = this.#rewrite(schema, role);
    return { $ref: `#/$defs/${name}` };
  }

  #rewrite(schema: unknown, role: Role): unknown {
    if (!isObject(schema)) return schema;
    return this.#rewriteUsable(toUsable(schema), role);
  }

  #rewriteUsable(schema: JsonObject, role: Role): unknown {
    const { nullable, ...others } = schema;
    const { $ref, type } = others;
    // Generators write "or null" this way, although OpenAPI 3.0.3 allows it only next to a type.
    if (nullable === true && type === undefined && !isModern(this.#document))
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      return { if: { not: { type: "null" } }, then: this.#rewrite(others, role) };
    const isLone = Object.keys(schema).length === 1 || !isModern(this.#document);
    if (typeof $ref === "string" && isLone) return this.refer($ref, role);
    // Bounds of 3.0 stand in documents of 3.1, too.
    const isOld = [schema["exclusiveMinimum"], schema["exclusiveMaximum"]].includes(true);
    const written = isModern(this.#document) && !isOld ? schema : toModern(schema);
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(written))
      if (!UNJUDGED.has(key) && !key.startsWith("x-")) out[key] = this.#keyword(key, value);
    this.#looseUnion(out);
    // Generators close each part of an `allOf`, which nothing could keep: the parts are closed together.
    const isClosedPart = schema["additionalProperties"] === false;
    const isUnited = Array.isArray(written["allOf"]);
    if (isClosedPart && (role === "part" || isUnited)) delete out["additionalProperties"];
    if (isUnited && role !== "part" && isShut(this.#document, written, new Set()))
      out["unevaluatedProperties"] = false;
    this.#looseRequired(written, out);
    tellRequired(written, out);
    const isClosed =
      role === "whole" && this.#closing === "closed" && tells(this.#document, written, new Set());
    if (isClosed && !isStated(this.#document, written, new Set()))
      out["unevaluatedProperties"] = false;
    return out;
  }

  #keyword(key: string, value: unknown): unknown {
    if (key === "$ref" && typeof value === "string") return this.refer(value, "member")["$ref"];
    if ((MEMBERS.has(key) || key === "allOf") && Array.isArray(value))
      return value.map((one) => this.#rewrite(one, key === "allOf" ? "part" : "member"));
    if (LONE_MEMBERS.has(key)) return this.#rewrite(value, "member");
    if (SCHEMAS.has(key)) return this.#rewrite(value, "whole");
    if (key === "prefixItems" && Array.isArray(value))
      return value.map((one) => this.#rewrite(one, "whole"));
    if (MAPS.has(key) && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, this.#rewrite(one, "whole")]),
      );
    return value;
  }

  /** No response can keep a `oneOf` of integer and number: what fits two of its schemas fits. */
  #looseUnion(out: Record<string, unknown>): void {
    if (this.#closing === "request" || out["oneOf"] === undefined || out["anyOf"] !== undefined)
      return;
    out["anyOf"] = out["oneOf"];
    delete out["oneOf"];
  }

  /** The side that does not write a field need not send it: `writeOnly` in responses, `readOnly` in requests. */
  #looseRequired({ required, properties }: JsonObject, out: Record<string, unknown>): void {
    if (!Array.isArray(required) || !isObject(properties)) return;
    const others = this.#closing === "request" ? "readOnly" : "writeOnly";
    out["required"] = required.filter(
      (name) => !isMarked(this.#document, properties[String(name)], others),
    );
  }
}

/** True if the schema has the mark, or one that it refers to or consists of: a shared secret says in one place who writes it. */
function isMarked(document: JsonObject, schema: unknown, mark: "readOnly" | "writeOnly"): boolean {
  const all = new Set([schema]);
  // The set grows during the loop.
  for (const one of all) {
    if (!isObject(one)) continue;
    const { $ref, allOf } = one;
    if (one[mark] === true) return true;
    if (typeof $ref === "string") all.add(lookUp(document, toTarget($ref)));
    if (Array.isArray(allOf)) for (const part of allOf) all.add(part);
  }
  return false;
}

/** A required name counts as documented even if no property describes it. */
function tellRequired({ required, properties }: JsonObject, out: Record<string, unknown>): void {
  if (!Array.isArray(required) || !isObject(properties) || !isObject(out["properties"])) return;
  const names = required.map(String).filter((name) => !Object.hasOwn(properties, name));
  const told = Object.fromEntries(names.map((name) => [name, {}]));
  if (names.length > 0) out["properties"] = { ...told, ...out["properties"] };
}

/** Converts the keywords of OpenAPI 3.0 to JSON Schema 2020-12. */
function toModern({
  nullable,
  exclusiveMinimum,
  exclusiveMaximum,
  ...schema
}: JsonObject): JsonObject {
  const { type, minimum, maximum, ...rest } = schema;
  const isNull = nullable === true;
  const { enum: listed } = rest;
  return {
    ...rest,
    ...(type !== undefined && { type: isNull ? [type, "null"] : type }),
    ...(isNull && Array.isArray(listed) && { enum: [...listed, null] }),
    ...toBound("minimum", "exclusiveMinimum", [minimum, exclusiveMinimum]),
    ...toBound("maximum", "exclusiveMaximum", [maximum, exclusiveMaximum]),
  };
}

function toBound(
  bound: string,
  exclusive: string,
  [limit, isExclusive]: readonly unknown[],
): JsonObject {
  if (typeof isExclusive === "number") return { [exclusive]: isExclusive };
  if (limit === undefined) return {};
  return { [isExclusive === true ? exclusive : bound]: limit };
}

/** The schemas of the same value, including those it refers to. */
function* partsOf(document: JsonObject, schema: JsonObject): Generator<JsonObject> {
  const { $ref, allOf, oneOf, anyOf, then, else: otherwise } = schema;
  const target = typeof $ref === "string" ? lookUp(document, toTarget($ref)) : undefined;
  for (const part of [target, allOf, oneOf, anyOf, then, otherwise].flat())
    if (isObject(part)) yield part;
}

function some(
  document: JsonObject,
  schema: JsonObject,
  [holds, seen]: readonly [(one: JsonObject) => boolean, Set<JsonObject>],
): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return (
    holds(schema) ||
    [...partsOf(document, schema)].some((part) => some(document, part, [holds, seen]))
  );
}

const tells = (document: JsonObject, schema: JsonObject, seen: Set<JsonObject>): boolean =>
  some(document, schema, [({ properties }) => properties !== undefined, seen]);

/** True if the document itself says what else is allowed. */
const isStated = (document: JsonObject, schema: JsonObject, seen: Set<JsonObject>): boolean =>
  some(document, schema, [
    (one) =>
      ["additionalProperties", "unevaluatedProperties", "patternProperties"].some(
        (key) => one[key] !== undefined,
      ),
    seen,
  ]);

/** True if a part says that nothing else is allowed. */
const isShut = (document: JsonObject, schema: JsonObject, seen: Set<JsonObject>): boolean =>
  some(document, schema, [(one) => one["additionalProperties"] === false, seen]);
