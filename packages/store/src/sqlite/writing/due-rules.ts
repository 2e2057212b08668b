// What an import has to know of calls that the policy of the archive would make due at once.
import type { DatabaseSync } from "node:sqlite";
import type { Writer } from "../../port/index.ts";
import { createHoldJudge } from "../../values/holds.ts";
import { createLeaveOutDue } from "../../values/import-policy.ts";
import { toInstantMs } from "../../values/order-key.ts";
import type { DueRules } from "../../writing/row-writer.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "../call-row.ts";
import { createChatReader } from "../chats.ts";
import { prepareBig } from "../files/connection.ts";
import { readHolds } from "../holds.ts";
import { findSetting } from "../settings.ts";

interface Run {
  readonly timeZone: string;
  readonly writer: Writer | undefined;
}

/** Undefined if the import obeys no policy. */
export function createDueRules(database: DatabaseSync, run: Run): DueRules | undefined {
  const leaveOut = createLeaveOutDue({ ...run, policy: findSetting(database, "policy") });
  if (leaveOut === undefined) return undefined;
  const select = database.prepare(`SELECT
    EXISTS (SELECT 1 FROM call WHERE call_id = :callId) AS is_there,
    EXISTS (SELECT 1 FROM call JOIN recording ON recording.call = call.id WHERE call_id = :callId) AS has_sound,
    EXISTS (SELECT 1 FROM held WHERE call_id = :callId) AS is_held`);
  const { toRecord } = createRecordForm(database);
  const selectCalls = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ?`,
  );
  const readCalls = (callId: string) =>
    selectCalls
      .all(callId)
      .map((row) => ({ record: toRecord(row), instantMs: toInstantMs(row.id) }));
  const find = (callId: string) => {
    const { is_there, has_sound, is_held } = select.get({ callId }) ?? {};
    return {
      isThere: is_there === 1,
      hasSound: has_sound === 1,
      isHeld: is_held === 1,
      records: () => readCalls(callId),
    };
  };
  return {
    leaveOut,
    chatOf: createChatReader(database),
    find,
    holds: () => createHoldJudge(readHolds(database), run.timeZone),
  };
}
