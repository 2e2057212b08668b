// Time of day and timers, which tests control.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once, `afterMs` from now. The returned function cancels it. */
  schedule(task: () => void, afterMs: number): () => void;
}

/** The clock of the platform. */
export const platformClock: Clock = {
  now: () => Date.now(),
  schedule(task, afterMs) {
    const timer = setTimeout(task, afterMs);
    return () => clearTimeout(timer);
  },
};
