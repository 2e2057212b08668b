// One record as text for people: a line for each field that has a value.
import { type Paint, toPrintable } from "./paint.ts";

export function toFieldsText(record: object, paint: Paint): string {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== null)
    .map(
      ([field, value]) => [field, Array.isArray(value) ? value.join(", ") : String(value)] as const,
    );
  const width = Math.max(...fields.map(([field]) => field.length));
  return fields
    .map(([field, text]) => {
      // What has lines of its own goes on below its first.
      const indented = toPrintable(text).replaceAll("\n", `\n${" ".repeat(width + 2)}`);
      return `${paint("bold", field.padEnd(width))}  ${indented}`.trimEnd();
    })
    .join("\n");
}
