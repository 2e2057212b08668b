// Finds the spans of a received recording among those of its call, and the spans to mute that have no recording.
import type { Announced } from "@call-media/client";
import { CannotMute } from "@call-media/sound/mute";
import type { Exporter } from "../export/exporter.ts";
import type { MutedFile, Outcome } from "../export/manifest.ts";
import type { CallSpan } from "./spans.ts";

/** A received recording. */
export interface ReceivedRecording {
  readonly bytes: number;
  readonly sha256: string;
  /** The number within its call by which it was requested (D17); undefined if it was requested by its reference. */
  readonly own: number | undefined;
}

/**
 * The numbers under which its call has the recording. A recording that was requested by its reference, or is listed twice, is recognised
 * by its digest. `describe` returns undefined if the call has no such recording, or the caller has no right to it.
 *
 * @throws CannotMute if neither digest nor length identifies it; the errors of `describe`.
 */
export async function findOwnParts(
  spans: readonly CallSpan[],
  { own, ...received }: ReceivedRecording,
  describe: (part: number) => Promise<Announced | undefined>,
): Promise<ReadonlySet<number>> {
  const parts = new Set<number>();
  for (const part of new Set(spans.map((span) => span.part)))
    if (part === own || isSame(received, await describe(part))) parts.add(part);
  return parts;
}

function isSame(
  { bytes, sha256 }: Omit<ReceivedRecording, "own">,
  announced: Announced | undefined,
): boolean {
  if (announced === undefined) return false;
  if (announced.sha256 !== undefined) return announced.sha256 === sha256;
  if (announced.bytes !== undefined && announced.bytes !== bytes) return false;
  throw new CannotMute(
    "which recording of the call it is, is not known, since the service announces no SHA-256: it cannot be muted",
  );
}

/** In the form of the manifest. */
export const toMutedFile = (
  original: MutedFile["original"],
  spans: readonly CallSpan[],
  by: Exporter,
): MutedFile => ({
  original,
  spans: spans.map(({ part, from, to, channel, reason }) => ({
    part,
    from,
    to,
    ...(channel !== undefined && { channel }),
    ...(reason !== undefined && { reason }),
  })),
  by,
});

/** Tracks the spans to mute: a mistyped identifier must not go unnoticed. */
export interface SpanTally {
  /** `outcome`: the result for a recording of the call; undefined if it was not tried. */
  readonly add: (call_id: string | null, outcome: Outcome | undefined) => void;
  readonly listUnmuted: () => readonly CallSpan[];
}

export function createSpanTally(asked: readonly CallSpan[]): SpanTally {
  const muted = new Set<string>();
  // A recording that could not be fetched is a separate fault.
  const unsettled = new Set<string | null>();
  return {
    add(call_id, outcome) {
      if (outcome?.status !== "complete" && outcome?.status !== "none") unsettled.add(call_id);
      for (const span of outcome?.muted?.spans ?? [])
        muted.add(toKey({ call_id: call_id ?? "", ...span }));
    },
    listUnmuted: () =>
      asked.filter((span) => !unsettled.has(span.call_id) && !muted.has(toKey(span))),
  };
}

// A span that ended behind its recording is named with another end.
const toKey = ({ call_id, part, from, channel = 0 }: CallSpan): string =>
  JSON.stringify([call_id, part, from, channel]);

/** As in a report. */
export const toSpanNames = (spans: readonly CallSpan[]): readonly string[] => [
  ...new Set(
    spans.map(
      ({ call_id, part, from, to }) => `${from}-${to} s in recording ${part} of call ${call_id}`,
    ),
  ),
];
