// The command line that exports what the page shows, to be copied.
import type { Query } from "./query.ts";
import { writeCondition } from "./where.ts";

/** For a POSIX shell. With `ids`, of these calls alone. */
export function toCommand({ range, body, conditions }: Query, ids: readonly string[]): string {
  const options = Object.entries(body).map(
    ([field, value]) => `--${field.replaceAll("_", "-")} ${quote(String(value))}`,
  );
  const picked = ids.map((id) => `call_id == ${JSON.stringify(id)}`).join(" || ");
  const where = [
    ...conditions.map(writeCondition),
    ...(picked === "" ? [] : [conditions.length > 0 ? `(${picked})` : picked]),
  ].join(" && ");
  return [
    "call-media export --out calls",
    `--from ${range.startDate} --to ${range.endDate}`,
    ...options,
    ...(where === "" ? [] : [`--where ${quote(where)}`]),
  ].join(" ");
}

/** Within single quotes a shell changes nothing. */
const quote = (text: string): string =>
  /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
