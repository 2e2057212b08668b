// What the page checks itself, with the program that `--where` has. It is loaded with the first search that has conditions.
import type { CallMediaClient } from "@call-media/client";
import { type CallFilter, createCallFilter, readChatText } from "@call-media/handover";
import { isNumberField, joinJudges, toJudge, toTypedEnding } from "@call-media/words";
import type { Condition } from "./where.ts";

type Conditions = readonly (readonly Condition[])[];

/** The records that meet one condition of each group. What was said is looked for in chats as well. */
export function createFilter(
  client: CallMediaClient,
  conditions: Conditions,
  signal: AbortSignal,
): CallFilter {
  const groups = conditions.map((group) => joinJudges(group.map(toJudge), true));
  return createCallFilter(joinJudges(groups, false), {
    readText: (call_id) => readChatText(client, call_id, signal),
  });
}

/** Words by which the service finds what meets the conditions, among others: the ends of telephone numbers. */
export const toNarrowing = (conditions: Conditions): string =>
  conditions
    .flatMap(([one, other]) => {
      const isNumber = one?.comparison === "==" && isNumberField(one.field) && other === undefined;
      const digits = isNumber ? toTypedEnding(String(one.value)) : undefined;
      return digits === undefined ? [] : `"${digits}"`;
    })
    .join(" ");
