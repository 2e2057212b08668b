// A clock that a test turns, or that turns itself when nothing else is left to do.
import { setImmediate as turn } from "node:timers/promises";

import type { Clock } from "../../src/index.ts";

export interface VirtualClock extends Clock {
  /** How many timers run. */
  readonly pending: number;
  /** How far off the next timer is; undefined where none runs. */
  readonly nextInMs: number | undefined;
  /** Turns the clock on, with every timer on the way, and lets what waited for them go on. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly task: () => void;
}

/** Rounds of the event loop after which code that waits for no timer has come to rest. */
const ROUNDS = 4;

/**
 * @param isSelfTurning Whether it goes on to the next timer by itself when the event loop is idle; no
 * real input or output must be under way then.
 */
export function createVirtualClock(isSelfTurning = false): VirtualClock {
  const timers = new Set<Timer>();
  let nowMs = Date.UTC(2026, 0, 1);
  let isTurning = false;

  const next = () => [...timers].toSorted((one, other) => one.atMs - other.atMs)[0];
  const fire = (timer: Timer) => {
    timers.delete(timer);
    nowMs = Math.max(nowMs, timer.atMs);
    timer.task();
  };
  const rest = async () => {
    for (let round = 0; round < ROUNDS; round++) await turn();
  };
  const turnByItself = async () => {
    if (isTurning) return;
    isTurning = true;
    for (await rest(); timers.size > 0; await rest()) {
      const timer = next();
      if (timer !== undefined) fire(timer);
    }
    isTurning = false;
  };

  return {
    now: () => nowMs,
    schedule(task, afterMs) {
      const timer = { atMs: nowMs + afterMs, task };
      timers.add(timer);
      if (isSelfTurning) void turnByItself();
      return () => timers.delete(timer);
    },
    get pending() {
      return timers.size;
    },
    get nextInMs() {
      const timer = next();
      return timer === undefined ? undefined : timer.atMs - nowMs;
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      for (let timer = next(); timer && timer.atMs <= untilMs; timer = next()) {
        fire(timer);
        await rest();
      }
      nowMs = untilMs;
    },
  };
}
