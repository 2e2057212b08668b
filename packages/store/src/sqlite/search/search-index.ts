// The search index: for each value of each filter field, the calls that have it. It is kept in pieces of up to 65,536 calls,
// each in the order of the ids, so that fields, rights and days are combined as sets of bits, piece by piece.
// Why not an index per field, nor FTS5: apps/bench/README.md.
import type { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import type { FilterField, MetadataRecord } from "../../port/index.ts";
import { addPlaces, createBits, hasPlace } from "../pieces/bits.ts";
import { MAX_CALLS } from "../pieces/layout.ts";
import { createPieceMerger, type PieceMerger } from "../pieces/piece-merge.ts";
import type { Piece } from "../pieces/piece-list.ts";
import { createPieceReader, type PieceReader } from "../pieces/piece-reader.ts";
import { createPieceWriter } from "../pieces/piece-writer.ts";
import { createTermGroups } from "../pieces/term-groups.ts";
import { createTermsOf } from "../search-terms.ts";

const INDEXED_FIELDS = [
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
] as readonly FilterField[];

export interface IndexedCall {
  readonly id: bigint;
  /** What `createTermLister` gives of its record. */
  readonly terms: readonly number[];
}

export interface IndexWriter extends PieceMerger {
  /** Takes calls out, then adds others, all in the order of their ids. In a transaction of the caller's. */
  change(removed: readonly bigint[], added: readonly IndexedCall[]): void;
}

export function createIndexWriter(database: DatabaseSync): IndexWriter {
  const create = createPieceWriter(database);
  const groups = createTermGroups();
  const remove = createRemover(database);
  const add = (calls: readonly IndexedCall[]) => {
    const piece = create(BigInt64Array.from(calls, ({ id }) => id));
    for (const [place, { terms }] of calls.entries())
      for (const term of terms) groups.add(term, place);
    groups.take((term, run) => piece.add(term, run));
    piece.end();
  };
  return {
    change: (removed, added) => {
      remove(removed);
      for (let at = 0; at < added.length; at += MAX_CALLS) add(added.slice(at, at + MAX_CALLS));
    },
    ...createPieceMerger(database),
  };
}

// Blocks of ids: calls that come again go from one to the next.
const REMOVER_BYTES = 16 * 1024 ** 2;

function createRemover(database: DatabaseSync): (ids: readonly bigint[]) => void {
  const write = database.prepare("UPDATE index_piece SET gone = ?, removed = ? WHERE id = ?");
  return (ids) => {
    if (ids.length === 0) return;
    // A new one each time: what was read in a transaction that was undone is not true.
    const reader = createPieceReader(database, REMOVER_BYTES);
    for (const piece of reader.list()) {
      const places = ids.map((id) => findPlace(reader, piece, id)).filter((place) => place !== -1);
      if (places.length === 0) continue;
      const bits = createBits(piece.calls);
      bits.set(piece.removed ?? []);
      addPlaces(bits, places);
      write.run(piece.gone + places.length, new Uint8Array(bits.buffer), piece.id);
    }
  };
}

/** Where the piece has the call; -1 when it has not, or no more. */
function findPlace(reader: PieceReader, piece: Piece, id: bigint): number {
  if (id < piece.firstId || id > piece.lastId) return -1;
  const place = reader.placeOf(piece, id);
  if (reader.idOf(piece, place) !== id) return -1;
  return piece.removed && hasPlace(piece.removed, place) ? -1 : place;
}

/** The terms of a record, one for each filter field that is filled. */
export function createTermLister(database: DatabaseSync): (record: MetadataRecord) => number[] {
  const fields = INDEXED_FIELDS.map((field) => ({
    field,
    toTerm: createTermsOf(database, field),
  }));
  // Lists that grow one by one would be copied again and again: an import keeps some ten thousand.
  const terms = fields.map(() => 0);
  return (record) => {
    let count = 0;
    for (const { field, toTerm } of fields) {
      const value = record[field];
      if (value === null) continue;
      terms[count] = toTerm(value);
      count += 1;
    }
    return terms.slice(0, count);
  };
}
