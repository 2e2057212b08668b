// Builds the command line that exports what the page shows, to copy.
import { type Condition, joinAll, joinAny, printCondition } from "@call-media/conditions";
import { type CallSelector, type CallSpan, MAX_IDS } from "@call-media/handover";
import type { Field } from "../fields.ts";
import type { Query } from "./query.ts";

/** The set to export: a search, or calls picked from it; no picked calls means all. */
interface Exported {
  readonly query: Query;
  readonly picked: readonly CallSelector[];
  /** Calls that were left out by hand. */
  readonly without?: readonly CallSelector[];
  /** Its muted spans. */
  readonly mute?: readonly CallSpan[];
}

/** Returns the command for a POSIX shell. `options`: the destination and other options of the export. */
export function toCommand(exported: Exported, options: readonly string[]): string {
  const { range, body, words } = exported.query;
  const filters = Object.entries(body).map(
    ([field, value]) => `--${field.replaceAll("_", "-")} ${quote(String(value))}`,
  );
  const { query, mute = [] } = exported;
  const ids = toIds(listKept(exported));
  const where = toWhere(ids === undefined ? exported : { query, picked: [] });
  const documents = [
    ...(ids === undefined ? [] : [{ option: "--ids -", at: "", end: END, lines: ids }]),
    // File descriptor 3, because the identifiers may use standard input.
    ...(mute.length === 0
      ? []
      : [{ option: "--mute /dev/fd/3", at: "3", end: "MUTE", lines: [JSON.stringify(mute)] }]),
  ];
  const line = [
    "call-media export",
    ...options,
    `--from ${range.startDate} --to ${range.endDate}`,
    ...(words === "" ? [] : [`--words ${quote(words)}`]),
    ...filters,
    ...(where === null ? [] : [`--where ${quote(where)}`]),
    ...documents.map(({ option }) => option),
    ...documents.map(({ at, end }) => `${at}<<'${end}'`),
  ].join(" ");
  return [line, ...documents.flatMap(({ lines, end }) => [...lines, end])].join("\n");
}

const END = "END";

/**
 * Returns the identifiers for `--ids`, which matches exactly; a condition would fold letter case (D08). Undefined without any,
 * if one cannot be a line of its own, or if a record has no call_id.
 */
function toIds(picked: readonly CallSelector[]): readonly string[] | undefined {
  const ids = [...new Set(picked.map(({ call_id }) => call_id ?? ""))];
  const isLine = (id: string) => /^\S(?:.*\S)?$/.test(id) && !/[\p{Cc}]/u.test(id);
  const isTaken = [END, "call_id"].some((one) => ids.includes(one));
  return ids.length > 0 && ids.length <= MAX_IDS && ids.every(isLine) && !isTaken ? ids : undefined;
}

/** The condition of `--where`; null without one. */
export function toWhere(exported: Exported): string | null {
  const { query, picked, without = [] } = exported;
  const kept = listKept(exported);
  // If every picked call was left out, the command must not export all calls.
  const [chosen, others] = kept.length > 0 ? [kept, []] : [picked, without];
  const identities = new Map(chosen.map(toIdentity).map((one) => [printCondition(one), one]));
  const all = joinAll([
    ...query.conditions,
    ...[joinAny([...identities.values()])].filter((one) => one !== undefined),
    ...others.map(toOther),
  ]);
  return all === undefined ? null : printCondition(all);
}

/** The picked calls without those that were left out. */
export function listKept({ picked, without = [] }: Exported): readonly CallSelector[] {
  const out = new Set(without.map((one) => JSON.stringify(one)));
  return picked.filter((one) => !out.has(JSON.stringify(one)));
}

/** A reference selects only records without a call_id, as `toSelector` has it. */
const toIdentity = ({ call_id, ref_id }: CallSelector): Condition<Field> =>
  call_id === undefined
    ? joinAll([
        { field: "ref_id", comparison: "==", value: ref_id },
        { field: "call_id", comparison: "==", value: null },
      ])
    : { field: "call_id", comparison: "==", value: call_id };

/** The opposite of `toIdentity`. */
const toOther = ({ call_id, ref_id }: CallSelector): Condition<Field> =>
  call_id === undefined
    ? joinAny([
        { field: "ref_id", comparison: "!=", value: ref_id },
        { field: "call_id", comparison: "!=", value: null },
      ])
    : { field: "call_id", comparison: "!=", value: call_id };

/** A shell changes nothing within single quotes. */
export const quote = (text: string): string =>
  /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
