// The layout of a hand-over, and how much of it there may be.

export const EXPORT = "export";
export const VIEWER = "index.html";
export const SHEET = "calls.xlsx";
export const SUMS = "SHA256SUMS";

/** The most identifiers that calls are asked for by: each record of the days is compared with each of them. */
export const MAX_IDS = 1000;

/** Calls of a hand-over that has a page. With 30 lines of chat each they are 37 MB, which Chromium 156 opens in 0.7 s. */
export const MAX_VIEWER_CALLS = 5000;

/** A zip without the extensions of 64 bits holds no more (APPNOTE 4.4.1.4); some of it is for names. */
export const MAX_ZIP = { bytes: 4_000_000_000, files: 65_000 } as const;
