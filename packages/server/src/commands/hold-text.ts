// A hold as text.
import type { HoldQuery, ListedHold } from "@call-media/store";
import { toTimeName } from "@call-media/store/values";
import { toCounted } from "@call-media/terminal";
import { toRule } from "./erased-text.ts";

/** The missing call_ids that were never erased. */
export function listAwaited({ missing, erased }: ListedHold): readonly string[] {
  const known = new Set(erased.map(({ callId }) => callId));
  return missing.filter((callId) => !known.has(callId));
}

export const toErasedLines = ({ erased }: ListedHold): readonly string[] =>
  erased.map(({ callId, taken }) =>
    taken === undefined
      ? `${callId}: the access log no longer says when`
      : `${callId}: on ${toTimeName(taken.timeMs)} by ${toRule(taken.asked)}`,
  );

export const toFields = ({ name, reason, query, added, calls }: ListedHold) => ({
  name,
  reason,
  calls,
  query: query ?? null,
  by: added?.operator ?? null,
  at: added === undefined ? null : new Date(added.atMs).toISOString(),
});

export function toText({ name, reason, query, added, calls }: ListedHold): string {
  const who = added === undefined ? "" : `  since ${toTimeName(added.atMs)} by ${added.operator}`;
  const what = query === undefined ? "call_ids" : toQueryText(query);
  return `${name}  ${toCounted(calls, "call")}${who}  ${reason}  ${what}`;
}

function toQueryText({ where, words, fromDay, toDay }: HoldQuery): string {
  const parts = [
    where && JSON.stringify(where),
    words,
    fromDay && `from ${fromDay}`,
    toDay && `to ${toDay}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

const WIDTH = 10;

/** All of it, a value a line. */
export function toHoldLines(hold: ListedHold): readonly string[] {
  const { name, reason, query, added, calls, pinned, owed } = hold;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["pinned", pinned],
    ["awaited", listAwaited(hold)],
    ["erased", toErasedLines(hold)],
    ["owed", owed.map((one) => `${one.callId}${one.reason === null ? "" : `, ${one.reason}`}`)],
  ];
  return [
    ["hold", name],
    ["added", added === undefined ? "" : `${toTimeName(added.atMs)} by ${added.operator}`],
    ["reason", reason],
    ["covers", query === undefined ? "the calls below" : toQueryText(query)],
    [
      "holds",
      `${toCounted(calls, "call")} now${query === undefined ? "" : ", and those that will fit"}`,
    ],
    ...lists.flatMap(([what, values]) => values.map((value) => [what, value] as const)),
  ].map(([what = "", value]) => `${what.padEnd(WIDTH)}${value}`);
}

export const toWholeJson = (hold: ListedHold): string =>
  JSON.stringify({
    ...toFields(hold),
    pinned: hold.pinned,
    awaited: listAwaited(hold),
    erased: hold.erased.map(({ callId, taken }) => ({
      call_id: callId,
      at: taken === undefined ? null : new Date(taken.timeMs).toISOString(),
      by: taken === undefined ? null : toRule(taken.asked),
    })),
    owed: hold.owed.map(({ callId, reason }) => ({ call_id: callId, case: reason })),
  });
