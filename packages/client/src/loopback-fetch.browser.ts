// Takes the place of loopback-fetch.ts in bundles for browsers, which find names below `localhost` on their own.
import type { Fetch } from "./fetch.ts";

export function createLoopbackFetch(_baseUrl: string): Fetch | undefined {
  return undefined;
}
