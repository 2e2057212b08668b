// A recording of a record: fetched, or why it was not had.
import { rm } from "node:fs/promises";
import {
  type FetchFailure,
  knowsParts,
  NO_IDENTIFIER,
  type Numbered,
  openRecording,
  SAME_AGAIN,
  toFetchFailure,
  toSelector,
} from "@call-media/handover";
import type { Begun } from "../journal/entries.ts";
import { type DownloadWork, type Received, receiveRecording } from "./download.ts";

/** A recording that is wanted. */
export interface WantedRecording extends Numbered {
  /** Digests of the recordings of this record that were received before. */
  readonly earlier: ReadonlySet<string>;
  /** Where the bytes go until they are whole. */
  readonly partFile: string;
  readonly begun: Begun | undefined;
  readonly tellBegun: (begun: Begun) => Promise<void>;
}

/** @throws what concerns more than this recording: sign-in, disk, Ctrl-C. */
export async function fetchRecording(
  work: DownloadWork,
  wanted: WantedRecording,
): Promise<Received | FetchFailure> {
  const which = toSelector(wanted.record);
  if (which === undefined) return NO_IDENTIFIER;
  const { partFile, begun, tellBegun } = wanted;
  const open = () => openRecording(work, which, wanted);
  try {
    const download = { which, part: partFile, begun, tellBegun, open };
    const received = await receiveRecording(work, download);
    // A service that does not know `part` gives the first one again; where it gives names, they have told.
    const isTold = received.filename !== undefined && work.redaction.fields.length === 0;
    const isAgain = !isTold && wanted.earlier.has(received.sha256);
    if (!isAgain || (await knowsParts(work, which))) return received;
    await rm(partFile, { force: true });
    return SAME_AGAIN;
  } catch (error) {
    return toFetchFailure(error, work.redaction);
  }
}
