// So many at once: those that find no free slot wait for one.
import { StoreFault } from "../port/faults.ts";

/** Makes a function that waits so long for one of so many slots and gives what frees it. It throws `StoreFault`. */
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
