// The thread that writes access.db: a disk that is slow to confirm, or a lock that another program holds, then delays
// those who wait for their row and nobody else.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";
import { createAccessJobs } from "./access-jobs.ts";
import { ACCESS_DATABASE, openAccessDatabase } from "../files/database.ts";
import { serveJobs } from "../job-thread.ts";

serveJobs(() => {
  const directory = String(workerData);
  // The store has opened it before: what is gone now must not be begun anew amid a chain of rows.
  if (!existsSync(join(directory, ACCESS_DATABASE))) throw new Error("the file is gone");
  const database = openAccessDatabase(directory);
  return { run: createAccessJobs(database), close: () => database.close() };
});
