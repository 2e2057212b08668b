// Says what kind of value a field has, and which operation searches by it. Browsers need no document for that.
import { isNumberField } from "@call-media/words";

export type FieldKind = "seconds" | "telephone" | "datetime" | "text";

export function toKind(field: string): FieldKind {
  if (/^(?:talk|handle)_time$/.test(field)) return "seconds";
  if (isNumberField(field)) return "telephone";
  return field === "datetime" ? "datetime" : "text";
}

/** True for the fields that have their own search operation. */
export const isCustom = (field: string): boolean => /^(?:custom|security)_field_/.test(field);
