// What the search index has of the calls in the archive: read from their rows, and the whole index made anew from it.
import type { DatabaseSync } from "node:sqlite";
import { RecordDamaged } from "../call-store.ts";
import { createCallChanges } from "./call-changes.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import type { OnUpgrade } from "./migrations.ts";
import type { Indexable } from "./search-index.ts";

/** Of a row of `call`, what `createIndexableReader` reads. */
export const INDEXABLE_COLUMNS = `${CALL_COLUMNS}, session_id, master_id`;

export interface IndexableRow extends CallRow {
  readonly session_id: string | null;
  readonly master_id: string | null;
}

/** The function throws `RecordDamaged`. */
export function createIndexableReader(database: DatabaseSync): (row: IndexableRow) => Indexable {
  const { toRecord } = createRecordForm(database);
  return (row) => ({
    record: toRecord(row),
    sessionId: row.session_id,
    masterId: row.master_id,
  });
}

const BATCH_CALLS = 5_000;

/**
 * Makes the index anew, in a transaction of the caller's, and gives the calls batch by batch, each when it has been taken in; it
 * has to be gone through to the end. Throws what `toIndexable` throws.
 */
export function* indexCalls(
  database: DatabaseSync,
  toIndexable: (row: IndexableRow) => Indexable,
): Generator<readonly IndexableRow[], void> {
  database.exec("DELETE FROM index_piece; DELETE FROM index_page; DELETE FROM index_block");
  const changes = createCallChanges(database);
  const next = database.prepare(
    `SELECT ${INDEXABLE_COLUMNS} FROM call WHERE id > ? ORDER BY id LIMIT ${BATCH_CALLS}`,
  );
  next.setReadBigInts(true);
  for (let after = -(2n ** 63n); ;) {
    const rows = next.all(after) as unknown as IndexableRow[]; // the columns that it names
    for (const row of rows) changes.add(row.id, toIndexable(row));
    changes.flushWhenFull();
    yield rows;
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  changes.flush();
}

/** Schema 16: before, the index had no references, and no calls without a datetime. */
export function indexReferences(database: DatabaseSync, onUpgrade: OnUpgrade): void {
  const total = Number(database.prepare("SELECT count(*) AS n FROM call").get()?.["n"]);
  if (total === 0) return;
  const toWhole = createIndexableReader(database);
  // A record that is damaged does not keep the others from being read: its identifiers are not in it.
  const toIndexable = (row: IndexableRow): Indexable => {
    try {
      return toWhole(row);
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      return toWhole({ ...row, record: "[]" });
    }
  };
  let done = 0;
  for (const rows of indexCalls(database, toIndexable)) {
    done += rows.length;
    if (rows.length > 0) onUpgrade(done, total);
  }
}
