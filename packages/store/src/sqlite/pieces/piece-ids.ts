// The ids of the calls of a piece: their places, and which place an id has.
import { findLast, IDS_OF_A_BLOCK } from "./layout.ts";
import type { Piece } from "./piece-list.ts";
import type { RowReader } from "./piece-rows.ts";

export interface IdReader {
  /** The first place whose id is not below `id`. */
  placeOf(piece: Piece, id: bigint): number;
  idOf(piece: Piece, place: number): bigint;
  /** Every id of the piece, oldest first. */
  ids(piece: Piece): BigInt64Array;
}

export function createIdReader(readBlock: RowReader): IdReader {
  const idsOf = (piece: Piece, block: number) =>
    readBlock(piece, block, ({ buffer }) => new BigInt64Array(buffer));

  return {
    placeOf: (piece, id) => {
      if (id <= piece.firstId) return 0;
      const block = findLast(piece.firsts, id - 1n);
      return block * IDS_OF_A_BLOCK + findLast(idsOf(piece, block), id - 1n) + 1;
    },
    idOf: (piece, place) =>
      idsOf(piece, Math.floor(place / IDS_OF_A_BLOCK))[place % IDS_OF_A_BLOCK] ?? piece.lastId,
    ids: (piece) => {
      const ids = new BigInt64Array(piece.calls);
      for (const block of piece.firsts.keys()) ids.set(idsOf(piece, block), block * IDS_OF_A_BLOCK);
      return ids;
    },
  };
}
