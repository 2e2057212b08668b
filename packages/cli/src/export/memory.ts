// How much memory an export takes, whatever its size: that is mostly a matter of when garbage is looked for.
import { setFlagsFromString } from "node:v8";

/**
 * V8 lets the part of the heap where short-lived values are grow to 100 MB before it looks for garbage, and with it what
 * lies outside of the heap, here mostly what came from the network. Without growth it looks earlier. To be called before
 * much else is loaded: what has grown stays.
 */
export function keepMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
