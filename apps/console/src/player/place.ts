// Finds the recording with a given second of a leg. Each recording begins where the one before it ends.
import type { Access } from "../access.ts";
import type { Leg } from "../call/load.ts";
import { describeRecording } from "./recording.ts";

export interface Place {
  readonly part: number;
  /** The seconds of the leg before it, and up to its end. */
  readonly from: number;
  readonly to: number;
  /** The seconds of the recordings that were asked about, by their numbers. */
  readonly lengths: ReadonlyMap<number, number>;
}

/** Undefined if no recording has it, or if it is not known which one does. Asks nothing where there is only one. */
export async function findPlace(
  access: Access,
  { record, parts }: Pick<Leg, "record" | "parts">,
  { second, signal }: { readonly second: number; readonly signal: AbortSignal },
): Promise<Place | undefined> {
  const [only, ...others] = parts;
  if (only === undefined) return undefined;
  if (others.length === 0) return { part: only, from: 0, to: Infinity, lengths: new Map() };
  const lengths = new Map<number, number>();
  let from = 0;
  for (const part of parts) {
    const { sound } = await describeRecording(access, { record, part }, signal);
    if (sound?.seconds === undefined) return undefined;
    lengths.set(part, sound.seconds);
    const to = from + sound.seconds;
    if (second < to) return { part, from, to, lengths };
    from = to;
  }
  return undefined;
}
