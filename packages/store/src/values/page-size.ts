// How many records a full page has.

/** D07. */
export const PAGE_SIZE = 50;
