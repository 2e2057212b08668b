// A thread that dies of its first job, after its answer.
import { serveJobs } from "../../src/sqlite/job-thread.ts";

serveJobs<string, string>(() => ({
  run: (job) => {
    queueMicrotask(() => {
      throw new Error(`died of ${job}`);
    });
    return job;
  },
  close: () => {},
}));
