// What the program ends with: told apart so that scripts can act on it.
import { constants } from "node:os";

/** Done, and for `check`: the contract is kept. */
export const DONE = 0;

/** The service refused, failed or has no such thing; for `check`: the contract is not kept. */
export const FAILED = 1;

/** Could not be carried out as it was given; for `check` and `probe`: could not be found out. */
export const UNABLE = 2;

/** For `export` and `sync`: came to its end, but something of what was announced is not there. */
export const PARTIAL = 3;

/** For `export` and `sync`: came to its end, and there is no call in the folder. */
export const EMPTY = 4;

/**
 * Stopped by a signal before its end, as shells count: 130 for SIGINT, 143 for SIGTERM. `watch` has no other end. A command
 * that finishes in spite of the signal keeps its own code.
 */
export const toStopped = (signal: keyof typeof constants.signals): number =>
  128 + constants.signals[signal];
