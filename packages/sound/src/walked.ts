// The result of a walk through a container.
import type { Loudness } from "./format.ts";
import type { Levels } from "./meter/meter.ts";

export const CONTAINERS = [
  "wav",
  "rf64",
  "w64",
  "aiff",
  "au",
  "raw",
  "amr",
  "mp3",
  "ogg",
  "mp4",
  "webm",
  "flac",
  "unknown",
] as const;

export type Container = (typeof CONTAINERS)[number];

/** The result of a walk. Unknown properties are absent. */
export interface Walked {
  readonly container: Container;
  readonly codec?: string | undefined;
  readonly rate?: number | undefined;
  readonly channels?: number | undefined;
  readonly durationMs?: number | undefined;
  /** True if the duration is the one that the header declares, and the sound was not examined. */
  readonly isDeclared?: boolean | undefined;
  /** True if there is not a single byte of sound. */
  readonly isEmpty?: boolean | undefined;
  /** True if the file ends before its sound does. */
  readonly isCut?: boolean | undefined;
  /** The part of the sound that is there, from 0 to 1, if it was truncated and its header declares the length. */
  readonly share?: number | undefined;
  /** True if the header leaves the length open. */
  readonly isOpen?: boolean | undefined;
  /** Bytes after the sound that are not part of the container. */
  readonly trailing?: number | undefined;
  /** The number of trailing bytes that could be a second of sound. */
  readonly bytesPerSecond?: number | undefined;
  /** The reason why the container cannot be read, as the end of a sentence. */
  readonly fault?: string | undefined;
  readonly levels?: Levels | undefined;
  readonly loudness?: Loudness | undefined;
}
