// The outcome of a walk through a container.
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

/** The outcome of a walk. Unknown properties are absent. */
export interface Walked {
  readonly container: Container;
  readonly codec?: string | undefined;
  readonly rate?: number | undefined;
  readonly channels?: number | undefined;
  readonly durationMs?: number | undefined;
  /** True if the duration is what the header declares, and nothing else was looked at. */
  readonly isDeclared?: boolean | undefined;
  /** True if not one byte of sound is there. */
  readonly isEmpty?: boolean | undefined;
  /** True if the file ends before its sound does. */
  readonly isCut?: boolean | undefined;
  /** The share of the sound that is there, from 0 to 1, where it was cut and its header says how much there was. */
  readonly share?: number | undefined;
  /** True if the header leaves the length open. */
  readonly isOpen?: boolean | undefined;
  /** Bytes after the sound that are not part of the container. */
  readonly trailing?: number | undefined;
  /** From how many trailing bytes on these could be a second of sound. */
  readonly bytesPerSecond?: number | undefined;
  /** Why the container cannot be read, as the end of a sentence. */
  readonly fault?: string | undefined;
  readonly levels?: Levels | undefined;
  readonly loudness?: Loudness | undefined;
}
