// How much memory an export takes, whatever its size: that is a matter of when garbage is looked for.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * V8 lets the part of the heap where short-lived values are grow to 100 MB before it looks for garbage. Without growth it
 * looks earlier. To be called before much else is loaded: what has grown stays.
 */
export function keepMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--expose-gc");
}

/** What is in use is about 20 MB; the rest is garbage that V8 would let lie, as a machine has room for so much. */
const MOST_BYTES = 32e6;
const LOOK_MS = 250;

/**
 * Looks for garbage when there is much of it, until it is ended: what came from the network lies outside of the heap, and
 * V8 does not hurry because of it.
 */
export function watchMemory(): { readonly end: () => void } {
  // The function is given to contexts that are made after the flag.
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect !== "function") return { end: () => {} };
  const timer = setInterval(() => {
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > MOST_BYTES) collect();
  }, LOOK_MS);
  return { end: () => clearInterval(timer) };
}
