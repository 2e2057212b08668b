// Says whether an archive has its complete ledger, has erased what the entries name, and has the holds.
import { isFault } from "../port/faults.ts";
import type { Finding } from "../port/finding.ts";
import { LedgerFault, PUT_BACK } from "./ledger.ts";
import type { HoldChanges } from "./ledger-holds.ts";

export interface ExaminedLedger {
  /** Of its place. */
  readonly name: string;
  /** The number of entries that the archive has not applied. */
  readonly countBehind: () => Promise<number>;
  /** Undefined for a backup, which gets the holds of its ledger when it is restored. */
  readonly compareHolds: (() => Promise<HoldChanges>) | undefined;
}

const REMOVES = "start the service again, or import anything: either removes that";
const AGREE = "start the service again, or import anything: either makes them agree";

const BACK_UP_AGAIN =
  "know that restore removes it again; a new backup does not have it, and this one can be deleted then";

export async function examineLedger(ledger: ExaminedLedger): Promise<Finding[]> {
  const { name: where, countBehind, compareHolds } = ledger;
  try {
    const holds = compareHolds === undefined ? [] : await examineHolds(compareHolds, where);
    const behind = await countBehind();
    if (behind === 0) return holds;
    const more = `its ledger has ${behind} ${behind === 1 ? "entry" : "entries"} more`;
    // The ledger of a backup is ahead of its records after each purge.
    if (compareHolds === undefined) {
      const what = `the backup still has what was purged since: ${more}`;
      return [{ level: "warning", what, where, todo: BACK_UP_AGAIN }];
    }
    const what = `the archive still has what a purge took out: ${more}`;
    return [...holds, { level: "error", what, where, todo: REMOVES }];
  } catch (fault) {
    if (fault instanceof LedgerFault)
      return [{ level: "error", what: fault.what, where, todo: PUT_BACK }];
    if (!isFault(fault, "unavailable")) throw fault;
    const todo = "see to it that this place can be read";
    return [{ level: "warning", what: fault.message, where, todo }];
  }
}

async function examineHolds(
  compareHolds: () => Promise<HoldChanges>,
  where: string,
): Promise<Finding[]> {
  const changes = await unlessDamaged(compareHolds());
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
  return differences.flatMap(([holds, said]) => {
    if (holds.length === 0) return [];
    const level = holds === added ? "error" : "warning";
    return [{ level, what: `${said}: ${list(holds)}`, where, todo: AGREE } as const];
  });
}

/** Undefined if a hold of the archive is damaged: the examination of rows names it. */
async function unlessDamaged(changes: Promise<HoldChanges>): Promise<HoldChanges | undefined> {
  try {
    return await changes;
  } catch (fault) {
    if (fault instanceof LedgerFault || !isFault(fault, "damaged")) throw fault;
    return undefined;
  }
}
