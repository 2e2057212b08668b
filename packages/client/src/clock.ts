// Time of day and timers, which tests control.

/** Time of day and timers, for tests that control them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once, `afterMs` from now. The function that it returns cancels that. */
  schedule(task: () => void, afterMs: number): () => void;
}

/** Time of the platform. */
export const platformClock: Clock = {
  now: () => Date.now(),
  schedule(task, afterMs) {
    const timer = setTimeout(task, afterMs);
    return () => {
      // Node.js keeps its list of timers of one duration if the last of them was unref'd. A new list costs more than the
      // rest of a timer.
      timer.unref?.();
      clearTimeout(timer);
    };
  },
};
