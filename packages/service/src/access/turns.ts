// Runs expensive work for unauthenticated callers sequentially, and keeps one of them from filling the queue.
import { setTimeout as wait } from "node:timers/promises";

/** The queue is full, and this caller has most of what waits in it. */
export class TurnLost extends Error {
  override readonly name = "TurnLost";
}

interface Turn {
  readonly from: string;
  /** Does the work; false when it failed. */
  readonly run: () => Promise<boolean>;
  readonly lose: () => void;
}

/**
 * Runs tasks in their order of arrival. After each it rests for the same time. So any number of them leaves half a core
 * free, and the thread pool, which file reads need as well. A failed task has no rest. When more than `maxWaiting`
 * wait, the caller with most of them loses its newest, with `TurnLost`: one caller cannot keep out the others.
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
    if (waiting.length > maxWaiting) removeNewest(waiting, findBusiest(waiting)).lose();
    if (!isRunning) void runAll();
  };

  return <T>(from: string, task: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      enter({
        from,
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

/** The caller with most turns; of several, the one that came to have as many last. */
function findBusiest(turns: readonly Turn[]): string {
  const counts = new Map<string, number>();
  let busiest = "";
  for (const { from } of turns) {
    counts.set(from, (counts.get(from) ?? 0) + 1);
    if ((counts.get(from) ?? 0) >= (counts.get(busiest) ?? 0)) busiest = from;
  }
  return busiest;
}

function removeNewest(turns: Turn[], from: string): Turn {
  const [newest] = turns.splice(
    turns.findLastIndex((turn) => turn.from === from),
    1,
  );
  if (newest === undefined) throw new Error(`nobody waits from ${from}`);
  return newest;
}
