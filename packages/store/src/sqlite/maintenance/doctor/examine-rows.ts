// The doctor's findings about damaged records.
import type { DatabaseSync } from "node:sqlite";
import { readAtOnce } from "../../files/transaction.ts";
import { type DamagedRow, listDamaged, type RowWatch } from "../../row-check.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

const KINDS: Readonly<Record<NonNullable<DamagedRow["table"]>, string>> = {
  call: "calls",
  chat: "chat messages",
  user: "users",
  flag: "flags",
  setting: "settings",
  record_field: "names of fields",
  call_span: "spans of look-ups by reference",
  call_revision: "revisions of calls",
  media: "rows of recordings",
  tombstone: "tombstones",
  act: "commands that wrote records",
  version: "earlier states",
  version_recording: "recordings of earlier states",
  hold: "holds",
  held: "calls that are held",
  owed: "calls that are owed an erasure",
  owed_reference: "references that are owed an erasure",
  application: "applications",
  bearer: "tokens, keys and sessions",
};

/** Reads the same rows as `listDamaged`. */
export function examineRows(archive: DatabaseSync, file: string, watch: RowWatch): Finding[] {
  // Compares a single state of the archive, whatever an import writes meanwhile.
  const damaged = readAtOnce(archive, () => [...listDamaged(archive, watch)]);
  return toRowFindings(damaged, file);
}

export function toRowFindings(damaged: readonly DamagedRow[], file: string): Finding[] {
  return [...Map.groupBy(damaged, ({ table }) => table)].flatMap(([table, rows]) => {
    if (table === undefined)
      return rows.map(({ name }) => error(`${name} is not what was written`, file, RESTORE));
    const what = IMPORTED.has(table) ? "imported" : "written";
    const callId = rows.map((row) => row.callId).find((one) => typeof one === "string");
    const example = IMPORTED.has(table) ? callId && `call_id ${callId}` : rows[0]?.name;
    const one = example === undefined ? "" : `, ${example} for one`;
    return error(`${KINDS[table]} are not what was ${what}: ${rows.length}${one}`, file, RESTORE);
  });
}

const IMPORTED: ReadonlySet<DamagedRow["table"]> = new Set(["call", "chat", "user", "flag"]);
