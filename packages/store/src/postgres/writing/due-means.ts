// What an import has to know of calls that the policy of the archive would make due at once.
import type { ArchiveItem } from "../../port/index.ts";
import type { DatedRecord } from "../../port/maintenance.ts";
import { createHoldJudge } from "../../values/holds.ts";
import {
  type DueMeans,
  type KnownCall,
  type LeaveOutDue,
  NOTHING_KNOWN,
} from "../../values/import-policy.ts";
import { toInstantMs } from "../../values/order-key.ts";
import type { RecordForm } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { readChats } from "../chats.ts";
import { readHolds, readLegs } from "../holds.ts";
import { toName } from "../names.ts";
import { toList } from "../values.ts";

interface Archive {
  readonly ask: Ask;
  readonly timeZone: string;
  readonly form: RecordForm;
}

/** Asks nothing if the rows of themselves have nothing that would be due. */
export async function readDueMeans(
  archive: Archive,
  rows: readonly (readonly ArchiveItem[])[],
  leaveOut: LeaveOutDue,
): Promise<DueMeans> {
  const { ask, timeZone, form } = archive;
  const judged = rows.map((row) => leaveOut(row, NOTHING_KNOWN));
  const asked = judged.flatMap(({ due, soundless }) => [...due, ...soundless]);
  if (asked.length === 0) return NOTHING_KNOWN;
  const names = toNames(asked);
  const found = await ask<Known>(
    `SELECT replace(name::text, '-', '') AS name,
       EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c') AS "isThere",
       EXISTS (SELECT FROM call_name JOIN recording ON recording.call = call_name.id
         WHERE call_name.name = one.name AND kind = 'c') AS "hasSound",
       EXISTS (SELECT FROM held WHERE held.name = one.name) AS "isHeld"
     FROM unnest($1::uuid[]) AS one (name)`,
    [toList(names)],
  );
  const recordsOf = await readRecords(
    archive,
    toNames(judged.flatMap((one) => [...one.soundless])),
  );
  const known = new Map(
    found.map((one) => [one.name, { ...one, records: () => recordsOf(one.name) }]),
  );
  const holds = createHoldJudge(await readHolds(ask), timeZone);
  const find = (callId: string) => known.get(toName(callId)) ?? NOTHING_KNOWN.find(callId);
  const chatOf = await readChats(ask, holds.hasWords ? names : [], form.toMessage);
  return { find, chatOf, holds: () => holds };
}

interface Known extends Omit<KnownCall, "records"> {
  readonly name: string;
}

function toNames(items: readonly ArchiveItem[]): readonly string[] {
  const names = items.flatMap((item) =>
    (item.kind === "call" || item.kind === "chat") && item.record.call_id !== null
      ? [toName(item.record.call_id)]
      : [],
  );
  return [...new Set(names)];
}

/** The records of these calls, for sound is judged with what the archive has. Reading a damaged one throws `StoreFault`. */
async function readRecords(
  archive: Archive,
  names: readonly string[],
): Promise<(name: string) => readonly DatedRecord[]> {
  if (names.length === 0) return () => [];
  const legs = await readLegs(archive, names, []);
  const byName = Map.groupBy(legs, ({ name }) => name);
  return (name) =>
    (byName.get(name) ?? []).map(({ row, toItem }) => ({
      record: toItem().record,
      instantMs: toInstantMs(BigInt(row.id)),
    }));
}
