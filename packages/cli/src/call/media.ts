// Reads the recordings of a call for a vCon, complete and checked.
import { type CallMediaClient, isCallMediaError, type Recording } from "@call-media/client";
import { rejoinNames, toRecordingNames } from "@call-media/handover";
import type { Call } from "./look-up.ts";

/** Reads those that the records name. `missing`: the number of denied or removed ones. */
export async function readRecordings(
  client: CallMediaClient,
  { call_id, records }: Call,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Recording[]; readonly missing: number }> {
  const names = records.flatMap(({ recordings }) => toRecordingNames(recordings));
  const found = new Map<string, Recording>();
  for (const part of names.keys()) {
    const recording = await readOne(client, { call_id, part: part + 1, signal });
    if (recording === undefined) break;
    // `part` is an extension: services without it return the first recording again.
    const identity = JSON.stringify([recording.filename, recording.sha256]);
    if (found.has(identity)) break;
    found.set(identity, recording);
  }
  const given = [...found.values()].map(({ filename }) => filename);
  return { found: [...found.values()], missing: toWholeNames(names, given).length - found.size };
}

/** Assigns each recording to the record that names it, else to the first record. */
export function toShares<Media extends Pick<Recording, "filename">>(
  { records }: Call,
  media: readonly Media[],
): readonly (readonly Media[])[] {
  const shares = records.map((): Media[] => []);
  const given = media.map(({ filename }) => filename);
  const open = records.map(({ recordings }) => toWholeNames(toRecordingNames(recordings), given));
  for (const one of media) {
    const index = open.findIndex((names) => names.some((name) => name === one.filename));
    const names = open[index] ?? [];
    // Two legs may have recordings of the same name, each its own.
    if (index >= 0) names.splice(names.indexOf(one.filename ?? ""), 1);
    shares[Math.max(index, 0)]?.push(one);
  }
  return shares;
}

const toWholeNames = (...names: Parameters<typeof rejoinNames>) =>
  rejoinNames(...names).filter((name) => name !== undefined);

async function readOne(
  client: CallMediaClient,
  wanted: { readonly call_id: string; readonly part: number; readonly signal: AbortSignal },
): Promise<Recording | undefined> {
  try {
    return await client.recordings.bytes(wanted);
  } catch (error) {
    const isRefused =
      isCallMediaError(error, "NotFoundError") || isCallMediaError(error, "PermissionError");
    if (isRefused) return undefined;
    throw error;
  }
}
