// How long expired credentials are remembered.

/**
 * For a week an expired token is distinguished from an unknown one. Then it is deleted: otherwise every sign-in would be stored forever.
 */
export const FORGET_AFTER_MS = 7 * 86_400_000;
