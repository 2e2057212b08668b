// Replaces debug.ts in bundles for browsers, which have no environment variables.

export const isDebugging = () => false;

export function logEvent(): void {}
