// Adds entries to the ledger of an archive in a directory.
import type { DatabaseSync } from "node:sqlite";
import type { OwnLedger } from "../../values/ledger.ts";
import {
  createLedgerWriter as createWriter,
  type LedgerWriter,
} from "../../values/ledger-notes.ts";
import { createTombstones } from "../tombstones.ts";
import { readHead } from "./catch-up.ts";

/** Store its head with `putHead` when the archive has applied it. */
export const createLedgerWriter = (database: DatabaseSync, own: OwnLedger): LedgerWriter =>
  createWriter(own, {
    head: readHead(database),
    listMarks: () => createTombstones(database).list(),
  });
