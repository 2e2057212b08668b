// The response schemas of the document, closed: all documented fields must be present, and no others. Each schema exists twice: as the
// document has it, and reduced to what the interface states.
import { routes, type OperationId, type SchemaObject } from "@call-media/api";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Yardstick } from "../target.ts";
import { isObject } from "@call-media/contract-diff";
import type { PlacedFault } from "../../fingerprint.ts";
import { toBodyFault } from "../../json/fault-words.ts";
import { toExtended } from "../../values/moments.ts";
import { DIGITS, FORMS, IN_UTC, WITH_OFFSET, WITH_OR_WITHOUT } from "./forms.ts";

/** Returns one fault per field that breaks the schema. The same field of further records is not reported again. */
export type BodyCheck = (body: unknown) => readonly PlacedFault[];

// February 31 matches the pattern of a day.
const REAL_DAY = "real-day";

// Decisions that only choose a type. A field that cites one has no type in the interface.
const OPEN_TYPES = new Set<unknown>(["D02", "D04"]);

/** Fields whose type in the interface is neither open nor the document's type. */
const STATED: Readonly<Record<string, SchemaObject>> = {
  datetime: { type: ["string", "null"], pattern: WITH_OR_WITHOUT, format: REAL_DAY },
  // Integers in the filter; a platform may send them as text in a record.
  handle_time: { type: ["integer", "string", "null"], pattern: DIGITS },
  talk_time: { type: ["integer", "string", "null"], pattern: DIGITS },
  expires: { type: "string", pattern: IN_UTC, format: REAL_DAY },
  errorMessage: { type: "null" },
  isError: { const: false },
  type: { const: "Bearer" },
  Type: { enum: ["Public", "Private"] },
};
// "array", without a type of its items.
const OPEN_LIST = /^allowed_(?:secure\d\d|media|services|download_doc_type)$/;

const compiled = new Map<string, ValidateFunction>();

/** Checks the body of an operation's success. Undefined if that body is a stream of bytes. */
export function bodyCheckOf(operation: OperationId, yardstick: Yardstick): BodyCheck | undefined {
  const route = routes.find(({ operationId }) => operationId === operation);
  const schema = route?.responses["200"]?.content?.["application/json"]?.schema;
  return schema && toCheck(`${operation} ${yardstick}`, () => close(schema, yardstick));
}

/** Checks the body of a refusal (D13). */
export function refusalCheck(): BodyCheck {
  const schema = routes[0]?.responses["400"]?.content?.["application/json"]?.schema ?? {};
  return toCheck("refusal", () => close(schema, "decisions"));
}

function toCheck(key: string, toSchema: () => object): BodyCheck {
  const validate = compiled.get(key) ?? createCompiler().compile(toSchema());
  compiled.set(key, validate);
  return (body) =>
    validate(body)
      ? []
      : toDistinct((validate.errors ?? []).map((fault) => toBodyFault(fault, FORMS)));
}

function toDistinct(faults: readonly PlacedFault[]): readonly PlacedFault[] {
  const toField = ({ at }: PlacedFault) => at.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return [...Map.groupBy(faults, toField).values()].flatMap(([first]) => first ?? []);
}

function createCompiler(): Ajv2020 {
  // Verbose: a fault includes the value received.
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  formats.default(ajv, ["date", "date-time", "int32", "int64"]);
  ajv.addFormat(REAL_DAY, (text: string) => {
    const day = toExtended(text).slice(0, 10);
    const ms = Date.parse(`${day}T00:00:00Z`);
    return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  });
  return ajv;
}

function close(schema: SchemaObject, yardstick: Yardstick): SchemaObject & object {
  const { properties, items } = schema;
  const closed = Object.entries(properties ?? {}).map(([name, inner]) => [
    name,
    close(yardstick === "interface" ? toStated(name, inner) : toChosen(name, inner), yardstick),
  ]);
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(closed),
      required: Object.keys(properties),
      unevaluatedProperties: false,
    }),
    ...(items && { items: close(items, yardstick) }),
  };
}

/** The document's schema of a success does not restrict the message; the interface does. */
function toChosen(name: string, schema: SchemaObject): SchemaObject {
  return name === "errorMessage" && Array.isArray(schema.type) ? { type: "null" } : schema;
}

function toStated(name: string, schema: SchemaObject): SchemaObject {
  if (schema.format === "date-time" && name !== "expires")
    return { type: "string", pattern: WITH_OFFSET, format: REAL_DAY };
  if (name in STATED) return STATED[name] ?? schema;
  if (OPEN_LIST.test(name)) return { type: "array" };
  return toDecisions(schema).some((decision) => OPEN_TYPES.has(decision)) ? {} : toType(schema);
}

/** Bounds, patterns and constants of the document are chosen, not stated. */
function toType({ type, properties, items }: SchemaObject): SchemaObject {
  return {
    ...(type !== undefined && { type }),
    ...(properties && { properties }),
    ...(items && { items: toType(items) }),
  };
}

function toDecisions(schema: SchemaObject): readonly unknown[] {
  const marked: unknown = isObject(schema) ? schema["x-decision"] : undefined;
  return Array.isArray(marked) ? marked : [marked];
}
