// Rate limits of a run: requests in flight, requests per second, and pauses that the service demands.
import { setTimeout as wait } from "node:timers/promises";

// Enough to hide the latency of a distant service, and too few to overload it.
const MAX_IN_FLIGHT = 4;

/** Limits concurrency and rate. Starts no request before a pause is over. */
export function createGate(requestsPerSecond: number | undefined) {
  const waiting: (() => void)[] = [];
  const intervalMs = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  let inFlight = 0;
  let nextMs = 0;
  const enter = async () => {
    if (inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => waiting.push(resolve));
    else inFlight += 1;
    const nowMs = Date.now();
    const delayMs = Math.max(0, nextMs - nowMs);
    nextMs = nowMs + delayMs + intervalMs;
    if (delayMs > 0) await wait(delayMs);
  };
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) inFlight -= 1;
    else next();
  };
  return {
    pass: async <T>(work: () => Promise<T>): Promise<T> => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    pause: (ms: number): number => {
      nextMs = Math.max(nextMs, Date.now() + ms);
      return ms;
    },
  };
}
