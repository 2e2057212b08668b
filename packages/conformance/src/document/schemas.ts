// The schemas of a document: flat views to generate values from, and validators that reject anything undocumented.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type ErrorObject, Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { toClosed, type Closing } from "./close.ts";
import { resolve, toPointer } from "./resolve.ts";
import { toPattern } from "./usable.ts";

/** A flattened schema: references are followed and `allOf` is merged; inner schemas are pointers. */
export interface View {
  readonly pointer: string;
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, string>;
  readonly required: ReadonlySet<string>;
  readonly items: string | undefined;
  /** Of the values of a map from names to values. */
  readonly values: string | undefined;
  /** Pointers of `oneOf` and `anyOf`. */
  readonly choices: readonly string[];
  /** Fields whose value says which of several schemas this one is, with that value. */
  readonly named: ReadonlyMap<string, string>;
  /** All other keywords. */
  readonly said: JsonObject;
}

export type SchemaFault = ErrorObject;
export type Validate = (value: unknown) => readonly SchemaFault[];

export interface Schemas {
  readonly view: (pointer: string) => View;
  /** Returns the faults of a value; with `closed`, undocumented fields are faults too. */
  readonly validatorOf: (pointer: string, closing: Closing) => Validate;
}

export function createSchemas(document: JsonObject): Schemas {
  const views = new Map<string, View>();
  const validators = new Map<string, Validate>();
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    logger: false,
    validateFormats: true,
    // Documents have schemas that no meta-schema allows: `toUsable` has the last word.
    validateSchema: false,
    code: { regExp: Object.assign(toPattern, { code: "new RegExp" }) },
  });
  formats.default(ajv);
  const keep = <Value>(kept: Map<string, Value>, key: string, make: () => Value): Value => {
    const known = kept.get(key) ?? make();
    kept.set(key, known);
    return known;
  };
  return {
    view: (pointer) => keep(views, pointer, () => toView(document, pointer, new Set())),
    validatorOf: (pointer, closing) =>
      keep(validators, `${closing} ${pointer}`, () =>
        toValidator(() => ajv.compile(toClosed(document, pointer, closing))),
      ),
  };
}

function toValidator(compile: () => ValidateFunction): Validate {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= compile();
    return validate(value)
      ? []
      : (validate.errors ?? []).filter(({ keyword }) => !WRAPPERS.has(keyword));
  };
}

/** Their errors repeat those of the schemas inside. */
const WRAPPERS: ReadonlySet<string> = new Set(["if", "allOf"]);

function toView(document: JsonObject, from: string, seen: ReadonlySet<string>): View {
  const { node, pointer } = resolve(document, from);
  const base: View = {
    pointer,
    types: [],
    properties: new Map(),
    required: new Set(),
    items: undefined,
    values: undefined,
    choices: [],
    named: new Map(),
    said: {},
  };
  if (!isObject(node) || seen.has(pointer)) return base;
  const within = new Set([...seen, pointer]);
  const { $ref, allOf, properties, required, items, oneOf, anyOf, type, nullable, ...said } = node;
  const choices = [
    ...listOf(oneOf).map((_, index) => `${pointer}/oneOf/${index}`),
    ...listOf(anyOf).map((_, index) => `${pointer}/anyOf/${index}`),
  ];
  // Generators write "or null" as a union of the schema and null.
  const others = choices.filter((one) => !isNullAlone(resolve(document, one).node));
  const isOrNull = choices.length === 2 && others.length === 1;
  const inner = [
    ...(typeof $ref === "string" ? [toView(document, $ref, within)] : []),
    ...(isOrNull ? others.map((one) => toView(document, one, within)) : []),
    ...listOf(allOf).map((_, index) => toView(document, `${pointer}/allOf/${index}`, within)),
  ];
  const types = listOf(type).map(String);
  const own: View = {
    ...base,
    types: nullable === true ? [...types, "null"] : types,
    properties: new Map(
      Object.keys(isObject(properties) ? properties : {}).map((name) => [
        name,
        toPointer(`${pointer}/properties`, name),
      ]),
    ),
    required: new Set(listOf(required).map(String)),
    items: isObject(items) ? `${pointer}/items` : undefined,
    values: isObject(node["additionalProperties"]) ? `${pointer}/additionalProperties` : undefined,
    choices: isOrNull ? [] : choices,
    said,
  };
  const view = [...inner, own].reduce(merge);
  const all = isOrNull ? [...new Set([...view.types, "null"])] : view.types;
  return { ...view, types: all, named: new Map([...view.named, ...toNamed(view)]) };
}

const isNullAlone = (node: unknown): boolean =>
  isObject(node) && (node["type"] === "null" || node["const"] === null);

/** A schema that refers to a base with a discriminator is named there (OpenAPI 3.1, 4.8.25). */
function* toNamed({
  pointer,
  said: { discriminator },
}: View): Generator<readonly [string, string]> {
  const { propertyName, mapping } = isObject(discriminator) ? discriminator : {};
  if (typeof propertyName !== "string" || !isObject(mapping)) return;
  const [key] = Object.entries(mapping).find(([, to]) => to === pointer) ?? [];
  if (key !== undefined) yield [propertyName, key];
}

const merge = (one: View, other: View): View => ({
  pointer: other.pointer,
  types: other.types.length > 0 ? other.types : one.types,
  properties: new Map([...one.properties, ...other.properties]),
  required: new Set([...one.required, ...other.required]),
  items: other.items ?? one.items,
  values: other.values ?? one.values,
  choices: [...one.choices, ...other.choices],
  named: new Map([...one.named, ...other.named]),
  said: { ...one.said, ...other.said },
});

/** An array unchanged, an empty one for undefined, and any other value as the only item. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
