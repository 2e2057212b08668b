// The pieces by stretches of time: within a stretch the same pieces have calls, so that pages go from one to the next, and
// merge the ids of several pieces only where these overlap.
import type { Piece } from "./piece-list.ts";
import type { PieceReader } from "./piece-reader.ts";

/** The places of a piece from `from` up to `until`, without it. */
export interface Slice {
  readonly piece: Piece;
  readonly from: number;
  readonly until: number;
}

/** Ids from `fromId` up to `untilId`, without it, and the slices of the pieces that have any. */
export interface Band {
  readonly fromId: bigint;
  readonly untilId: bigint;
  readonly slices: readonly Slice[];
}

/** The newest first. The pieces have to be in the order of their last ids, the newest first. */
export function toBands(reader: PieceReader, pieces: readonly Piece[]): readonly Band[] {
  const ends = new Set(pieces.flatMap(({ firstId, lastId }) => [firstId, lastId + 1n]));
  const borders = BigInt64Array.from(ends).toSorted().toReversed();
  const bands: Band[] = [];
  let active: readonly Piece[] = [];
  let next = 0;
  for (const [index, untilId] of borders.entries()) {
    const coming: Piece[] = [];
    for (let piece = pieces[next]; piece && piece.lastId + 1n >= untilId; piece = pieces[next]) {
      coming.push(piece);
      next += 1;
    }
    active = [...active.filter(({ firstId }) => firstId < untilId), ...coming];
    const fromId = borders[index + 1];
    if (fromId === undefined) break;
    bands.push({ fromId, untilId, slices: toSlices(reader, active, { fromId, untilId }) });
  }
  return bands;
}

export interface IdRange {
  readonly fromId: bigint;
  readonly untilId: bigint;
}

/** What of the band lies in the range. */
export function cutBand(reader: PieceReader, band: Band, range: IdRange): readonly Slice[] {
  if (range.fromId <= band.fromId && range.untilId >= band.untilId) return band.slices;
  const pieces = band.slices.map(({ piece }) => piece);
  return toSlices(reader, pieces, {
    fromId: range.fromId > band.fromId ? range.fromId : band.fromId,
    untilId: range.untilId < band.untilId ? range.untilId : band.untilId,
  });
}

/** The slice of each of the pieces that lies in the range, if there is any. */
export function toSlices(
  reader: PieceReader,
  pieces: readonly Piece[],
  { fromId, untilId }: IdRange,
): readonly Slice[] {
  return pieces
    .map((piece) => ({
      piece,
      from: reader.placeOf(piece, fromId),
      until: untilId > piece.lastId ? piece.calls : reader.placeOf(piece, untilId),
    }))
    .filter(({ from, until }) => from < until);
}
