// True if a record that replaces others would leave a recording without a call (D32).
import type { CallItem, Recording } from "../port/index.ts";
import { findLeg, type KnownRecord } from "./kept-recordings.ts";
import { isNamed, toNamesAlone } from "./recording-names.ts";
import { RowRejected } from "./row-rejected.ts";

/** The calls of a row; the first one takes the place of others. */
export interface Replacing {
  readonly items: readonly CallItem[];
  /** Of the first one. */
  readonly instantMs: number | undefined;
}

/** Throws `RowRejected`, naming a recording of `gone` that no item of the row brings, names or keeps. */
export function checkLoss(row: Replacing, gone: readonly KnownRecord[]): void {
  const { items } = row;
  const isState = gone.length > 1;
  const known = gone.filter(({ recordings }) => recordings.length > 0);
  if (known.length === 0) return;
  const own = isState ? findOwn(row, gone) : known;
  const brought = items.flatMap(({ recordings }) => recordings);
  const names = items.flatMap(toNamesAlone);
  const isKept = (one: Recording) =>
    brought.some(
      ({ media, filename }) => media.sha256 === one.media.sha256 || isNamed(one, toStem(filename)),
    ) || names.some((name) => isNamed(one, name));
  const lost = own.flatMap(({ recordings }) => recordings).find((one) => !isKept(one));
  if (lost === undefined) return;
  const callId = items[0]?.record.call_id;
  throw new RowRejected(
    `recordings: this would take the place of a record of the call ${callId} and leave its recording ${lost.filename} without one; if they are two legs, say what tells them apart (identity); if the recording is to go, purge the call first`,
  );
}

// A later state takes the places of all records of a call with its first row; the rows of the other legs follow.
function findOwn(
  { items: [only, ...others], instantMs }: Replacing,
  gone: readonly KnownRecord[],
): readonly KnownRecord[] {
  if (only === undefined || others.length > 0) return gone;
  return [findLeg({ record: only.record, instantMs }, gone) ?? []].flat();
}

// A recording that comes in another form takes the place of the one before.
function toStem(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot > 0 ? filename.slice(0, dot) : filename;
}
