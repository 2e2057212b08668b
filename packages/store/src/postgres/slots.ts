// A limited number of slots: callers that find none free wait.
import { StoreFault } from "../port/faults.ts";

/** Makes a function that waits up to `waitMs` for a slot and returns the function that frees it. It throws `StoreFault`. */
export function createSlots(slots: number): (waitMs: number) => Promise<() => void> {
  const waiting = new Set<() => void>();
  let free = slots;
  const release = () => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  return async (waitMs) => {
    if (free > 0) free -= 1;
    else
      await new Promise<void>((resolve, reject) => {
        const take = () => {
          clearTimeout(timer);
          waiting.delete(take);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(take);
          reject(tooMuchAtOnce());
        }, waitMs);
        waiting.add(take);
      });
    return release;
  };
}

export const tooMuchAtOnce = () =>
  new StoreFault("busy", "too much is asked of the archive at once: try again later");
