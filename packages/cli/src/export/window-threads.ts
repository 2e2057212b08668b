// The threads that work on windows: this one, and a second one as soon as there is a window for it. An export is bound by the
// CPU time of the thread that hashes and writes what comes.
/* oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none */
import { getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { createBirpc } from "birpc";
import { type Fault, fromFault } from "./fault.ts";
import { keepThreadsSmall } from "./memory.ts";
import type { KeptPace } from "./pace.ts";
import { type Counters, createCounters, createTally } from "./tally.ts";
import { doTask, type Task } from "./task.ts";
import { createWork, type Order, type Work } from "./work.ts";

/** What the second thread is given. */
export interface ThreadData extends Pick<KeptPace, "pausedUntil" | "isLimited"> {
  readonly order: Order;
  /** Of the second thread, and of the first. */
  readonly counters: readonly [Counters, Counters];
}

/** What the second thread asks of the first. */
export interface FirstThread extends Pick<KeptPace, "enter" | "leave" | "receive" | "learn"> {
  readonly fail: (fault: Fault) => void;
}

/** What the first thread asks of the second. */
export interface SecondThread {
  /** Resolves when it is done, or the second thread has failed. */
  readonly doTask: (task: Task) => Promise<void>;
  readonly stop: () => void;
}

export interface WindowThreads extends AsyncDisposable {
  /** Of the first thread; its tally counts what both do. */
  readonly work: Work;
  readonly doTask: (task: Task) => Promise<void>;
  readonly tasksAtOnce: number;
}

/** Each task waits for the disk at its beginning and its end, and meanwhile the others have requests to send. */
const TASKS_OF_A_THREAD = 8;

interface Means extends Pick<Work, "signal" | "stop"> {
  readonly pace: KeptPace;
}

interface Hand {
  tasks: number;
  readonly doTask: (task: Task) => Promise<void>;
}

/** Each task is done by the thread that has fewer. Without files there is too little to do for two. */
export function openWindowThreads(order: Order, means: Means): WindowThreads {
  const [own, others] = [createCounters(), createCounters()];
  const work = createWork(order, { ...means, tally: createTally(own, others) });
  const second = createSecondThread(means, { order, counters: [others, own] });
  const hands: Hand[] = [{ tasks: 0, doTask: (task) => doTask(work, task) }];
  if (order.plan.files.length > 0 && availableParallelism() > 1)
    hands.push({ tasks: 0, doTask: second.doTask });
  return {
    work,
    tasksAtOnce: TASKS_OF_A_THREAD * hands.length,
    async doTask(task) {
      const hand = hands.reduce((one, other) => (other.tasks < one.tasks ? other : one));
      hand.tasks++;
      await hand.doTask(task).finally(() => hand.tasks--);
    },
    [Symbol.asyncDispose]: second.end,
  };
}

type Shared = Pick<ThreadData, "order" | "counters">;

/** Is started by its first task. */
function createSecondThread(means: Means, shared: Shared) {
  let started: ReturnType<typeof startThread> | undefined;
  return {
    doTask: async (task: Task) => await (started ??= startThread(means, shared)).doTask(task),
    end: async () => await started?.end(),
  };
}

function startThread({ pace, signal, stop }: Means, shared: Shared) {
  const { pausedUntil, isLimited, enter, leave, receive, learn } = pace;
  const worker = startWorker({ ...shared, pausedUntil, isLimited });
  const fail = (fault: Fault) => stop(fromFault(fault));
  const second = createBirpc<SecondThread, FirstThread>(
    { enter, leave, receive, learn, fail },
    {
      post: (message) => worker.postMessage(message),
      on: (receiver) => void worker.on("message", receiver),
      timeout: -1,
    },
  );
  worker.on("error", second.$close);
  worker.on("exit", () => second.$close(new Error("the second thread has ended")));
  const tellToStop = () => void second.stop.asEvent().catch(() => {}); // it may have ended
  signal.addEventListener("abort", tellToStop, { once: true });
  return {
    doTask: second.doTask,
    async end() {
      signal.removeEventListener("abort", tellToStop);
      await worker.terminate();
    },
  };
}

function startWorker(workerData: ThreadData): Worker {
  keepThreadsSmall();
  // Beside this module in the sources and in what is built from them.
  const module = new URL(`./window-thread${extname(import.meta.url)}`, import.meta.url);
  // What is compiled of a thread is kept where it is of this process, of which Node.js tells it only by a variable.
  const kept = getCompileCacheDir(); // its name is of this version of Node.js
  const env = kept === undefined ? {} : { NODE_COMPILE_CACHE: dirname(kept) };
  return new Worker(module, { workerData, execArgv: [], env: { ...process.env, ...env } });
}
