// What the page checks itself, as `--where` does. It is loaded with the first search that has conditions.
import type { CallMediaClient, Search } from "@call-media/client";
import {
  type CallFilter,
  type Condition,
  createCallFilter,
  createClock,
  joinAll,
  narrow,
  toJudge,
} from "@call-media/conditions";
import { readChatText } from "@call-media/handover";
import type { Field } from "../fields.ts";
import { archiveZone } from "../time.ts";

/** The records that meet all of the conditions. What was said is looked for in chats as well. */
export function createFilter(
  client: CallMediaClient,
  conditions: readonly Condition<Field>[],
  signal: AbortSignal,
): CallFilter {
  const clock = createClock({ archiveZone: () => archiveZone.peek() });
  return createCallFilter(toJudge(joinAll(conditions), clock), {
    readText: (call_id) => readChatText(client, call_id, signal),
  });
}

/** The search that finds what meets the conditions, among others. */
export const toNarrowed = (
  search: Search<object>,
  conditions: readonly Condition<Field>[],
): Search<object> => narrow(search, joinAll(conditions));
