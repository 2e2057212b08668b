// Reads what a service found in the bytes of a recording (D37).
import { parseCount } from "../values.ts";

/** A finding of the table of D37, such as "truncated" or "channel-silent". A service may have others. */
export interface SoundFinding {
  readonly kind: string;
  /** How much of the sound is there, in whole per cent. */
  readonly percent: number | undefined;
  /** Which channels, from 1; empty where it is not said. */
  readonly channels: readonly number[];
}

/** What the service says of the sound of a recording (D37); undefined is what it does not say. */
export interface RecordingSound {
  readonly seconds: number | undefined;
  readonly codec: string | undefined;
  /** Samples a second. */
  readonly rate: number | undefined;
  readonly channels: number | undefined;
  readonly findings: readonly SoundFinding[];
}

/** Undefined if there is no header, or anything else in it. */
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
