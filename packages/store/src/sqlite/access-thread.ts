// The thread that writes access.db: a disk that is slow to confirm, or a lock that another program holds, then delays
// those who wait for their row and nobody else.
/* oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none */
import { parentPort, workerData } from "node:worker_threads";
import type { DatabaseSync } from "node:sqlite";
import { type AccessJob, createAccessJobs } from "./access-jobs.ts";
import { openAccessDatabase } from "./database.ts";

interface Connection {
  readonly database: DatabaseSync;
  readonly run: ReturnType<typeof createAccessJobs>;
}

let connection: Connection | undefined;

// After a failure the file is opened anew: what was wrong may have been put right.
function run(job: AccessJob) {
  try {
    connection ??= open(String(workerData));
    return { changed: connection.run(job) };
  } catch (error) {
    connection?.database.close();
    connection = undefined;
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function open(directory: string): Connection {
  const database = openAccessDatabase(directory);
  return { database, run: createAccessJobs(database) };
}

parentPort?.on("message", (job: AccessJob | "close") => {
  if (job !== "close") {
    parentPort?.postMessage(run(job));
    return;
  }
  connection?.database.close();
  parentPort?.close();
});
