// Examines whether an archive has its complete ledger, and has erased what the entries name.
import type { DatabaseSync } from "node:sqlite";
import { isFault } from "../../../port/faults.ts";
import { LedgerFault, PUT_BACK } from "../../../values/ledger.ts";
import { isBackup } from "../../files/database.ts";
import { countBehind, type OwnLedger, toLedger } from "../catch-up.ts";
import { error, type Finding, warning } from "./finding.ts";

const BACK_UP_AGAIN =
  "know that restore removes it again; a new backup does not have it, and this one can be deleted then";

export async function examineLedger(archive: DatabaseSync, own: OwnLedger): Promise<Finding[]> {
  const { name } = toLedger(own);
  try {
    const behind = await countBehind(archive, own);
    if (behind === 0) return [];
    const more = `its ledger has ${behind} ${behind === 1 ? "entry" : "entries"} more`;
    // The ledger of a backup is ahead of its records after each purge.
    if (isBackup(own.directory))
      return [warning(`the backup still has what was purged since: ${more}`, name, BACK_UP_AGAIN)];
    const what = `the archive still has what a purge took out: ${more}`;
    return [error(what, name, "start the service again, or import anything: either removes that")];
  } catch (fault) {
    if (fault instanceof LedgerFault) return [error(fault.what, name, PUT_BACK)];
    if (!isFault(fault, "unavailable")) throw fault;
    return [warning(fault.message, name, "see to it that this place can be read")];
  }
}
