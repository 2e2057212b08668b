// The length of a recording, from what was announced and what the browser found.
import type { Sound } from "../player/sound.ts";

/** Seconds; the lower of the two lengths. Undefined where neither is known. */
export function toLength({ length, head }: Sound): number | undefined {
  const known = [length.value, head.value?.sound?.seconds ?? 0].filter((seconds) => seconds > 0);
  return known.length === 0 ? undefined : Math.min(...known);
}
