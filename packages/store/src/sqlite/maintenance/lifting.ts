// Writes a ledger entry for what an import lets in again although a purge has erased it, so that a restore of an earlier backup keeps it.
import type { DatabaseSync } from "node:sqlite";
import { appendEntry } from "../../values/ledger.ts";
import { readSetting } from "../settings.ts";
import { createBackupLedgers } from "./backup-ledgers.ts";
import { type OwnLedger, putHead, readHead, toLedger } from "./catch-up.ts";

/** Uses the connection of one import session. */
export interface Lifting {
  /** `marks`: hexadecimal. Throws `StoreFault` for a ledger that cannot be reached. */
  add(database: DatabaseSync, marks: readonly string[]): Promise<void>;
  /** Adds the entries to the ledgers of the backups. */
  end(database: DatabaseSync): Promise<void>;
}

export function createLifting(archive: OwnLedger, by: string): Lifting {
  const ledger = toLedger(archive);
  let isAny = false;
  return {
    add: async (database, lifted) => {
      const own = { place: ledger, archiveId: readSetting(database, "archive_id") };
      const marks = lifted.map((mark) => [mark, null] as const);
      const told = { kind: "lifted", by, why: {}, marks, sounds: [] } as const;
      putHead(database, await appendEntry(own, readHead(database), told));
      isAny = true;
    },
    end: async (database) => {
      if (isAny)
        await createBackupLedgers(database, { directory: archive.directory, ledger }).end();
    },
  };
}
