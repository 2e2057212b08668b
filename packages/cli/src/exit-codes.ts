// What the program ends with: told apart so that scripts can act on it.

/** Done, and for `check`: the contract is kept. */
export const DONE = 0;

/** The service refused, failed or has no such thing; for `check`: the contract is not kept. */
export const FAILED = 1;

/** Could not be carried out as it was given, or was stopped; for `check` and `probe`: could not be found out. */
export const UNABLE = 2;

/** For `export` and `sync`: came to its end, but something of what was announced is not there. */
export const PARTIAL = 3;

/** For `export` and `sync`: came to its end, and there is no call in the folder. */
export const EMPTY = 4;
