// What the page checks itself, as `--where` does. It is loaded with the first search that has conditions.
import type { CallMediaClient } from "@call-media/client";
import {
  type CallFilter,
  type Condition,
  createCallFilter,
  joinAll,
  toJudge,
  toNarrowing as toWords,
} from "@call-media/conditions";
import { readChatText } from "@call-media/handover";
import type { Field } from "../fields.ts";

/** The records that meet all of the conditions. What was said is looked for in chats as well. */
export function createFilter(
  client: CallMediaClient,
  conditions: readonly Condition<Field>[],
  signal: AbortSignal,
): CallFilter {
  const condition = joinAll(conditions);
  return createCallFilter(condition === undefined ? () => true : toJudge(condition), {
    readText: (call_id) => readChatText(client, call_id, signal),
  });
}

/** Words by which the service finds what meets the conditions, among others. */
export const toNarrowing = (conditions: readonly Condition<Field>[]): string =>
  conditions.map(toWords).filter(Boolean).join(" ");
