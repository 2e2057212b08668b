// Adds entries to the ledger of an archive in a directory.
import type { DatabaseSync } from "node:sqlite";
import type { LedgerHead } from "../../port/ledger.ts";
import { appendEntry, mergeMarks, type OwnLedger, type Told } from "../../values/ledger.ts";
import { createTombstones } from "../tombstones.ts";
import { readHead } from "./catch-up.ts";

export interface LedgerWriter {
  readonly append: (told: Told) => Promise<void>;
  /** The newest entry; store it with `putHead` when the archive has applied it. */
  readonly head: () => LedgerHead;
}

export function createLedgerWriter(database: DatabaseSync, own: OwnLedger): LedgerWriter {
  let head = readHead(database);
  // The ledger has no entry for what an earlier version erased. The first entry includes it, so that a restore repeats that as well.
  let before = head.number === 0 ? createTombstones(database).list() : [];
  const append = async (told: Told): Promise<void> => {
    if (before.length > 0 && told.kind !== "erased") {
      const { by } = told;
      await append({ kind: "erased", by, why: {}, marks: [], sounds: [] });
    }
    const marks = before.length === 0 ? told.marks : mergeMarks([...before, ...told.marks]);
    head = await appendEntry(own, head, { ...told, marks });
    before = [];
  };
  return { append, head: () => head };
}
