// Takes the place of debug.ts in bundles for browsers, which have no environment.

export const isDebugging = () => false;

export function logEvent(): void {}
