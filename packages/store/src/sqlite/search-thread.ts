// A thread that searches: by-id reads and everything else the service answers go on meanwhile.
import { workerData } from "node:worker_threads";
import { createCallSearch, type FoundPage, type RangeSearch } from "./call-search.ts";
import { openForSearches } from "./database.ts";
import { serveJobs } from "./job-thread.ts";
import { openIndex } from "./open-index.ts";
import { createSeenFinder, type Sought } from "./seen-calls.ts";

export type SearchJob = RangeSearch | Sought;
export type Found<Job extends SearchJob> = Job extends RangeSearch ? FoundPage : BigInt64Array;

serveJobs<SearchJob, Found<SearchJob>>(() => {
  const database = openForSearches(String(workerData));
  const index = openIndex(database);
  const search = createCallSearch(database, index);
  const findSeen = createSeenFinder(index);
  return {
    run: (job) => ("filter" in job ? search(job) : findSeen(job)),
    close: () => database.close(),
  };
});
