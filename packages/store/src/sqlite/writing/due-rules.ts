// What an import has to know of calls that the policy of the archive would make due at once.
import type { DatabaseSync } from "node:sqlite";
import type { Writer } from "../../port/index.ts";
import { createHoldJudge } from "../../values/holds.ts";
import { createLeaveOutDue, type DueMeans } from "../../values/import-policy.ts";
import type { DueRules } from "../../writing/row-writer.ts";
import { readHolds } from "../holds.ts";
import { findSetting } from "../settings.ts";

interface Run {
  readonly timeZone: string;
  readonly writer: Writer | undefined;
}

/** Undefined if the import obeys no policy. */
export function createDueRules(
  database: DatabaseSync,
  run: Run,
): (DueRules & Pick<DueMeans, "find">) | undefined {
  const leaveOut = createLeaveOutDue({ ...run, policy: findSetting(database, "policy") });
  if (leaveOut === undefined) return undefined;
  const select = database.prepare(`SELECT
    EXISTS (SELECT 1 FROM call WHERE call_id = ?1) AS is_there,
    EXISTS (SELECT 1 FROM call JOIN recording ON recording.call = call.id WHERE call_id = ?1) AS has_sound,
    EXISTS (SELECT 1 FROM held WHERE call_id = ?1) AS is_held`);
  const find = (callId: string) => {
    const { is_there, has_sound, is_held } = select.get(callId) ?? {};
    return { isThere: is_there === 1, hasSound: has_sound === 1, isHeld: is_held === 1 };
  };
  return {
    leaveOut,
    find,
    isHeld: (callId) => find(callId).isHeld,
    holds: () => createHoldJudge(readHolds(database), run.timeZone),
  };
}
