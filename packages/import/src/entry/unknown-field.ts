// What is said of a field that there is not: its name and, where one is near, the field that was probably meant.
import { closestMatch } from "leven";
import { RowFault } from "../source-row.ts";

/** Names shorter than this differ from most others by two letters. */
const SHORT = 5;

/** Makes the fault of a field that is none of `known`; `place` is where it was, such as `media[0].`. */
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
