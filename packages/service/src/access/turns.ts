// Runs expensive work for unauthenticated callers sequentially, and keeps any one of them from filling the queue.
import { setTimeout as wait } from "node:timers/promises";

/** The queue is full, and this caller was the first to give way. */
export class TurnLost extends Error {
  override readonly name = "TurnLost";
}

/** A waiting caller. */
export interface Waiting {
  readonly from: string;
  /** True if an attempt of the same kind has failed recently. */
  readonly hasFailed: boolean;
}

interface Turn extends Waiting {
  /** Does the work; false if it failed. */
  readonly run: () => Promise<boolean>;
  readonly lose: () => void;
}

/**
 * Runs tasks in their order of arrival. After each task it rests for the same time. So any number of them leaves half a core
 * free, and the thread pool, which file reads need too. A failed task has no rest. If more than `maxWaiting`
 * wait, the caller with the most of them loses its newest, with `TurnLost`: one caller cannot keep out the others. If several have
 * equally many, the oldest of those that failed recently gives way.
 */
export function createTurns(maxWaiting: number) {
  const waiting: Turn[] = [];
  let isRunning = false;

  const runAll = async (): Promise<void> => {
    isRunning = true;
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
      const startedMs = performance.now();
      if (await turn.run()) await wait(performance.now() - startedMs);
    }
    isRunning = false;
  };
  const enter = (turn: Turn): void => {
    waiting.push(turn);
    if (waiting.length > maxWaiting) removeFirstToGo(waiting).lose();
    if (!isRunning) void runAll();
  };

  return <T>(who: Waiting, task: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      enter({
        ...who,
        run: async () => {
          const result = task();
          result.then(resolve, reject);
          return await result.then(
            () => true,
            () => false,
          );
        },
        lose: () => reject(new TurnLost()),
      });
    });
}

function removeFirstToGo(turns: Turn[]): Turn {
  const [first] = turns.splice(findFirstToGo(turns), 1);
  if (first === undefined) throw new Error("nobody waits");
  return first;
}

/** The index of the turn that gives way. */
function findFirstToGo(turns: readonly Turn[]): number {
  const counts = new Map<string, number>();
  for (const { from } of turns) counts.set(from, (counts.get(from) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const isBusiest = ({ from }: Turn) => counts.get(from) === most;
  const isShared = [...counts.values()].filter((count) => count === most).length > 1;
  const failed = isShared ? turns.findIndex((turn) => isBusiest(turn) && turn.hasFailed) : -1;
  return failed === -1 ? turns.findLastIndex(isBusiest) : failed;
}
