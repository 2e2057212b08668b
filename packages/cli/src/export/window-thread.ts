// The second thread of an export: works on windows as the first one does, at the pace that the first one keeps.
/* oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none */
import { parentPort, workerData } from "node:worker_threads";
import { createBirpc } from "birpc";
import { toFault } from "./fault.ts";
import { watchMemory } from "./memory.ts";
import { createPacedFetch, type Pace } from "./pace.ts";
import { createTally } from "./tally.ts";
import { doTask } from "./task.ts";
import type { FirstThread, SecondThread, ThreadData } from "./window-threads.ts";
import { createWork } from "./work.ts";

const { order, counters, pausedUntil, isLimited } = workerData as ThreadData; // of window-threads.ts
const stopping = new AbortController();

const first = createBirpc<FirstThread, SecondThread>(
  {
    doTask: async (task) => await doTask(work, task).catch(stop),
    stop: () => stopping.abort(),
  },
  {
    post: (message) => parentPort?.postMessage(message),
    on: (receiver) => void parentPort?.on("message", receiver),
    timeout: -1,
  },
);

const learn: FirstThread["learn"] = (seen) => void first.learn.asEvent(seen);

const pace: Pace = {
  enter: first.enter,
  leave: () => void first.leave.asEvent(),
  // Each piece that comes would else be a question to the first thread.
  receive: isLimited ? first.receive : async () => {},
  fetch: createPacedFetch({ learn, pausedUntil }),
};

function stop(error: unknown): void {
  void first.fail.asEvent(toFault(error));
  stopping.abort(error);
}

const tally = createTally(...counters);
const work = createWork(order, { pace, signal: stopping.signal, tally, stop });
watchMemory();
