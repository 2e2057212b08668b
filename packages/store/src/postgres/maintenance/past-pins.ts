// Finds the calls that a query holds by a state before it was replaced.
import { notWritten } from "../../values/damaged-records.ts";
import type { createHoldJudge } from "../../values/holds.ts";
import type { Archive } from "../archive.ts";
import {
  type CallRow,
  createRecordForm,
  nameCall,
  readCalls,
  type RecordForm,
} from "../call-rows.ts";
import { readChats } from "../chats.ts";
import type { Ask } from "../connection.ts";
import type { Pin } from "../holds.ts";
import { toName } from "../names.ts";
import { listOfCall } from "./history.ts";

interface Past {
  readonly judge: ReturnType<typeof createHoldJudge>;
  readonly name: string;
}

/** The states of a call before it was replaced count as well. */
export async function listPastPins(
  ask: Ask,
  settings: Archive["settings"],
  { judge, name }: Past,
): Promise<Pin[]> {
  const form = createRecordForm(settings);
  const rows = await ask<{ id: string; name: string }>(
    `SELECT id, replace(name::text, '-', '') AS name FROM call_name WHERE kind = 'c'
       AND name IN (SELECT name FROM version WHERE kind = 'call')`,
  );
  const calls = await readCalls(
    ask,
    rows.map(({ id }) => BigInt(id)),
  );
  const byId = new Map(calls.map((row) => [row.id, row]));
  const pins: Pin[] = [];
  for (const [callName, legs] of Map.groupBy(rows, (row) => row.name)) {
    const callId = toProven(
      callName,
      legs.flatMap(({ id }) => byId.get(id) ?? []),
      form,
    );
    const names = judge.hasWords ? [callName] : [];
    const chatOf = await readChats(ask, names, form.toMessage);
    for (const { state } of await listOfCall(ask, form, callId))
      if (judge.judgePast(state, () => chatOf(callId)).length > 0)
        pins.push({ hold: name, callId });
  }
  return pins;
}

/**
 * The call_id of these records, which have its digest in `call_name`: it can be read from a damaged one, too. Throws `StoreFault` if it cannot
 * be read from any: the call may be one that is held.
 */
function toProven(name: string, legs: readonly CallRow[], form: RecordForm): string {
  for (const row of legs) {
    const callId = form.readNames(row)?.call_id;
    if (typeof callId === "string" && toName(callId) === name) return callId;
  }
  const [row] = legs;
  throw notWritten(row === undefined ? "a call" : nameCall(row, form.readNames(row)));
}
