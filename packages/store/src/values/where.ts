// Conditions on the fields of a record as an operator writes them: each field with a list of values, one of which it must have.
import { fieldsOf } from "@call-media/api";
import { ArchiveError } from "../port/faults.ts";
import type { FilterField, Restriction } from "../port/calls.ts";
import { toMatchKey } from "./match-key.ts";

export type Where = Readonly<Partial<Record<FilterField, readonly (string | number)[]>>>;

const FIELDS: ReadonlySet<string> = new Set([
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
]);

/** `place`: a description of the value, for messages. Throws `ArchiveError`, which names the fault and its place. */
export function checkWhere(value: unknown, place: string): Where {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ArchiveError(
      `${place}: an object of fields, each with a list of values, like {"campaign":["Sales"]}`,
    );
  for (const [field, values] of Object.entries(value)) {
    if (!FIELDS.has(field)) throw new ArchiveError(`${place}: no search filters by "${field}"`);
    const isList = Array.isArray(values) && values.length > 0 && values.every(isValue);
    if (!isList)
      throw new ArchiveError(`${place}.${field}: a list of one or more texts or numbers`);
  }
  if (Object.keys(value).length === 0) throw new ArchiveError(`${place}: it has no field`);
  return value;
}

const isValue = (value: unknown) => typeof value === "string" || typeof value === "number";

export function toRestrictions(where: Where): readonly Restriction[] {
  const conditions = Object.entries(where) as [Restriction["field"], (string | number)[]][]; // its keys
  return conditions.map(([field, values]) => ({
    field,
    allowed: values.map((value) => toMatchKey(field, value)),
  }));
}
