// The closed table of findings about the sound of a recording. Faults follow from the file itself; hints are statistics.

export const FINDINGS = {
  truncated: { bit: 1, isFault: true },
  malformed: { bit: 2, isFault: true },
  "no-samples": { bit: 4, isFault: true },
  silent: { bit: 8, isFault: true },
  "channel-silent": { bit: 16, isFault: true },
  "not-sound": { bit: 32, isFault: true },
  "no-speech": { bit: 64, isFault: false },
  "channel-no-speech": { bit: 128, isFault: false },
  "channels-same": { bit: 256, isFault: false },
  "unfinished-header": { bit: 512, isFault: false },
  "hidden-bytes": { bit: 1024, isFault: false },
} as const;

export type FindingKind = keyof typeof FINDINGS;

export const FINDING_KINDS = Object.keys(FINDINGS) as readonly FindingKind[];

export const FAULT_KINDS: readonly FindingKind[] = FINDING_KINDS.filter(
  (kind) => FINDINGS[kind].isFault,
);

export interface SoundFinding {
  readonly kind: FindingKind;
  /** The channels, from 1. */
  readonly channels?: readonly number[];
  /** The part of the sound that is there, in whole per cent. */
  readonly percent?: number;
  readonly bytes?: number;
  /** The fault of a malformed file, or the kind of a file that is not sound, as the end of a sentence. */
  readonly detail?: string;
}

export const isFault = ({ kind }: SoundFinding): boolean => FINDINGS[kind].isFault;

/** The kinds as one number, for a column. */
export const toBits = (findings: readonly SoundFinding[]): number =>
  findings.reduce((bits, { kind }) => bits | FINDINGS[kind].bit, 0);

export const fromBits = (bits: number): FindingKind[] =>
  FINDING_KINDS.filter((kind) => (bits & FINDINGS[kind].bit) !== 0);

/** For people, as the end of a sentence about one recording: "ends early: 50 % of what its header announces is there". */
export function describeFinding({ kind, channels, percent, bytes, detail }: SoundFinding): string {
  const which =
    channels?.length === 1 ? `channel ${channels[0]}` : `channels ${channels?.join(" and ")}`;
  const texts: Readonly<Record<FindingKind, string>> = {
    truncated:
      percent === undefined
        ? "ends early"
        : `ends early: ${percent} % of what its header announces is there`,
    malformed: `cannot be read: ${detail}`,
    "no-samples": "has a header and no sound",
    silent: "is silent from beginning to end",
    "channel-silent": `is silent in ${which} from beginning to end`,
    "not-sound": `is ${detail}`,
    "no-speech": "has no speech",
    "channel-no-speech": `has no speech in ${which}`,
    "channels-same": "has the same sound in both channels",
    "unfinished-header": "has a header without a length",
    "hidden-bytes": `has ${bytes} bytes behind its sound`,
  };
  return texts[kind];
}
