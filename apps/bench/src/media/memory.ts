// The most memory that the service has while many downloads of one file go on, for files of different sizes.
import type { Goal } from "../goals.ts";
import { printTable } from "../table.ts";
import { DOWNLOADS } from "./downloads.ts";
import type { MediaWorld } from "./media-world.ts";
import { MEGABYTE } from "./recordings.ts";

export interface Peak {
  readonly fileBytes: number;
  readonly peakBytes: number;
}

// The rest of a larger file is not read: by then each download has gone through its buffer some six hundred times.
const MAX_BYTES_EACH = 250 * MEGABYTE;

/** Each size meets a process that has served nothing before. */
export async function measurePeaks(
  world: MediaWorld,
  toPath: (callId: string) => string,
): Promise<readonly Peak[]> {
  const peaks: Peak[] = [];
  for (const { bytes, callId } of world.files) {
    await using service = await world.serve("TLS");
    await world.download(`${service.baseUrl}${toPath(callId)}`, MAX_BYTES_EACH);
    peaks.push({ fileBytes: bytes, peakBytes: service.peakBytes() });
  }
  return peaks;
}

export function printPeaks(what: string, peaks: readonly Peak[]): void {
  printTable(`${what}: most memory resident, MB, ${DOWNLOADS} downloads at once`, [
    ["", ...peaks.map(({ fileBytes }) => `${fileBytes / MEGABYTE} MB`)],
    ["the service", ...peaks.map(({ peakBytes }) => (peakBytes / MEGABYTE).toFixed(0))],
  ]);
}

// Room for the garbage collector, which comes when it comes.
const FLAT = 1.2;

/** The largest file against the smallest. */
export function toFlatness(what: string, peaks: readonly Peak[]): Goal {
  const measured = (peaks.at(-1)?.peakBytes ?? Number.NaN) / (peaks[0]?.peakBytes ?? Number.NaN);
  return { what, measured, is: "at most", limit: FLAT };
}
