// The search index and the crowds made anew from the calls in the archive.
import type { DatabaseSync } from "node:sqlite";
import { type MetadataRecord, RecordDamaged } from "../../call-store.ts";
import { prepareBig } from "../files/connection.ts";
import { createCallChanges } from "./call-changes.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "../call-row.ts";
import { MAKE_EMPTY } from "../crowds/crowd-blocks.ts";
import type { OnUpgrade } from "../schema/migrate.ts";

const BATCH_CALLS = 5_000;

/**
 * Makes them anew, in a transaction of the caller's, and gives the calls batch by batch, each when it has been taken in; it
 * has to be gone through to the end. Throws what `toRecord` throws.
 */
export function* indexCalls(
  database: DatabaseSync,
  toRecord: (row: CallRow) => MetadataRecord,
): Generator<readonly CallRow[], void> {
  database.exec("DELETE FROM index_piece; DELETE FROM index_page; DELETE FROM index_block");
  database.exec(MAKE_EMPTY);
  const changes = createCallChanges(database);
  const next = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE id > ? ORDER BY id LIMIT ${BATCH_CALLS}`,
  );
  for (let after = -(2n ** 63n); ;) {
    const rows = next.all(after);
    for (const row of rows) changes.add(row.id, toRecord(row));
    changes.flushWhenFull();
    yield rows;
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  changes.flush();
}

/**
 * Schema 20: before, there were no crowds, or only some of them, and the index had no calls without a datetime; that of 16
 * had references.
 */
export function indexAnew(database: DatabaseSync, onUpgrade: OnUpgrade): void {
  const total = Number(database.prepare("SELECT count(*) AS n FROM call").get()?.["n"]);
  if (total === 0) return;
  const form = createRecordForm(database);
  // A record that is damaged does not keep the others from being read: its identifiers are not in it.
  const toRecord = (row: CallRow): MetadataRecord => {
    try {
      return form.toRecord(row);
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      return form.toRecord({ ...row, record: "[]" });
    }
  };
  let done = 0;
  for (const rows of indexCalls(database, toRecord)) {
    done += rows.length;
    if (rows.length > 0) onUpgrade(done, total);
  }
}
