// The doctor's progress through the rows of a database, as a share of its file size, which operators know.
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { OnProgress } from "../../../port/maintenance.ts";
import type { RowWatch } from "../../row-check.ts";

// Reading a page takes some hundredths of a second.
const ROWS_BETWEEN = 2_000;

/** `file`: that of the database. */
export function createRowWatch(
  database: DatabaseSync,
  file: string,
  onProgress: OnProgress,
): RowWatch {
  const bytesTotal = statSync(file).size;
  return function* watch(step, table, rows) {
    const total = Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
    const tell = (done: number) =>
      onProgress({ step, bytesDone: Math.round((bytesTotal * done) / total), bytesTotal });
    let done = 0;
    for (const row of rows) {
      yield row;
      done += 1;
      if (done % ROWS_BETWEEN === 0 || done === total) tell(done);
    }
  };
}
