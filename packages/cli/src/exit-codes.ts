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

/** Stopped before its end by a signal, such as Ctrl-C: as shells count them, 130 for SIGINT. */
export const toStopped = (signal: keyof typeof constants.signals): number =>
  128 + constants.signals[signal];
