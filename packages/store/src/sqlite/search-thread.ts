// A thread that searches: by-id reads and everything else the service answers go on meanwhile.
import { workerData } from "node:worker_threads";
import type { CallSearch } from "../call-store.ts";
import { createCallSearch, type FoundPage } from "./call-search.ts";
import { openForSearches } from "./database.ts";
import { serveJobs } from "./job-thread.ts";
import type { SearchedArchive } from "./search-threads.ts";

const { directory, timeZone } = workerData as SearchedArchive; // as search-threads.ts gives it

serveJobs<CallSearch, FoundPage>(() => {
  const database = openForSearches(directory);
  return { run: createCallSearch(database, timeZone), close: () => database.close() };
});
