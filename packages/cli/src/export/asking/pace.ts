// How hard the service is asked: as many requests at once as it bears, none while it asks for a pause, and no more bytes
// a second than the user allows.
import { setTimeout as sleep } from "node:timers/promises";
import type { Fetch } from "@call-media/client";
import { nodeFetch } from "./node-fetch.ts";
import { toPauseMs } from "./pause.ts";

export interface PaceOptions {
  /** The most that is asked for at once. */
  readonly max: number;
  readonly maxBytesPerSecond: number;
  /** Ends the waiting for bytes that may be received: at a low rate it takes minutes. */
  readonly signal?: AbortSignal;
}

export interface Pace {
  /** Waits for a place among what is under way; whoever has it gives it back by `leave`. */
  readonly enter: () => Promise<void>;
  readonly leave: () => void;
  /** Lets another have the place while something else than the service is waited for. */
  readonly lend: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Waits until so many bytes more may be received. */
  readonly receive: (bytes: number) => Promise<void>;
  /** Waits while the service asks for it, and learns from what comes. */
  readonly fetch: Fetch;
  /** How many may be under way. */
  readonly limit: number;
}

const FIRST_LIMIT = 4;

/** Of a latency below this nobody suffers, whatever it was before. */
const EASY_MS = 100;

/** So many times as long as when it was quickest: requests wait for each other. */
const CONGESTED = 3;

/** How much a new latency counts in the mean. */
const WEIGHT = 0.1;

/** What is learned from a failure is true for what was sent before as well: one of them counts in so long a time. */
const COOL_DOWN_MS = 1000;

/**
 * Additive increase, multiplicative decrease: a success makes place for one more in as many requests as are under way; 429
 * and 503 halve their number, a mean latency three times that of the quickest time takes a tenth away.
 */
export function createPace({ max, maxBytesPerSecond, signal }: PaceOptions): Pace {
  let limit = Math.min(FIRST_LIMIT, max);
  let [running, decreasedAtMs, meanMs, quickestMs] = [0, -Infinity, 0, Infinity];
  let [pausedUntilMs, receivesAtMs] = [0, 0];
  let waiting: (() => void)[] = [];
  let lent = 0;

  async function enter(): Promise<void> {
    while (running >= Math.floor(limit)) await new Promise<void>((go) => waiting.push(go));
    running++;
  }

  function leave(): void {
    running--;
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  }

  function decrease(factor: number, nowMs: number): void {
    if (nowMs - decreasedAtMs < COOL_DOWN_MS) return;
    decreasedAtMs = nowMs;
    limit = Math.max(1, limit * factor);
  }

  function learn({ status, headers }: Response, latencyMs: number): void {
    const nowMs = performance.now();
    pausedUntilMs = Math.max(pausedUntilMs, nowMs + toPauseMs(status, headers));
    if (status === 429 || status === 503) return decrease(0.5, nowMs);
    meanMs = meanMs === 0 ? latencyMs : meanMs + WEIGHT * (latencyMs - meanMs);
    quickestMs = Math.min(quickestMs, meanMs);
    if (meanMs > Math.max(EASY_MS, CONGESTED * quickestMs)) decrease(0.9, nowMs);
    else limit = Math.min(max, limit + 1 / limit);
  }

  return {
    get limit() {
      return Math.floor(limit);
    },
    enter,
    leave,
    async lend(work) {
      // What waits has files open, and must not become more and more.
      if (lent >= Math.floor(limit)) return await work();
      lent++;
      leave();
      try {
        return await work();
      } finally {
        lent--;
        await enter();
      }
    },
    async receive(bytes) {
      if (maxBytesPerSecond === Infinity) return;
      const nowMs = performance.now();
      const waitMs = receivesAtMs - nowMs;
      receivesAtMs = Math.max(receivesAtMs, nowMs) + (bytes / maxBytesPerSecond) * 1000;
      if (waitMs > 0) await pause(waitMs, signal);
    },
    async fetch(url, init) {
      for (let waitMs; (waitMs = pausedUntilMs - performance.now()) > 0;)
        await pause(waitMs, init.signal ?? undefined);
      const askedAtMs = performance.now();
      const response = await nodeFetch(url, init);
      learn(response, performance.now() - askedAtMs);
      return response;
    },
  };
}

/** @throws the reason of the signal, at once. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {}); // which fails by the signal alone
  signal?.throwIfAborted();
}
