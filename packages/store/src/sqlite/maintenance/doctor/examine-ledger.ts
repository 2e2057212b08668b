// Examines whether an archive has its complete ledger, has erased what the entries name, and has the holds.
import type { DatabaseSync } from "node:sqlite";
import { isFault } from "../../../port/faults.ts";
import { LedgerFault, PUT_BACK } from "../../../values/ledger.ts";
import { isBackup } from "../../files/database.ts";
import { countBehind, type OwnLedger, toLedger, toOwn } from "../catch-up.ts";
import { compareWithLedger } from "../ledger-holds.ts";
import { error, type Finding, warning } from "./finding.ts";

const BACK_UP_AGAIN =
  "know that restore removes it again; a new backup does not have it, and this one can be deleted then";

export async function examineLedger(archive: DatabaseSync, own: OwnLedger): Promise<Finding[]> {
  const { name } = toLedger(own);
  try {
    const holds = isBackup(own.directory) ? [] : await examineHolds(archive, own);
    const behind = await countBehind(archive, own);
    if (behind === 0) return holds;
    const more = `its ledger has ${behind} ${behind === 1 ? "entry" : "entries"} more`;
    // The ledger of a backup is ahead of its records after each purge.
    if (isBackup(own.directory))
      return [warning(`the backup still has what was purged since: ${more}`, name, BACK_UP_AGAIN)];
    const what = `the archive still has what a purge took out: ${more}`;
    return [
      ...holds,
      error(what, name, "start the service again, or import anything: either removes that"),
    ];
  } catch (fault) {
    if (fault instanceof LedgerFault) return [error(fault.what, name, PUT_BACK)];
    if (!isFault(fault, "unavailable")) throw fault;
    return [warning(fault.message, name, "see to it that this place can be read")];
  }
}

const AGREE = "start the service again, or import anything: either makes them agree";

/** A backup gets those of its ledger when it is restored. */
async function examineHolds(archive: DatabaseSync, own: OwnLedger): Promise<Finding[]> {
  const { name } = toLedger(own);
  const changes = await compareHolds(archive, own);
  if (changes === undefined) return [];
  const list = (holds: readonly { readonly name: string }[]) =>
    holds.map((one) => one.name).join(", ");
  const { added, widened, told } = changes;
  const released = changes.released.map((one) => ({ name: one }));
  const differences = [
    [added, "the archive lacks holds that its ledger has"],
    [widened, "the archive lacks calls that holds in its ledger have caught"],
    [released, "the archive has holds that its ledger calls released"],
    [told, "the ledger lacks holds of the archive, or calls that they have caught"],
  ] as const;
  return differences.flatMap(([holds, what]) =>
    holds.length === 0 ? [] : [toFinding(holds === added)(`${what}: ${list(holds)}`, name, AGREE)],
  );
}

/** Undefined if a hold of the archive is damaged: the examination of rows names it. */
async function compareHolds(archive: DatabaseSync, own: OwnLedger) {
  try {
    return await compareWithLedger(archive, toOwn(archive, own));
  } catch (fault) {
    if (fault instanceof LedgerFault || !isFault(fault, "damaged")) throw fault;
    return undefined;
  }
}

const toFinding = (isLost: boolean) => (isLost ? error : warning);
