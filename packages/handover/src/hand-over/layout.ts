// The layout of a hand-over, and its size limits.

export const EXPORT = "export";
export const VIEWER = "index.html";
export const SHEET = "calls.xlsx";
export const SUMS = "SHA256SUMS";

/** The maximum number of identifiers in a request: each record of the days is compared with each of them. */
export const MAX_IDS = 1000;

/** The maximum number of calls in a hand-over with a page. With 30 lines of chat each they are 37 MB, which Chromium 156 opens in 0.7 s. */
export const MAX_VIEWER_CALLS = 5000;

/** The maximum length of the line that says what an export is for. */
export const MAX_PURPOSE = 200;

/** The limits of a zip without 64-bit extensions (APPNOTE 4.4.1.4), less some room for names. */
export const MAX_ZIP = { bytes: 4_000_000_000, files: 65_000 } as const;
