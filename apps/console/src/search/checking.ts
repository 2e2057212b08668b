// Conditions that the page checks itself, as `--where` does. Loaded with the first search that has conditions.
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

/** Keeps the records that meet all conditions. A condition on what was said also reads chats. */
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

/** Narrows the search without losing calls that meet the conditions. */
export const toNarrowed = (
  search: Search<object>,
  conditions: readonly Condition<Field>[],
): Search<object> => narrow(search, joinAll(conditions));
