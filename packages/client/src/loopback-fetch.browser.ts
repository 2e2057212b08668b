// Replaces loopback-fetch.ts in bundles for browsers, which resolve names below `localhost` themselves.
import type { Fetch } from "./fetch.ts";

export function createLoopbackFetch(_baseUrl: string): Fetch | undefined {
  return undefined;
}
