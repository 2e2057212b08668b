// The exit codes of the program, for scripts.
import { constants } from "node:os";

/** Done. `check`: the contract is kept. */
export const DONE = 0;

/** The service denied it, failed or does not have it. `check`: the contract is not kept. */
export const FAILED = 1;

/** A mistake in the command. `check` and `probe`: no result. */
export const UNABLE = 2;

/** `export` and `sync`: finished, but something that was announced is missing. */
export const PARTIAL = 3;

/** `export` and `sync`: finished, and found no call. */
export const EMPTY = 4;

/**
 * Stopped by a signal before its end, as shells count: 130 for SIGINT, 143 for SIGTERM. `watch` has no other end. A command
 * that finishes in spite of the signal keeps its own code.
 */
export const toStopped = (signal: keyof typeof constants.signals): number =>
  128 + constants.signals[signal];
