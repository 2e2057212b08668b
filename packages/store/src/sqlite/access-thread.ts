// The thread that writes access.db: a disk that is slow to confirm, or a lock that another program holds, then delays
// those who wait for their row and nobody else.
import { workerData } from "node:worker_threads";
import { createAccessJobs } from "./access-jobs.ts";
import { openAccessDatabase } from "./database.ts";
import { serveJobs } from "./job-thread.ts";

serveJobs(() => {
  const database = openAccessDatabase(String(workerData));
  return { run: createAccessJobs(database), close: () => database.close() };
});
