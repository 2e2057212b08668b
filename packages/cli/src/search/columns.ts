// --columns: fields of a record in the requested order.
import type { Field } from "@call-media/handover";
import { fieldsOf } from "@call-media/api";
import { InvalidArgumentError } from "commander";
import { toSuggestion } from "@call-media/terminal";

/** @throws InvalidArgumentError that names an unknown field. */
export function toColumns(text: string): readonly Field[] {
  return text.split(",").map((name) => {
    if (name.trim() === "") throw new InvalidArgumentError("A field is missing beside a comma.");
    return toField(name.trim());
  });
}

/** @throws InvalidArgumentError if it is not a field. */
export function toField(name: string): Field {
  const fields = fieldsOf("MetadataRecord");
  const field = fields.find((one) => one === name);
  if (field !== undefined) return field;
  const meant = toSuggestion(name, fields) || ".";
  throw new InvalidArgumentError(`There is no field ${name} of a record${meant}`);
}
