// Rebuilds the search index from the calls in the archive.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../../port/index.ts";
import { prepareBig } from "../files/connection.ts";
import { createCallChanges } from "./call-changes.ts";
import { clearIndex } from "../segment-index/segment-index.ts";
import { CALL_COLUMNS, type CallRow } from "../call-row.ts";

const BATCH_CALLS = 5_000;

/**
 * Rebuilds it; must be called in a transaction. Yields the calls in batches after indexing them, and the caller has to
 * iterate to the end. Throws what `toRecord` throws.
 */
export function* indexCalls(
  database: DatabaseSync,
  toRecord: (row: CallRow) => MetadataRecord,
): Generator<readonly CallRow[], void> {
  clearIndex(database);
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
