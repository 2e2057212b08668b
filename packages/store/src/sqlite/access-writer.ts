// The way to the thread that writes access.db: jobs go there one after the other, and come back done or refused.
/* oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none */
import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { NotWritten } from "../call-store.ts";
import type { AccessJob, Changed } from "./access-jobs.ts";

export interface AccessWriter {
  /** Throws `NotWritten`. */
  run(job: AccessJob): Promise<Changed>;
  /** Resolves when the thread has ended; jobs under way are done before. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (changed: Changed) => void;
  readonly reject: (error: Error) => void;
}

type Answer = { readonly changed: Changed } | { readonly fault: string };

// Beside this module in the sources and in what is built from them.
const THREAD = new URL(`./access-thread${extname(import.meta.url)}`, import.meta.url);

/** The thread starts with the first job: most of the operator's commands have none. */
export function createAccessWriter(directory: string): AccessWriter {
  const waiting: Waiting[] = []; // the thread answers in the order of the jobs
  let thread: Worker | undefined;
  let isClosed = false;

  const start = (): Worker => {
    // Flags of this process, such as --eval, are not meant for the thread.
    const worker = new Worker(THREAD, { workerData: directory, execArgv: [] });
    const fail = (fault: string) => {
      if (thread !== worker) return;
      thread = undefined;
      for (const { reject } of waiting.splice(0)) reject(toNotWritten(fault));
    };
    worker.on("message", (answer: Answer) => {
      const next = waiting.shift();
      if (waiting.length === 0) worker.unref();
      if ("changed" in answer) next?.resolve(answer.changed);
      else next?.reject(toNotWritten(answer.fault));
    });
    worker.on("error", (error: Error) => fail(error.message));
    worker.on("exit", () => fail("the thread that writes access.db has ended"));
    return worker;
  };

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw toNotWritten("the archive is closed");
        thread ??= start();
        // The process lives as long as a job is under way, and no longer for the thread's sake.
        thread.ref();
        waiting.push({ resolve, reject });
        thread.postMessage(job);
      }),
    close: async () => {
      isClosed = true;
      if (thread === undefined) return;
      const worker = thread;
      worker.ref();
      worker.postMessage("close");
      await once(worker, "exit");
    },
  };
}

function toNotWritten(fault: string): NotWritten {
  return new NotWritten(`access.db could not be written: ${fault}`);
}
