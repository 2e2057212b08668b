// Makes larger pieces of several, so that a search looks into few: those of a size once there are eight, and those that
// overlap in time once too many of them do.
import type { DatabaseSync } from "node:sqlite";
import { hasPlace } from "./bits.ts";
import { ROWS_OF_A_PIECE, listPlaces, MAX_CALLS } from "./layout.ts";
import type { Piece } from "./piece-list.ts";
import { createPieceReader, type PieceReader } from "./piece-reader.ts";
import { createPieceWriter, type PieceWriter } from "./piece-writer.ts";

// A call is rewritten once for each power of this that its piece grows by.
const PIECES_OF_A_SIZE = 8;
const SMALLEST_CALLS = 128;
// From here on a piece is merged only when it overlaps others.
const LARGE_CALLS = MAX_CALLS / 2;

// Files in no order leave large pieces that all cover the same days. More than this and a page would look into them all.
const MAX_OVERLAPPING = 4;

export interface PieceMerger {
  /** Does one merge, the most needed one, and says whether there was any. */
  merge(): boolean;
  /** Writes the pieces anew of which calls were taken out: nothing of these is left in them. */
  forgetRemoved(): void;
}

/** To be used in a transaction of the caller's. */
export function createPieceMerger(database: DatabaseSync): PieceMerger {
  // A new one each time: what was read in a transaction that was undone is not true.
  const open = () => createPieceReader(database, 0);
  const create = createPieceWriter(database);
  const removePiece = database.prepare("DELETE FROM index_piece WHERE id = ?");
  const removeRows = ["index_page", "index_block"].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE id >= ? AND id < ?`),
  );

  const replace = (reader: PieceReader, group: readonly Piece[]) => {
    const merged = toMerged(reader, group);
    const writers = merged.outputs.map((ids) => create(ids));
    mergeTerms(reader, merged, writers);
    for (const writer of writers) writer.end();
    for (const { id } of group) {
      removePiece.run(id);
      for (const remove of removeRows) remove.run(id * ROWS_OF_A_PIECE, (id + 1) * ROWS_OF_A_PIECE);
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
      for (const piece of reader.list().filter(({ gone }) => gone > 0)) replace(reader, [piece]);
    },
  };
}

function chooseGroup(pieces: readonly Piece[]): readonly Piece[] | undefined {
  const emptied = pieces.find(({ calls, gone }) => gone * 2 > calls);
  if (emptied !== undefined) return [emptied];
  const sizes = Map.groupBy(pieces, toSize);
  for (const [size, group] of [...sizes].toSorted(([a], [b]) => a - b))
    if (size !== LARGE && group.length >= PIECES_OF_A_SIZE) return group;
  const overlapping = findOverlapping(sizes.get(LARGE) ?? []);
  return overlapping.length > MAX_OVERLAPPING
    ? overlapping.slice(0, MAX_OVERLAPPING + 1)
    : undefined;
}

const LARGE = Infinity;

function toSize({ calls, gone }: Piece): number {
  const left = Math.max(calls - gone, SMALLEST_CALLS);
  if (left >= LARGE_CALLS) return LARGE;
  return Math.floor(Math.log(left / SMALLEST_CALLS) / Math.log(PIECES_OF_A_SIZE));
}

/** Those that cover the moment which the most of them cover. */
function findOverlapping(pieces: readonly Piece[]): readonly Piece[] {
  let most: readonly Piece[] = [];
  for (const { firstId } of pieces) {
    const covering = pieces.filter((piece) => piece.firstId <= firstId && piece.lastId >= firstId);
    if (covering.length > most.length) most = covering;
  }
  return most;
}

interface Merged {
  readonly inputs: readonly Piece[];
  /** The ids of each piece that is made: equally many, but for one. */
  readonly outputs: readonly BigInt64Array[];
  readonly callsOfOutput: number;
  /** For each input and place, the place in the whole; those that were taken out have none: -1. */
  readonly places: readonly Int32Array[];
}

function toMerged(reader: PieceReader, inputs: readonly Piece[]): Merged {
  const ids = inputs.map((piece) => reader.ids(piece));
  const left = inputs.reduce((sum, { calls, gone }) => sum + calls - gone, 0);
  const whole = new BigInt64Array(left);
  const places = inputs.map(({ calls }) => new Int32Array(calls).fill(-1));
  const next = inputs.map((piece) => nextLeft(piece, 0));
  for (let place = 0; place < left; place += 1) {
    const input = findLeast(inputs.length, (index) => ids[index]?.[next[index] ?? 0]);
    const [piece, at] = [inputs[input], next[input] ?? 0];
    whole[place] = ids[input]?.[at] ?? 0n;
    places[input]?.fill(place, at, at + 1);
    if (piece !== undefined) next[input] = nextLeft(piece, at + 1);
  }
  const callsOfOutput = Math.ceil(left / Math.ceil(left / MAX_CALLS)) || 1;
  const outputs = Array.from({ length: Math.ceil(left / callsOfOutput) }, (_, index) =>
    whole.subarray(index * callsOfOutput, (index + 1) * callsOfOutput),
  );
  return { inputs, outputs, callsOfOutput, places };
}

function nextLeft({ calls, removed }: Piece, place: number): number {
  if (removed === undefined) return place;
  let next = place;
  while (next < calls && hasPlace(removed, next)) next += 1;
  return next;
}

/** The index below `count` whose value is the least of those that have one; -1 when none has. */
function findLeast(count: number, valueOf: (index: number) => number | bigint | undefined): number {
  let [least, found]: [number | bigint | undefined, number] = [undefined, -1];
  for (let index = 0; index < count; index += 1) {
    const value = valueOf(index);
    if (value === undefined || (least !== undefined && least <= value)) continue;
    [least, found] = [value, index];
  }
  return found;
}

function mergeTerms(reader: PieceReader, merged: Merged, writers: readonly PieceWriter[]): void {
  const inputs = merged.inputs.map((piece, index) => ({
    piece,
    terms: reader.openTerms(piece),
    places: merged.places[index] ?? [],
  }));
  const found: number[] = [];
  for (;;) {
    const term =
      inputs[findLeast(inputs.length, (index) => inputs[index]?.terms.term())]?.terms.term();
    if (term === undefined) return;
    found.length = 0;
    for (const { piece, terms, places } of inputs) {
      if (terms.term() !== term) continue;
      for (const place of listPlaces(reader.places(piece, terms.posting()))) {
        const moved = places[place] ?? -1;
        if (moved !== -1) found.push(moved);
      }
      terms.advance();
    }
    writePlaces({ term, places: sortPlaces(found) }, merged, writers);
  }
}

// Most are in order: the pieces of an import that goes from the oldest call to the newest follow each other.
function sortPlaces(places: readonly number[]): ArrayLike<number> {
  for (let index = 1; index < places.length; index += 1)
    if ((places[index - 1] ?? 0) > (places[index] ?? 0)) return Int32Array.from(places).toSorted();
  return places;
}

/** Writes the places of a term, which are in order, into the pieces that they belong to. */
function writePlaces(
  { term, places }: { readonly term: number; readonly places: ArrayLike<number> },
  { outputs, callsOfOutput }: Merged,
  writers: readonly PieceWriter[],
): void {
  const [only] = writers;
  if (places.length === 0) return;
  if (outputs.length === 1) return only?.add(term, { places, from: 0, until: places.length });
  const parts = Map.groupBy(Array.from(places), (place) => Math.floor(place / callsOfOutput));
  for (const [output, part] of parts) {
    const own = part.map((place) => place % callsOfOutput);
    writers[output]?.add(term, { places: own, from: 0, until: own.length });
  }
}
