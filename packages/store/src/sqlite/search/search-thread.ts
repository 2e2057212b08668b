// A thread for searches: lookups and everything else in the service continue meanwhile.
import { workerData } from "node:worker_threads";
import { createCallSearch } from "./call-search.ts";
import { openForSearches } from "../files/database.ts";
import { serveJobs } from "../job-thread.ts";

serveJobs(() => {
  const database = openForSearches(String(workerData));
  return { run: createCallSearch(database), close: () => database.close() };
});
