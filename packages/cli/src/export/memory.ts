// Keeps the memory of an export small, whatever its size: V8 has to collect garbage early.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Stops V8 from growing the space for new objects to 100 MB. Call it before other modules load, because the space never
 * shrinks.
 */
export function keepMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--expose-gc");
}

/** About 25 MB are in use. Without this limit, V8 would keep as much garbage in addition. */
const MAX_GARBAGE_BYTES = 7e6;
const CHECK_MS = 100;

/** Collects garbage until `end` is called. Network buffers are outside the heap, so V8 does not count them. */
export function watchMemory(): { readonly end: () => void } {
  // Only contexts created after the flag was set have the function.
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect !== "function") return { end: () => {} };
  let leftBytes = readUsedBytes();
  const timer = setInterval(() => {
    if (readUsedBytes() < leftBytes + MAX_GARBAGE_BYTES) return;
    collect();
    leftBytes = readUsedBytes();
  }, CHECK_MS);
  return { end: () => clearInterval(timer) };
}

function readUsedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
