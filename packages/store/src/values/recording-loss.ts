// Whether a record that takes the place of others would leave a recording without a call (D32).
import type { CallItem, MetadataRecord, Recording } from "../call-store.ts";
import { isNamed, toNamesAlone } from "./recording-names.ts";
import { RowRejected } from "./row-rejected.ts";

/** A record of the archive that is to go. */
export interface GoneRecord {
  readonly record: MetadataRecord;
  readonly recordings: readonly Recording[];
}

/** Throws `RowRejected`, naming a recording of `gone` that no item of the row brings, names or keeps. */
export function checkLoss(items: readonly CallItem[], gone: readonly GoneRecord[]): void {
  const brought = items.flatMap(({ recordings }) => recordings);
  const names = items.flatMap(toNamesAlone);
  const isKept = (one: Recording) =>
    brought.some(
      ({ media, filename }) => media.sha256 === one.media.sha256 || isNamed(one, toStem(filename)),
    ) || names.some((name) => isNamed(one, name));
  const lost = gone.flatMap(({ recordings }) => recordings).find((one) => !isKept(one));
  if (lost === undefined) return;
  const callId = items[0]?.record.call_id;
  throw new RowRejected(
    `recordings: this would take the place of a record of the call ${callId} and leave its recording ${lost.filename} without one; if they are two legs, say what tells them apart (identity); if the recording is to go, purge the call first`,
  );
}

// A recording that comes in another form takes the place of the one before.
function toStem(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot > 0 ? filename.slice(0, dot) : filename;
}
