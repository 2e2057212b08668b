// Repeats a search, also while the service fails.
import { setTimeout as sleep } from "node:timers/promises";
import { type CallMediaError, isCallMediaError } from "@call-media/client";
import { toSentence } from "../failures/failure.ts";

export interface WatchOptions {
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** Shows a line to the user. */
  readonly tell: (line: string) => void;
}

/** Longest pause while the service fails, unless the interval is longer or the service asks for more. */
const MAX_PAUSE_MS = 60_000;

/** Transient errors. */
const PASSING = [
  "ConnectionError",
  "TimeoutError",
  "RateLimitError",
  "ServiceError",
  // For example, the page of a proxy while the service restarts.
  "ProtocolError",
] as const;

/**
 * Begins with a pause. Resolves when `signal` is aborted.
 *
 * @throws errors that are not transient.
 */
export async function watch(look: () => Promise<void>, options: WatchOptions): Promise<void> {
  const { intervalMs, signal, tell } = options;
  let failures = 0;
  for (let pauseMs = intervalMs; await isTime(pauseMs, signal);) {
    const error = await tryLook(look, signal);
    if (error === undefined) {
      if (failures > 0) tell("the service answers again");
      failures = 0;
      pauseMs = intervalMs;
    } else {
      if (failures === 0) tell(`${toSentence(error)}; looking again until it answers`);
      pauseMs = Math.max(toPauseMs(failures, intervalMs), error.retryAfterMs ?? 0);
      failures++;
    }
  }
}

/** Returns false if `signal` was aborted during the pause. */
async function isTime(pauseMs: number, signal: AbortSignal): Promise<boolean> {
  await sleep(pauseMs, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

/** Returns a transient error. */
async function tryLook(
  look: () => Promise<void>,
  signal: AbortSignal,
): Promise<CallMediaError | undefined> {
  try {
    await look();
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isCallMediaError(error) && PASSING.some((name) => name === error.name)) return error;
    throw error;
  }
  return undefined;
}

/** Doubles after each failure. */
function toPauseMs(failures: number, intervalMs: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, MAX_PAUSE_MS));
}
