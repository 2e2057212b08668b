// A thread that searches: by-id reads and everything else the service answers go on meanwhile.
import { workerData } from "node:worker_threads";
import { createCallSearch } from "./call-search.ts";
import { openForSearches } from "../files/database.ts";
import { serveJobs } from "../job-thread.ts";

serveJobs(() => {
  const database = openForSearches(String(workerData));
  return { run: createCallSearch(database), close: () => database.close() };
});
