// Converts the results of a walk and its measurements to the stored facts about a recording.
import type { Container, Walked } from "./walked.ts";
import type { SoundFinding } from "./findings.ts";
import { type Activity, toActivity, toTalk, toTalkMs } from "./meter/activity.ts";
import type { Levels } from "./meter/meter.ts";

/** Increases with each change of the rules: facts of an older version deserve another inspection. */
export const FACTS_VERSION = 1;

export interface ChannelFacts {
  /** The level that 95 of 100 tenths of a second stay below; in dB of full scale, from -96 to 0. */
  readonly levelDb: number;
  /** The level that 10 of 100 stay below. */
  readonly floorDb: number;
  readonly talkMs: number;
  /** The share of tenths of a second with a sample at full scale. */
  readonly clippedPercent: number;
}

/** Depends only on the bytes; unknown facts are absent. */
export interface SoundFacts {
  readonly version: number;
  readonly container: Container;
  readonly codec?: string;
  readonly rate?: number;
  readonly channels?: number;
  readonly durationMs?: number;
  /** True if the duration is the one that the header declares. */
  readonly isDeclared?: true;
  /** The codec that the name or the media type stands for, if the bytes have no header. The facts hold for that codec. */
  readonly assumed?: string;
  readonly findings: readonly SoundFinding[];
  /** For each channel, if samples were measured. */
  readonly levels?: readonly ChannelFacts[];
  readonly longestSilenceMs?: number;
  /** Absent for one channel. */
  readonly overtalkPercent?: number;
}

// A shorter prompt may have no pause, and was mistaken for noise.
const LEAST_SPEECH_MS = 3_000;

// A few equal samples are not yet silence.
const LEAST_SILENCE_MS = 100;

// A second of sound at the lowest telephony rates.
const LEAST_HIDDEN_BYTES = 600;

export function toFacts(walked: Walked, assumed?: string): SoundFacts {
  const { container, codec, rate, channels, durationMs, levels } = walked;
  const activities = levels?.channels.map(({ windows }) => toActivity(windows)) ?? [];
  return {
    version: FACTS_VERSION,
    container,
    ...leaveOut({ codec, rate, channels, durationMs, assumed }),
    ...(walked.isDeclared === true && durationMs !== undefined && { isDeclared: true }),
    findings: [...listFileFindings(walked), ...listSoundFindings(walked, activities)],
    ...(levels !== undefined && toNumbers(levels, activities)),
  };
}

type Defined<Facts> = { [Name in keyof Facts]: Exclude<Facts[Name], undefined> };

/** Leaves out undefined values. */
const leaveOut = <Facts extends object>(facts: Facts): Partial<Defined<Facts>> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Facts>
  >;

function listFileFindings(walked: Walked): SoundFinding[] {
  const { fault, share, trailing = 0, bytesPerSecond = 0 } = walked;
  const findings: (SoundFinding | false)[] = [
    walked.isCut === true && {
      kind: "truncated",
      // A file that lacks a byte never counts as 100 per cent.
      ...(share !== undefined && { percent: Math.min(99, Math.round(100 * share)) }),
    },
    fault !== undefined && { kind: "malformed", detail: fault },
    walked.isEmpty === true && fault === undefined && { kind: "no-samples" },
    walked.isOpen === true && walked.isEmpty !== true && { kind: "unfinished-header" },
    trailing >= Math.max(LEAST_HIDDEN_BYTES, bytesPerSecond) && {
      kind: "hidden-bytes",
      bytes: trailing,
    },
  ];
  return findings.filter((finding) => finding !== false);
}

function listSoundFindings(walked: Walked, activities: readonly Activity[]): SoundFinding[] {
  const { loudness, levels, durationMs = 0 } = walked;
  if (walked.isEmpty === true || durationMs < LEAST_SILENCE_MS) return [];
  const isLong = durationMs >= LEAST_SPEECH_MS;
  if (loudness?.isSilent === true) return [{ kind: "silent" }];
  if (loudness?.isQuiet === true && isLong) return [{ kind: "no-speech" }];
  return levels === undefined ? [] : listLevelFindings(levels, activities, isLong);
}

function listLevelFindings(
  { channels, areSame }: Levels,
  activities: readonly Activity[],
  isLong: boolean,
): SoundFinding[] {
  const silent = channels.flatMap(({ isSilent }, at) => (isSilent ? [at + 1] : []));
  if (silent.length === channels.length) return [{ kind: "silent" }];
  const speechless = activities.flatMap(({ hasSpeech }, at) =>
    hasSpeech || silent.includes(at + 1) ? [] : [at + 1],
  );
  const isSpeechless = silent.length + speechless.length === channels.length;
  const findings: (SoundFinding | false)[] = [
    silent.length > 0 && { kind: "channel-silent", channels: silent },
    isLong && isSpeechless && { kind: "no-speech" },
    isLong &&
      !isSpeechless &&
      speechless.length > 0 && { kind: "channel-no-speech", channels: speechless },
    areSame && silent.length === 0 && { kind: "channels-same" },
  ];
  return findings.filter((finding) => finding !== false);
}

function toNumbers({ channels }: Levels, activities: readonly Activity[]) {
  const { longestSilenceMs, overtalkPercent } = toTalk(activities);
  return {
    levels: activities.map((activity, at) => ({
      levelDb: activity.levelDb,
      floorDb: activity.floorDb,
      talkMs: toTalkMs(activity),
      clippedPercent: Math.round(100 * (channels[at]?.clipped ?? 0)),
    })),
    longestSilenceMs,
    ...(activities.length > 1 && { overtalkPercent }),
  };
}
