// Which calls a page has: the index is gone through from the newest call on, and what lies before the page is counted.
import { PAGE_SIZE } from "../../values/page-size.ts";
import { type Band, cutBand, type IdRange, type Slice, toBands } from "../pieces/bands.ts";
import type { Piece } from "../pieces/piece-list.ts";
import type { PieceReader } from "../pieces/piece-reader.ts";
import { placesDown } from "../pieces/places.ts";
import type { Match } from "../pieces/question.ts";

interface Wanted {
  readonly match: Match;
  /** Calls of the pages before. */
  readonly skipped: number;
}

/** Finds the ids of a page, the newest first, and one more when there is one. */
export function createIdFinder(reader: PieceReader) {
  let known: { readonly of: readonly Piece[]; readonly bands: readonly Band[] } | undefined;
  const bandsOf = (pieces: readonly Piece[]): readonly Band[] => {
    if (known?.of !== pieces) known = { of: pieces, bands: toBands(reader, pieces) };
    return known.bands;
  };
  return (pieces: readonly Piece[], range: IdRange, { match, skipped }: Wanted) => {
    const ids: bigint[] = [];
    let left = skipped;
    for (const band of bandsOf(pieces)) {
      if (band.untilId <= range.fromId) break;
      if (band.fromId >= range.untilId) continue;
      const slices = cutBand(reader, band, range);
      const matching = left === 0 ? 0 : sumMatching(slices, match);
      if (left > 0 && matching <= left) {
        left -= matching;
        continue;
      }
      for (const id of idsDown(reader, slices, { match, skipped: left })) {
        ids.push(id);
        if (ids.length > PAGE_SIZE) return ids;
      }
      left = 0;
    }
    return ids;
  };
}

function sumMatching(slices: readonly Slice[], match: Match): number {
  return slices.reduce((sum, slice) => sum + match.count(slice), 0);
}

function* idsDown(
  reader: PieceReader,
  slices: readonly Slice[],
  { match, skipped }: Wanted,
): Generator<bigint, void> {
  const [only] = slices;
  if (only === undefined) return;
  if (slices.length === 1) {
    yield* idsOfSlice(reader, only, { match, skipped });
    return;
  }
  const heads = slices.map((slice) => {
    const ids = idsOfSlice(reader, slice, { match, skipped: 0 });
    return { ids, next: ids.next().value };
  });
  for (let left = skipped; ; left -= 1) {
    const greatest = heads.reduce((best, head) =>
      (head.next ?? -Infinity) > (best.next ?? -Infinity) ? head : best,
    );
    if (greatest.next === undefined) return;
    if (left <= 0) yield greatest.next;
    greatest.next = greatest.ids.next().value;
  }
}

function* idsOfSlice(
  reader: PieceReader,
  slice: Slice,
  { match, skipped }: Wanted,
): Generator<bigint, void> {
  const places = match.places(slice.piece);
  if (places === undefined) return;
  for (const place of placesDown(places, slice, skipped)) yield reader.idOf(slice.piece, place);
}
