// Looks again and again, whatever becomes of the service meanwhile.
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

/** What may be over at the next look. */
const PASSING = [
  "ConnectionError",
  "TimeoutError",
  "RateLimitError",
  "ServiceError",
  // A proxy's page, say, while the service is started anew.
  "ProtocolError",
] as const;

/**
 * Begins with a pause. Ends, without an error, when `signal` is aborted.
 *
 * @throws what will not pass by itself.
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

/** @returns false where `signal` was aborted before the time was over. */
async function isTime(pauseMs: number, signal: AbortSignal): Promise<boolean> {
  await sleep(pauseMs, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

/** @returns what may pass by itself. */
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

/** Twice as long after each failure. */
function toPauseMs(failures: number, intervalMs: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, MAX_PAUSE_MS));
}
