// One record as text for people: one line per field that has a value.
import { type Paint, toPrintable } from "@call-media/terminal";

export function toFieldsText(record: object, paint: Paint): string {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== null)
    .map(([field, value]) => [toName(field), toText(value)] as const);
  const width = Math.max(...fields.map(([field]) => field.length));
  return fields
    .map(([field, text]) => {
      // Further lines are indented below the first.
      const indented = toPrintable(text).replaceAll("\n", `\n${" ".repeat(width + 2)}`);
      return `${paint("bold", field.padEnd(width))}  ${indented}`.trimEnd();
    })
    .join("\n");
}

/** Some services have additional fields, with any name. */
const toName = (field: string) => toPrintable(field.replaceAll(/\s+/g, " "));

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
