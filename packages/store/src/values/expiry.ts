// How long what has expired is remembered.

/** An expired token is still told apart from an unknown one for a week; then it goes, or every sign-in would stay for ever. */
export const FORGET_AFTER_MS = 7 * 86_400_000;
