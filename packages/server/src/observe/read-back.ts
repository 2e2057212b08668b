// Reads the archive back while the service runs, so that damage is found while there is still an undamaged backup.
import { setTimeout as wait } from "node:timers/promises";
import type { ReadBack } from "@call-media/store";
import type { Logger } from "pino";

interface Means {
  readonly events: Logger;
  readonly countUnderWay: () => number;
}

// Node.js timers are limited to 24 days, and another server may have continued meanwhile.
const LONGEST_MS = 60 * 60_000;

// Requests have priority, but not forever: millions of recordings take hundreds of thousands of steps.
const LOOK_EVERY_MS = 100;
const LOOKS = 10;

const AFTER_FAULT_MS = 60_000;

/** Runs until disposed. Logs each damaged record and recording. */
export function openReadBack(
  readBack: ReadBack,
  { events, countUnderWay }: Means,
): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  let hasFailed = false;

  const step = async (): Promise<number> => {
    for (let look = 0; look < LOOKS && countUnderWay() > 0; look += 1)
      await wait(LOOK_EVERY_MS, undefined, { signal, ref: false });
    const { damaged, nextMs } = await readBack.step(signal);
    for (const name of damaged) events.error({ damaged: name }, "not what was imported");
    hasFailed = false;
    return nextMs - Date.now();
  };
  const pause = (ms: number) => wait(ms, undefined, { signal, ref: false }).catch(() => {}); // the service stops
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const pauseMs = await step().catch((err: unknown) => {
        // Only once: the faulty part reports it to each request.
        if (!hasFailed && !signal.aborted) events.error({ err }, "the archive was not read back");
        hasFailed = true;
        return AFTER_FAULT_MS;
      });
      await pause(Math.min(Math.max(pauseMs, LOOK_EVERY_MS), LONGEST_MS));
    }
  };
  const ended = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await ended;
    },
  };
}
