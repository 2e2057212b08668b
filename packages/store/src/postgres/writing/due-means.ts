// What an import has to know of calls that the policy of the archive would make due at once.
import type { ArchiveItem } from "../../port/index.ts";
import { createHoldJudge } from "../../values/holds.ts";
import { type DueMeans, type LeaveOutDue, NOTHING_KNOWN } from "../../values/import-policy.ts";
import type { DueRules } from "../../writing/row-writer.ts";
import type { Ask } from "../connection.ts";
import { readHolds } from "../holds.ts";
import { toName } from "../names.ts";
import { toList } from "../values.ts";

interface Archive {
  readonly ask: Ask;
  readonly timeZone: string;
}

type Means = Pick<DueRules, "isHeld" | "holds"> & Pick<DueMeans, "find">;

const NONE: Means = { ...NOTHING_KNOWN, isHeld: () => false };

/** Asks nothing if the rows of themselves have nothing that would be due. */
export async function readDueMeans(
  { ask, timeZone }: Archive,
  rows: readonly (readonly ArchiveItem[])[],
  leaveOut: LeaveOutDue,
): Promise<Means> {
  const judged = rows.map((row) => leaveOut(row, NOTHING_KNOWN));
  const asked = judged.flatMap(({ due, soundless }) => [...due, ...soundless]);
  if (asked.length === 0) return NONE;
  const callIds = asked.flatMap((item) =>
    item.kind === "call" && item.record.call_id !== null ? [item.record.call_id] : [],
  );
  const found = await ask<Known>(
    `SELECT replace(name::text, '-', '') AS name,
       EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c') AS "isThere",
       EXISTS (SELECT FROM call_name JOIN recording ON recording.call = call_name.id
         WHERE call_name.name = one.name AND kind = 'c') AS "hasSound",
       EXISTS (SELECT FROM held WHERE held.name = one.name) AS "isHeld"
     FROM unnest($1::uuid[]) AS one (name)`,
    [toList(new Set(callIds.map(toName)))],
  );
  const known = new Map(found.map((one) => [one.name, one]));
  const holds = createHoldJudge(await readHolds(ask), timeZone);
  const find = (callId: string) => known.get(toName(callId)) ?? NOTHING_KNOWN.find(callId);
  return { find, isHeld: (callId) => find(callId).isHeld, holds: () => holds };
}

interface Known extends ReturnType<DueMeans["find"]> {
  readonly name: string;
}
