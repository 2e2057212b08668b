// Detects that a record that replaces others would leave a recording without a call (D32).
import type { CallItem, MetadataRecord, Recording } from "../port/index.ts";
import { findLeg, type KnownRecord } from "./kept-recordings.ts";
import { isNamed, toNamesAlone } from "./recording-names.ts";
import { RowRejected } from "./row-rejected.ts";

/** The calls of a row; the first one replaces others. */
export interface Replacing {
  readonly items: readonly CallItem[];
  /** The instant of the first one. */
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
  const isKept = (one: Recording, leg: KnownRecord) =>
    brought.some(({ media }) => media.sha256 === one.media.sha256) ||
    names.some((name) => isNamed(one, name)) ||
    items.some((item) => bringsAgain(item, one) && !isOtherLeg(item.record, leg.record));
  const lost = own
    .flatMap((leg) => leg.recordings.map((one) => ({ leg, one })))
    .find(({ leg, one }) => !isKept(one, leg))?.one;
  if (lost === undefined) return;
  const callId = items[0]?.record.call_id;
  throw new RowRejected(
    `recordings: this would take the place of a record of the call ${callId} and leave its recording ${lost.filename} without one; if they are two legs, say what tells them apart (identity); if the recording is to go, purge the call first`,
  );
}

// The first row of a later state replaces all records of a call; the rows of the other legs follow.
function findOwn(
  { items: [only, ...others], instantMs }: Replacing,
  gone: readonly KnownRecord[],
): readonly KnownRecord[] {
  if (only === undefined || others.length > 0) return gone;
  return [findLeg({ record: only.record, instantMs }, gone) ?? []].flat();
}

/** A recording that is imported again in another format replaces the one before. */
const bringsAgain = ({ recordings }: CallItem, one: Recording): boolean =>
  recordings.some(({ filename }) => isNamed(one, toStem(filename)));

/** Legs may begin at the same instant and give their recordings the same names. */
const isOtherLeg = (a: MetadataRecord, b: MetadataRecord): boolean =>
  [
    [a.agent, b.agent],
    [a.ref_id, b.ref_id],
  ].some(([one, other]) => one !== null && other !== null && one !== other);

function toStem(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot > 0 ? filename.slice(0, dot) : filename;
}
