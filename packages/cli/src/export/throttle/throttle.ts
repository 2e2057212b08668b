// Limits parallel requests to what the service can handle, and pauses when it demands a pause. Also limits the byte rate, if the user sets
// one.
import { setTimeout as sleep } from "node:timers/promises";
import { nodeFetch } from "./node-fetch.ts";
import { toPauseMs } from "./pause.ts";

export interface ThrottleOptions {
  /** Maximum number of parallel requests. */
  readonly max: number;
  readonly maxBytesPerSecond: number;
  /** Aborts waiting in `receive`, which takes minutes at a low rate. */
  readonly signal?: AbortSignal;
}

export interface Throttle {
  /** Waits for a slot; `leave` returns it. */
  readonly enter: () => Promise<void>;
  readonly leave: () => void;
  /** Frees the slot while the work waits for something other than the service. */
  readonly lend: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Waits until the rate allows this number of bytes. */
  readonly receive: (bytes: number) => Promise<void>;
  /** Waits while the service demands a pause, and adapts to the response. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Number of slots. */
  readonly limit: number;
}

const FIRST_LIMIT = 4;

/** A latency below this is never a sign of congestion. */
const EASY_MS = 100;

/** At three times the lowest mean latency, requests queue in the service. */
const CONGESTED = 3;

/** Weight of a new latency in the mean. */
const WEIGHT = 0.1;

/** Responses within this time belong to the same trouble, and lower the limit once. */
const COOL_DOWN_MS = 1000;

/**
 * Additive increase, multiplicative decrease. A full round of successes adds one slot; 429 and 503 halve the slots; congestion removes a
 * tenth.
 */
export function createThrottle({ max, maxBytesPerSecond, signal }: ThrottleOptions): Throttle {
  let limit = Math.min(FIRST_LIMIT, max);
  let [running, lent, decreasedAtMs] = [0, 0, -Infinity];
  let [meanMs, lowestMs] = [0, Infinity];
  let [pausedUntilMs, receivesAtMs] = [0, 0];
  let waiting: (() => void)[] = [];

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
    lowestMs = Math.min(lowestMs, meanMs);
    if (meanMs > Math.max(EASY_MS, CONGESTED * lowestMs)) decrease(0.9, nowMs);
    else limit = Math.min(max, limit + 1 / limit);
  }

  return {
    get limit() {
      return Math.floor(limit);
    },
    enter,
    leave,
    async lend(work) {
      // Each borrower has files open, so their number is limited too.
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
      const sentAtMs = performance.now();
      const response = await nodeFetch(url, init);
      learn(response, performance.now() - sentAtMs);
      return response;
    },
  };
}

/** @throws the reason of the signal if it aborts. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {}); // only the signal makes it fail
  signal?.throwIfAborted();
}
