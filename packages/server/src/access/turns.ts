// What costs a core and comes from anybody is done one after the other.
import { setTimeout as wait } from "node:timers/promises";

/**
 * Carries out what it is given, each when the one before it has ended and a rest as long as that took is over: as many as
 * come, they keep half a core busy, and the thread pool, which reads of files need as well, free. No rest follows a failure.
 */
export function createTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = last.then(async () => {
      const startedMs = performance.now();
      const result = await task();
      return { result, tookMs: performance.now() - startedMs };
    });
    last = turn.then(
      ({ tookMs }) => wait(tookMs),
      () => {},
    );
    return turn.then(({ result }) => result);
  };
}
