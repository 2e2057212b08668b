// The containers whose samples, or blocks of samples, are contiguous.
import type { Walk } from "../feed.ts";
import type { Walked } from "../walked.ts";
import { isAiff, walkAiff } from "./aiff.ts";
import { isAu, walkAu } from "./au.ts";
import type { ToReader } from "./samples.ts";
import { isW64, isWav, walkW64, walkWav } from "./wav.ts";

/** Undefined for bytes that begin in another way. */
export function findSampledWalk(head: Uint8Array, toReader: ToReader): Walk<Walked> | undefined {
  if (isWav(head)) return walkWav(head, toReader);
  if (isW64(head)) return walkW64(toReader);
  if (isAiff(head)) return walkAiff(toReader);
  return isAu(head) ? walkAu(toReader) : undefined;
}
