// What the doctor says of records that are not what was imported.
import type { DatabaseSync } from "node:sqlite";
import { readAtOnce } from "../../files/transaction.ts";
import { listDamaged, type RowWatch } from "../../row-check.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

const KINDS = { call: "calls", chat: "chat messages", user: "users", flag: "flags" } as const;

/** Reads all calls, messages, users and flags. */
export function examineRows(archive: DatabaseSync, file: string, watch: RowWatch): Finding[] {
  // One state of the archive for all that is compared, whatever an import writes meanwhile.
  const damaged = readAtOnce(archive, () => [...listDamaged(archive, watch)]);
  return [...Map.groupBy(damaged, ({ table }) => table)].map(([table, rows]) => {
    const callId = rows.map((row) => row.callId).find((one) => typeof one === "string");
    const example = callId === undefined ? "" : `, call_id ${callId} for one`;
    return error(
      `${KINDS[table]} are not what was imported: ${rows.length}${example}`,
      file,
      RESTORE,
    );
  });
}
