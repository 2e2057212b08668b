// Which kind of value a field of a record has, and which operation searches by it. Browsers load no document for that.
import { isNumberField } from "@call-media/words";

export type FieldKind = "seconds" | "telephone" | "datetime" | "text";

export function toKind(field: string): FieldKind {
  if (/^(?:talk|handle)_time$/.test(field)) return "seconds";
  if (isNumberField(field)) return "telephone";
  return field === "datetime" ? "datetime" : "text";
}

/** True for the fields that have an operation of their own to search by. */
export const isCustom = (field: string): boolean => /^(?:custom|security)_field_/.test(field);
