// The measurement of a recording in an export: of the bytes in the export, independent of the facts in the archive.
import {
  type ChannelFacts,
  createInspector,
  type SoundFacts,
  type SoundFinding,
} from "@call-media/sound";
import { describeOther, OTHER_BYTES } from "@call-media/sound/other";

/** The sound of a file. Unknown values are null or absent. */
export interface MeasuredSound {
  readonly duration_ms: number | null;
  readonly codec: string | null;
  readonly channels: number | null;
  readonly findings: readonly SoundFinding[];
  /** The share of the duration with speech, one for each channel, in whole per cent. */
  readonly talk_percent?: readonly number[];
  /** The longest time in which no channel has speech. */
  readonly longest_silence_ms?: number;
  /** The share of the time with speech in which several channels have it, in whole per cent; absent for one channel. */
  readonly overtalk_percent?: number;
}

/** A recording as it is announced: both count only for bytes that do not reveal their format. */
export interface Announced {
  readonly filename?: string | undefined;
  readonly contentType: string;
}

/** Measures the bytes of a recording as they pass, in pieces of any size. Neither method throws. */
export interface SoundMeter {
  readonly push: (piece: Uint8Array) => void;
  /** Must be called once, after the last piece. */
  readonly end: () => MeasuredSound;
}

export function createSoundMeter(announced: Announced): SoundMeter {
  const inspector = createInspector(announced);
  const head: number[] = [];
  return {
    push: (piece) => {
      if (head.length < OTHER_BYTES) head.push(...piece.subarray(0, OTHER_BYTES - head.length));
      inspector.push(piece);
    },
    end: () => toMeasuredSound(inspector.end(), Uint8Array.from(head)),
  };
}

/** @throws the errors of `content`. */
export async function measureSound(
  content: AsyncIterable<Uint8Array>,
  announced: Announced,
): Promise<MeasuredSound> {
  const meter = createSoundMeter(announced);
  for await (const piece of content) meter.push(piece);
  return meter.end();
}

/** A muted copy keeps the findings of its original, such as `truncated`, although the copy is complete. */
export function keepFindings(copy: MeasuredSound, original: MeasuredSound): MeasuredSound {
  const own = new Set(copy.findings.map(({ kind }) => kind));
  const kept = original.findings.filter(({ kind }) => !own.has(kind));
  return { ...copy, findings: [...copy.findings, ...kept] };
}

function toMeasuredSound(facts: SoundFacts, head: Uint8Array): MeasuredSound {
  const { container, codec, channels, durationMs, levels } = facts;
  const other = container === "unknown" || container === "raw" ? describeOther(head) : undefined;
  if (other !== undefined) return { ...NOTHING, findings: [{ kind: "not-sound", detail: other }] };
  return {
    duration_ms: durationMs ?? null,
    codec: codec ?? null,
    channels: channels ?? null,
    findings: facts.findings,
    ...(levels !== undefined && durationMs !== undefined && toTalk(levels, durationMs, facts)),
  };
}

const NOTHING = { duration_ms: null, codec: null, channels: null } as const;

function toTalk(
  levels: readonly ChannelFacts[],
  durationMs: number,
  { longestSilenceMs, overtalkPercent }: SoundFacts,
) {
  const toPercent = ({ talkMs }: ChannelFacts) =>
    durationMs === 0 ? 0 : Math.min(100, Math.round((100 * talkMs) / durationMs));
  return {
    talk_percent: levels.map(toPercent),
    ...(longestSilenceMs !== undefined && { longest_silence_ms: longestSilenceMs }),
    ...(overtalkPercent !== undefined && { overtalk_percent: overtalkPercent }),
  };
}
