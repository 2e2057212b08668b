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

/** What is in use is some 25 MB. Of garbage V8 would let as much lie again, as a machine has room for it. */
const MOST_GARBAGE_BYTES = 7e6;
const LOOK_MS = 100;

/**
 * Looks for garbage when there may be much of it, until it is ended: what came from the network lies outside of the heap,
 * and V8 does not hurry because of it.
 */
export function watchMemory(): { readonly end: () => void } {
  // The function is given to contexts that are made after the flag.
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect !== "function") return { end: () => {} };
  let leftBytes = readUsedBytes();
  const timer = setInterval(() => {
    if (readUsedBytes() < leftBytes + MOST_GARBAGE_BYTES) return;
    collect();
    leftBytes = readUsedBytes();
  }, LOOK_MS);
  return { end: () => clearInterval(timer) };
}

function readUsedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
