// The thread that writes access.db. A slow disk, or a lock of another program, delays only the callers that wait for
// their row.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { workerData } from "node:worker_threads";
import type { ChainHead } from "../../port/access-log.ts";
import { type AccessJob, type Changed, createAccessJobs } from "./access-jobs.ts";
import { readHead, updateWitness } from "./access-witness.ts";
import { Connection } from "../files/connection.ts";
import { createPlaceCheck } from "../files/place-check.ts";
import {
  ACCESS_DATABASE,
  DATABASE,
  isBusy,
  openAccessDatabase,
  toSize,
} from "../files/database.ts";
import { serveJobs } from "../job-thread.ts";
import { countRows } from "../schema/row-sums.ts";

serveJobs(() => {
  const directory = String(workerData);
  // The store has opened the file before. If it is missing now, it must not be created again in the middle of a chain of
  // rows.
  if (!existsSync(join(directory, ACCESS_DATABASE))) throw new Error("the file is gone");
  const database = openAccessDatabase(directory);
  const run = createAccessJobs(database);
  // Rows written to a file that was moved or deleted would never be read.
  const checkPlace = createPlaceCheck([join(directory, ACCESS_DATABASE)]);
  return {
    run: (job: ThreadJob): Changed => {
      checkPlace();
      return job.kind === "witness"
        ? { applications: 0, bearers: 0, head: witness(directory, database) }
        : run(job);
    },
    close: () => database.close(),
  };
});

export type ThreadJob = AccessJob | { readonly kind: "witness" };

// A larger log of archive.db was left by an import, which copies it itself.
const SMALL_LOG_BYTES = 1024 * 1024;

// Rows wait for this thread, so it waits for nothing: while an import holds the lock, the witness lags behind. The log is copied
// into archive.db itself, because people who copy that file often forget its log.
function witness(directory: string, access: DatabaseSync): ChainHead | undefined {
  const file = join(directory, DATABASE);
  using archive = new Connection(file, { timeout: 0 });
  archive.exec("PRAGMA wal_autocheckpoint = 0");
  countRows(archive, ["setting"]);
  try {
    const head = updateWitness(archive, access);
    if (toSize(`${file}-wal`) <= SMALL_LOG_BYTES) archive.exec("PRAGMA wal_checkpoint(PASSIVE)");
    return head;
  } catch (error) {
    if (isBusy(error)) return readHead(access);
    throw error;
  }
}
