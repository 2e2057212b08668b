// An object of a source, checked field by field against schemas of the contract and brought into their shape.
import { type components, document, type SchemaObject } from "@call-media/api";
import { createFieldCheck, type FieldCheck, toDefault } from "@call-media/store/values";
import { closestMatch } from "leven";
import type { Faults } from "../faults.ts";
import { RowFault } from "../source-row.ts";

type SchemaName = keyof components["schemas"];

export interface RecordShape<T> {
  /** The schemas whose fields the record has, in this order (D27). */
  readonly schemas: readonly SchemaName[];
  /** Keys of the object that are not fields of the record; the caller reads them. */
  readonly besides: readonly string[];
  /** Defaults of fields, beyond those of the schemas (null, false, an empty list). */
  readonly defaults?: Readonly<Partial<T>>;
}

/**
 * Makes a function that gives the record of an object: every field of the schemas, in their order. It adds a fault for a
 * field that does not fit, for a missing field, and for a key that is neither a field nor in `besides`; such a field of the record
 * is empty, or absent if it has no empty value.
 */
export function createRecordParser<T>({
  schemas,
  besides,
  defaults,
}: RecordShape<T>): (entry: Record<string, unknown>, faults: Faults) => T {
  const fields = new Map(
    schemas.flatMap((name) => Object.entries(document.components.schemas[name]?.properties ?? {})),
  );
  const checks = new Map<string, FieldCheck>(
    [...fields].map(([name, schema]) => [name, createFieldCheck(schema)]),
  );
  const empty = toEmpty(fields, defaults);
  const required = [...fields.keys()].filter((field) => empty[field] === undefined);
  const others = new Set(besides);
  const toUnknownField = createUnknownField([...fields.keys(), ...besides]);

  return (entry, faults) => {
    const record = { ...empty };
    for (const key in entry) {
      const check = checks.get(key);
      if (check === undefined) {
        if (others.has(key)) continue;
        faults.add(toUnknownField(key));
        continue;
      }
      const value = entry[key];
      const fault = check(value);
      if (fault === undefined) record[key] = value;
      else faults.add(new RowFault(`${key}: ${fault}`));
    }
    for (const field of required)
      if (record[field] === undefined) faults.add(new RowFault(`${field}: missing`));
    return record as T; // every field of the schemas is set and was checked, or has a fault
  };
}

function toEmpty(
  fields: ReadonlyMap<string, SchemaObject>,
  defaults: Readonly<Record<string, unknown>> = {},
) {
  const empty: Record<string, unknown> = {};
  for (const [field, schema] of fields) empty[field] = defaults[field] ?? toDefault(schema);
  return empty;
}

/** Names shorter than this differ from most others by two letters. */
const SHORT = 5;

/** Creates the fault of an unknown field, with the known field that was probably meant. `place` is a prefix such as `media[0].`. */
export function createUnknownField(
  known: Iterable<string>,
): (field: string, place?: string) => RowFault {
  const fields = new Map([...known].map((field) => [field.toLowerCase(), field]));
  const names = [...fields.keys()];
  return (field, place = "") => {
    const maxDistance = field.length < SHORT ? 1 : 2;
    const near = fields.get(closestMatch(field.toLowerCase(), names, { maxDistance }) ?? "");
    const suggestion = near === undefined ? "" : `: did you mean ${near}?`;
    return new RowFault(`${place}${field}: no such field${suggestion}`);
  };
}
