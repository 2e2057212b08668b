// Reads pieces: their ids and the places of terms. Pieces never change, but for which of their calls were taken out, so what
// was read of them is kept.
import type { DatabaseSync } from "node:sqlite";
import { findLast, type Page, type Places, type Posting, readPage, readPlaces } from "./layout.ts";
import { createMemory } from "./memory.ts";
import { createIdReader, type IdReader } from "./piece-ids.ts";
import { createPieceLister, type Piece } from "./piece-list.ts";
import { createRowReader } from "./piece-rows.ts";

export interface PieceReader extends IdReader {
  /** All there are, in the order of their last ids, the newest first. */
  list(): readonly Piece[];
  find(piece: Piece, term: number): Posting | undefined;
  /** As `find`, for one of many terms that are asked for in their order: nothing is kept but its page. */
  findOnce(piece: Piece, term: number): Posting | undefined;
  places(piece: Piece, posting: Posting): Places;
  /** Goes through every term of the piece, in order. */
  openTerms(piece: Piece): TermCursor;
}

/**
 * Throws `IndexDamaged`. Keeps up to `maxBytes` of pages, as much of blocks, and a fourth of it of terms. What is asked after
 * a `list` has to be asked in the same transaction.
 */
export function createPieceReader(database: DatabaseSync, maxBytes: number): PieceReader {
  const list = createPieceLister(database);
  const readBlock = createRowReader(database, "block", maxBytes);
  const readPages = createRowReader(database, "page", maxBytes);
  const findOnce = (piece: Piece, term: number): Posting | undefined => {
    // Without a single term a piece has no page.
    if (piece.firstTerms.length === 0) return undefined;
    const page = Math.max(findLast(piece.firstTerms, term), 0);
    const { terms, posting } = readPages(piece, page, readPage);
    const index = findLast(terms, term);
    return terms[index] === term ? posting(index) : undefined;
  };
  const places = (piece: Piece, posting: Posting): Places =>
    "places" in posting
      ? posting.places
      : readBlock(piece, posting.block, (bytes) => readPlaces(bytes, posting.count, piece.calls));

  return {
    list,
    find: createTermMemory(findOnce, maxBytes / 4),
    findOnce,
    places,
    openTerms: (piece) =>
      createTermCursor((page) =>
        page < piece.firstTerms.length ? readPages(piece, page, readPage) : undefined,
      ),
    ...createIdReader(readBlock),
  };
}

const NOTHING = { count: 0, places: new Uint16Array() };

// An estimate: a key, places, and what V8 needs to keep them.
const BYTES_OF_A_TERM = 500;

// A count asks all pieces for its term, and terms are asked for again: of five million calls their pages would be 8 KB for
// each of 130 pieces.
function createTermMemory(find: PieceReader["find"], maxBytes: number): PieceReader["find"] {
  const memory = createMemory<Map<number, Posting | undefined>>(maxBytes);
  return (piece, term) => {
    const byPiece = memory.get(term) ?? new Map<number, Posting | undefined>();
    const known = byPiece.get(piece.id);
    if (known !== undefined || byPiece.has(piece.id)) return known;
    const found = toKept(find(piece, term));
    byPiece.set(piece.id, found);
    memory.set(term, byPiece, byPiece.size * BYTES_OF_A_TERM);
    return found;
  };
}

// Places are a part of their page, which would be kept for their sake.
function toKept(posting: Posting | undefined): Posting | undefined {
  return posting && "places" in posting
    ? { count: posting.count, places: posting.places.slice() }
    : posting;
}

/** Stands at one term after the other. */
export interface TermCursor {
  /** Undefined behind the last one. */
  readonly term: () => number | undefined;
  readonly posting: () => Posting;
  readonly advance: () => void;
}

function createTermCursor(read: (page: number) => Page | undefined): TermCursor {
  let [number, index, start] = [0, 0, 0];
  let page = read(number);
  return {
    term: () => page?.terms[index],
    posting: () => page?.postingAt(index, start) ?? NOTHING,
    advance: () => {
      start = page?.nextStart(index, start) ?? 0;
      index += 1;
      if (page === undefined || index < page.terms.length) return;
      [number, index, start] = [number + 1, 0, 0];
      page = read(number);
    },
  };
}
