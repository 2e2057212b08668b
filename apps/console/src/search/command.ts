// The command line that exports what the page shows, to be copied.
import type { CallRecord } from "@call-media/client";
import { joinAll, joinAny, printCondition, type Test } from "@call-media/conditions";
import type { Field } from "../fields.ts";
import type { Query } from "./query.ts";

/** The exported set: a search, and the picked calls of it; none are all. */
interface Exported {
  readonly query: Query;
  readonly picked: readonly CallRecord[];
}

/** For a POSIX shell. `options`: where the export goes, and what else it is to be. */
export function toCommand(exported: Exported, options: readonly string[]): string {
  const { range, body, words } = exported.query;
  const filters = Object.entries(body).map(
    ([field, value]) => `--${field.replaceAll("_", "-")} ${quote(String(value))}`,
  );
  const where = toWhere(exported);
  return [
    "call-media export",
    ...options,
    `--from ${range.startDate} --to ${range.endDate}`,
    ...(words === "" ? [] : [`--words ${quote(words)}`]),
    ...filters,
    ...(where === null ? [] : [`--where ${quote(where)}`]),
  ].join(" ");
}

/** The condition of `--where`; null without one. */
export function toWhere({ query: { conditions }, picked }: Exported): string | null {
  const identities = new Map(picked.map(toIdentity).map((one) => [printCondition(one), one]));
  const chosen = joinAny([...identities.values()]);
  const all = joinAll(chosen === undefined ? conditions : [...conditions, chosen]);
  return all === undefined ? null : printCondition(all);
}

const toIdentity = ({ call_id, ref_id }: CallRecord): Test<Field> =>
  call_id === null || call_id === ""
    ? { field: "ref_id", comparison: "==", value: ref_id }
    : { field: "call_id", comparison: "==", value: call_id };

/** Within single quotes a shell changes nothing. */
export const quote = (text: string): string =>
  /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
