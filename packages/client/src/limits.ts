// Limits of the client.

export const DAY_MS = 86_400_000;

/** Longest first wait before a retry. Each further wait may be twice as long, up to LONGEST_WAIT_MS. */
export const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 8_000;

/** If the service asks for a longer wait, the call fails. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * A token is renewed this long before it expires, so that it is valid until requests in flight arrive. A token that is valid
 * for less than five minutes is renewed in its last tenth.
 */
export const RENEW_EARLY_MS = 30_000;

/** How long rejected credentials are not sent again. */
export const REJECTED_MS = 60_000;

/** Bytes of JSON by default, after decompression: 1,000 times a page of 50 long records. */
export const MAX_JSON_BYTES = 64_000_000;

/** The same for a recording in JSON: about 380 MB of audio. A string cannot be much longer in V8. */
export const MAX_BASE64_JSON_BYTES = 512_000_000;

/** Maximum number of characters in an error from a body that is not JSON, or from an errorMessage. */
export const MAX_BODY_CHARACTERS = 1000;

/** Interface, Limits: default number of records per page. */
export const PAGE_LENGTH = 50;

/** A service that ignores pageIndex would return the same page forever. */
export const MAX_PAGES_WITHOUT_NEW_RECORDS = 5;

/** Characters before the content of an envelope with base64, and after it. */
export const MAX_HEAD_CHARACTERS = 65_536;

/** A resumed download with less progress counts as a failure, so that retries end. */
export const MIN_PROGRESS_BYTES = 65_536;
