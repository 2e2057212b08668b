// Writes into the ledger what an import changes of erasures and holds, so that a restore of an earlier backup knows it: what it lets in again
// although a purge has erased it, and what a hold has caught.
import type { DatabaseSync } from "node:sqlite";
import { createBackupLedgers } from "./backup-ledgers.ts";
import { createLedgerWriter, type OwnLedger, putHead, toLedger, toOwn } from "./ledger.ts";
import { matchHolds } from "./ledger-holds.ts";

/** Uses the connection of one import session. */
export interface Lifting {
  /** `marks`: hexadecimal. Throws `StoreFault` for a ledger that cannot be reached. */
  add(database: DatabaseSync, marks: readonly string[]): Promise<void>;
  /** Writes what holds have caught, and adds all of it to the ledgers of the backups. */
  end(database: DatabaseSync): Promise<void>;
}

export function createLifting(archive: OwnLedger, by: string): Lifting {
  const ledger = toLedger(archive);
  let isAny = false;
  return {
    add: async (database, lifted) => {
      const writer = createLedgerWriter(database, toOwn(database, archive));
      const marks = lifted.map((mark) => [mark, null] as const);
      await writer.append({ kind: "lifted", by, why: {}, marks, sounds: [] });
      putHead(database, writer.head());
      isAny = true;
    },
    end: async (database) => {
      // What replacements have caught.
      const { told } = await matchHolds(database, toOwn(database, archive));
      if (isAny || told.length > 0)
        await createBackupLedgers(database, { directory: archive.directory, ledger }).end();
    },
  };
}
