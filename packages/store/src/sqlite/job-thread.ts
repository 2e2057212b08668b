// A thread that does jobs sequentially on its own connection: starting it, running in it, and the messages between the
// two sides.
/* oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none */
import { getCompileCacheDir } from "node:module";
import { dirname, extname } from "node:path";
import { parentPort, Worker } from "node:worker_threads";

export interface JobThread<Job, Result> {
  /** Rejects with the error of the job (its name, its message, and its `code` if it has one), or with `ThreadEnded`. */
  run(job: Job): Promise<Result>;
  /** Abandons pending jobs. Resolves when the thread has ended; a running SQLite statement delays that. */
  stop(): Promise<void>;
  /** Resolves when the thread has ended; pending jobs are done first. */
  close(): Promise<void>;
}

/** The thread has ended. The next job starts another. */
export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
}

/** The context in which a thread does its jobs. */
export interface Workplace<Job, Result> {
  run(job: Job): Result;
  close(): void;
}

type Request<Job> = { readonly job: Job } | "close";

interface Fault {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
}

type Answer<Result> = { readonly result: Result } | { readonly fault: Fault };

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** The module `name` in the directory of `beside`, both in the sources and in the build output. */
export function toModule(name: string, beside: string): URL {
  return new URL(`./${name}${extname(beside)}`, beside);
}

/**
 * Sends jobs to a thread that runs `module`. The first job starts it: most operators' commands have none. The process
 * stays alive while a job is pending, but not because of the thread.
 */
export function createJobThread<Job, Result>(
  module: URL,
  workerData: unknown,
): JobThread<Job, Result> {
  // A thread that is stopped, or ended by an error, gets no more jobs. Its files stay open until it has ended.
  const notEnded = new Set<StartedThread<Job, Result>>();
  let current: StartedThread<Job, Result> | undefined;

  const start = (): StartedThread<Job, Result> => {
    const thread = startThread<Job, Result>(module, workerData);
    notEnded.add(thread);
    const forget = () => void (current = current === thread ? undefined : current);
    thread.worker.on("error", forget).on("exit", forget);
    void thread.ended.then(() => notEnded.delete(thread));
    return thread;
  };
  const ended = async (): Promise<void> => {
    await Promise.all(Array.from(notEnded, (thread) => thread.waitForEnd()));
  };

  return {
    run: (job) => {
      current ??= start();
      return current.run(job);
    },
    stop: async () => {
      void current?.worker.terminate();
      current = undefined;
      await ended();
    },
    close: async () => {
      current?.worker.postMessage("close" satisfies Request<Job>);
      current = undefined;
      await ended();
    },
  };
}

interface StartedThread<Job, Result> {
  readonly worker: Worker;
  run(job: Job): Promise<Result>;
  readonly ended: Promise<void>;
  /** The same, and keeps the process alive until then. */
  waitForEnd(): Promise<void>;
}

function startThread<Job, Result>(module: URL, workerData: unknown): StartedThread<Job, Result> {
  const waiting: Waiting<Result>[] = []; // the thread responds in the order of the jobs
  // Flags of this process, such as --eval, do not apply to the thread.
  const worker = new Worker(module, { workerData, execArgv: [], env: toEnvironment() });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let fault = "the thread has ended";
  let isAwaited = false;

  worker.on("message", (answer: Answer<Result>) => {
    const next = waiting.shift();
    if (waiting.length === 0 && !isAwaited) worker.unref();
    if ("result" in answer) next?.resolve(answer.result);
    else next?.reject(Object.assign(new Error(answer.fault.message), answer.fault));
  });
  // Node.js reports errors on another channel than messages. A response sent before an error may arrive after it, but not after the exit.
  worker.on("error", (error: Error) => (fault = error.message));
  worker.on("exit", () => {
    for (const { reject } of waiting.splice(0)) reject(new ThreadEnded(fault));
    end();
  });

  return {
    worker,
    ended,
    run: (job) =>
      new Promise((resolve, reject) => {
        worker.ref();
        waiting.push({ resolve, reject });
        worker.postMessage({ job } satisfies Request<Job>);
      }),
    waitForEnd: () => {
      isAwaited = true;
      worker.ref();
      return ended;
    },
  };
}

/**
 * A thread stores its compiled code in this process's cache directory; Node.js passes that on only in an environment
 * variable. When run from the sources, each thread would strip types with its own WebAssembly. That takes half of the time until
 * its first response, and several in parallel can crash V8 (nodejs/node#64500).
 */
function toEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir(); // its name contains the version of Node.js
  return folder === undefined
    ? process.env
    : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** Called by the module of the thread. After a failure the context is opened again: the cause may be gone. */
export function serveJobs<Job, Result>(open: () => Workplace<Job, Result>): void {
  let workplace: Workplace<Job, Result> | undefined;
  const answer = (job: Job): Answer<Result> => {
    try {
      workplace ??= open();
      return { result: workplace.run(job) };
    } catch (error) {
      workplace?.close();
      workplace = undefined;
      return { fault: toFault(error) };
    }
  };
  parentPort?.on("message", (request: Request<Job>) => {
    if (request !== "close") {
      parentPort?.postMessage(answer(request.job));
      return;
    }
    workplace?.close();
    parentPort?.close();
  });
}

// An Error object would lose its code and its custom name when passed between threads.
function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  return { name, message, ...("code" in error && { code: error.code }) };
}
