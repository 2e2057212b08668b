// The number of records in a full page.

/** D07. */
export const PAGE_SIZE = 50;
