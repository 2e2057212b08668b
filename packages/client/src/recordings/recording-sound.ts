// Reads a service's audio analysis of a recording (D37).
import { parseCount } from "../values.ts";

/** A finding from the table of D37, such as "truncated" or "channel-silent". A service may have others. */
export interface SoundFinding {
  readonly kind: string;
  /** The affected share of the audio, in whole per cent. */
  readonly percent: number | undefined;
  /** The affected channels, from 1; empty if not stated. */
  readonly channels: readonly number[];
}

/** The service's audio analysis of a recording (D37). Unstated values are undefined. */
export interface RecordingSound {
  readonly seconds: number | undefined;
  readonly codec: string | undefined;
  /** Samples per second. */
  readonly rate: number | undefined;
  readonly channels: number | undefined;
  readonly findings: readonly SoundFinding[];
}

/** Undefined if the header is missing or malformed. */
export function parseSound(header: string | null): RecordingSound | undefined {
  const text = header ?? "";
  const member = /([a-z]\w*)=("[^"]*"|\([^)]*\)|[\d.]+)(?:, *|$)/y;
  const members: Record<string, string> = {};
  while (member.lastIndex < text.length) {
    const [, key = "", value] = member.exec(text) ?? [];
    if (!value) return undefined;
    members[key] = value.replace(/^["(]|[")]$/g, "");
  }
  const { duration, codec, rate, channels, findings } = members;
  if (findings === undefined) return undefined;
  return {
    seconds: duration === undefined ? undefined : Number(duration),
    codec,
    rate: parseCount(rate),
    channels: parseCount(channels),
    findings: [...findings.matchAll(/"([^"]*)"([^ ]*)/g)].map(([, kind = "", more = ""]) => ({
      kind,
      percent: parseCount(/percent=(\d+)/.exec(more)?.[1]),
      channels: /channels="([\d,]+)/.exec(more)?.[1]?.split(",").map(Number) ?? [],
    })),
  };
}
