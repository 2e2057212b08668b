// Merges segments, so that a search reads few: eight of the same size, and overlapping ones once there are too many.
import type { DatabaseSync } from "node:sqlite";
import { hasOrdinal } from "./bitmap.ts";
import { ROWS_PER_SEGMENT, listOrdinals, MAX_CALLS } from "./layout.ts";
import type { Segment } from "./segment-list.ts";
import { createSegmentReader, type SegmentReader } from "./segment-reader.ts";
import { createSegmentWriter, type SegmentWriter } from "./segment-writer.ts";

// A call is rewritten once each time its segment has grown by this factor.
const SEGMENTS_PER_SIZE = 8;
const SMALLEST_CALLS = 128;
// From this size on, a segment is merged only if it overlaps others.
const LARGE_CALLS = MAX_CALLS / 2;

// Importing files in random order leaves large segments that all cover the same days. A page would have to read all of them, so more
// than this number are merged.
const MAX_OVERLAPPING = 4;

export interface SegmentMerger {
  /** Does the most needed merge; false if none was due. */
  merge(): boolean;
  /** Rewrites the segments with removed calls, so that nothing of these stays in them. */
  forgetRemoved(): void;
}

/** Must be used in a transaction. */
export function createSegmentMerger(database: DatabaseSync): SegmentMerger {
  // A new reader each time: a cache from a rolled-back transaction would be wrong.
  const open = () => createSegmentReader(database, 0);
  const create = createSegmentWriter(database);
  const removeSegment = database.prepare("DELETE FROM index_segment WHERE id = ?");
  const removeRows = ["index_page", "index_block"].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE id >= ? AND id < ?`),
  );

  const replace = (reader: SegmentReader, group: readonly Segment[]) => {
    const merged = toMerged(reader, group);
    const writers = merged.outputs.map((ids) => create(ids));
    mergeTerms(reader, merged, writers);
    for (const writer of writers) writer.end();
    for (const { id } of group) {
      removeSegment.run(id);
      for (const remove of removeRows)
        remove.run(id * ROWS_PER_SEGMENT, (id + 1) * ROWS_PER_SEGMENT);
    }
  };
  return {
    merge: () => {
      const reader = open();
      const group = chooseGroup(reader.list());
      if (group !== undefined) replace(reader, group);
      return group !== undefined;
    },
    forgetRemoved: () => {
      const reader = open();
      for (const segment of reader.list().filter(({ removedCount }) => removedCount > 0))
        replace(reader, [segment]);
    },
  };
}

function chooseGroup(segments: readonly Segment[]): readonly Segment[] | undefined {
  const emptied = segments.find(({ calls, removedCount }) => removedCount * 2 > calls);
  if (emptied !== undefined) return [emptied];
  const sizes = Map.groupBy(segments, toSize);
  for (const [size, group] of [...sizes].toSorted(([a], [b]) => a - b))
    if (size !== LARGE && group.length >= SEGMENTS_PER_SIZE) return group;
  const overlapping = findOverlapping(sizes.get(LARGE) ?? []);
  return overlapping.length > MAX_OVERLAPPING
    ? overlapping.slice(0, MAX_OVERLAPPING + 1)
    : undefined;
}

const LARGE = Infinity;

function toSize({ calls, removedCount }: Segment): number {
  const left = Math.max(calls - removedCount, SMALLEST_CALLS);
  if (left >= LARGE_CALLS) return LARGE;
  return Math.floor(Math.log(left / SMALLEST_CALLS) / Math.log(SEGMENTS_PER_SIZE));
}

/** The segments that cover the most covered instant. */
function findOverlapping(segments: readonly Segment[]): readonly Segment[] {
  let most: readonly Segment[] = [];
  for (const { firstId } of segments) {
    const covering = segments.filter(
      (segment) => segment.firstId <= firstId && segment.lastId >= firstId,
    );
    if (covering.length > most.length) most = covering;
  }
  return most;
}

interface Merged {
  readonly inputs: readonly Segment[];
  /** The ids of each new segment: all have the same number, except one. */
  readonly outputs: readonly BigInt64Array[];
  readonly callsOfOutput: number;
  /** For each input and ordinal, the ordinal in the merged sequence; -1 for removed calls. */
  readonly ordinals: readonly Int32Array[];
}

function toMerged(reader: SegmentReader, inputs: readonly Segment[]): Merged {
  const ids = inputs.map((segment) => reader.ids(segment));
  const left = inputs.reduce((sum, { calls, removedCount }) => sum + calls - removedCount, 0);
  const whole = new BigInt64Array(left);
  const ordinals = inputs.map(({ calls }) => new Int32Array(calls).fill(-1));
  const next = inputs.map((segment) => nextLeft(segment, 0));
  for (let ordinal = 0; ordinal < left; ordinal += 1) {
    const input = findLeast(inputs.length, (index) => ids[index]?.[next[index] ?? 0]);
    const [segment, at] = [inputs[input], next[input] ?? 0];
    whole[ordinal] = ids[input]?.[at] ?? 0n;
    ordinals[input]?.fill(ordinal, at, at + 1);
    if (segment !== undefined) next[input] = nextLeft(segment, at + 1);
  }
  const callsOfOutput = Math.ceil(left / Math.ceil(left / MAX_CALLS)) || 1;
  const outputs = Array.from({ length: Math.ceil(left / callsOfOutput) }, (_, index) =>
    whole.subarray(index * callsOfOutput, (index + 1) * callsOfOutput),
  );
  return { inputs, outputs, callsOfOutput, ordinals };
}

function nextLeft({ calls, removed }: Segment, ordinal: number): number {
  if (removed === undefined) return ordinal;
  let next = ordinal;
  while (next < calls && hasOrdinal(removed, next)) next += 1;
  return next;
}

/** The index below `count` with the least value, among those that have a value; -1 if none has. */
function findLeast(count: number, valueOf: (index: number) => number | bigint | undefined): number {
  let [least, found]: [number | bigint | undefined, number] = [undefined, -1];
  for (let index = 0; index < count; index += 1) {
    const value = valueOf(index);
    if (value === undefined || (least !== undefined && least <= value)) continue;
    [least, found] = [value, index];
  }
  return found;
}

function mergeTerms(
  reader: SegmentReader,
  merged: Merged,
  writers: readonly SegmentWriter[],
): void {
  const inputs = merged.inputs.map((segment, index) => ({
    segment,
    terms: reader.openTerms(segment),
    ordinals: merged.ordinals[index] ?? [],
  }));
  const found = new Int32Array(merged.outputs.reduce((sum, ids) => sum + ids.length, 0));
  for (;;) {
    const term =
      inputs[findLeast(inputs.length, (index) => inputs[index]?.terms.term())]?.terms.term();
    if (term === undefined) return;
    let count = 0;
    // Most are in order: an import from the oldest call to the newest makes consecutive segments.
    let areInOrder = true;
    for (const { segment, terms, ordinals } of inputs) {
      if (terms.term() !== term) continue;
      for (const ordinal of listOrdinals(reader.ordinals(segment, terms.entry()))) {
        const moved = ordinals[ordinal] ?? -1;
        if (moved === -1) continue;
        if (count > 0 && moved < (found[count - 1] ?? 0)) areInOrder = false;
        found[count] = moved;
        count += 1;
      }
      terms.advance();
    }
    const ordinals = found.subarray(0, count);
    if (!areInOrder) ordinals.sort();
    writeOrdinals({ term, ordinals }, merged, writers);
  }
}

/** Writes the sorted ordinals of a term into the segments that they belong to. */
function writeOrdinals(
  { term, ordinals }: { readonly term: number; readonly ordinals: ArrayLike<number> },
  { outputs, callsOfOutput }: Merged,
  writers: readonly SegmentWriter[],
): void {
  const [only] = writers;
  if (ordinals.length === 0) return;
  if (outputs.length === 1) return only?.add(term, { ordinals, from: 0, until: ordinals.length });
  const parts = Map.groupBy(Array.from(ordinals), (ordinal) => Math.floor(ordinal / callsOfOutput));
  for (const [output, part] of parts) {
    const own = part.map((ordinal) => ordinal % callsOfOutput);
    writers[output]?.add(term, { ordinals: own, from: 0, until: own.length });
  }
}
