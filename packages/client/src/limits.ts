// The numbers that the client goes by. Bundlers write them where they are used: this file imports nothing.

export const DAY_MS = 86_400_000;

/** The first wait before a retry is at most so long, and each further one at most twice the one before. */
export const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 8_000;

/** A service that asks for a longer wait is asked again after this one. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * A token is renewed this long before it expires, so that a request under way is not overtaken; of a
 * token that lives less than five minutes, the last tenth.
 */
export const RENEW_EARLY_MS = 30_000;

/** The longest JSON that the client takes by default, after decompression: 1,000 times a page of 50 long records. */
export const MAX_JSON_BYTES = 64_000_000;

/** The same where a recording comes in JSON: some 380 MB of audio. A text of JavaScript cannot be much longer in V8. */
export const MAX_BASE64_JSON_BYTES = 512_000_000;

/** An error keeps no more of an answer that is no JSON, and quotes no more of an errorMessage. */
export const MAX_BODY_CHARACTERS = 1000;

/** Interface, Limits: the records on a page by default. */
export const PAGE_LENGTH = 50;

/** A service that takes no notice of pageIndex would give the same page for ever. */
export const MAX_BARREN_PAGES = 5;

/** In an envelope of base64, what comes before the content is no longer. */
export const MAX_HEAD_CHARACTERS = 65_536;

/** A connection that brings less than this counts as one that failed, so that there is an end to it. */
export const MIN_PROGRESS_BYTES = 65_536;
