// Reads pieces: the list of them, their ids and the places of terms. Pieces never change, but for which of their calls were
// taken out, so what was read of them is kept.
import type { DatabaseSync } from "node:sqlite";
import type { Bits } from "./bits.ts";
import {
  ROWS_OF_A_PIECE,
  findLast,
  IDS_OF_A_BLOCK,
  type Page,
  type Places,
  type Posting,
  readPage,
  readPlaces,
  toAligned,
  toBits,
} from "./layout.ts";
import { createMemory, type Memory } from "./memory.ts";

export interface Piece {
  readonly id: number;
  /** Including those that were taken out. */
  readonly calls: number;
  /** Calls that were taken out. */
  readonly gone: number;
  /** The places of the calls that were taken out. */
  readonly removed: Bits | undefined;
  readonly firstId: bigint;
  readonly lastId: bigint;
  /** The first id of each block of ids. */
  readonly firsts: BigInt64Array;
  /** The first term of each page. */
  readonly firstTerms: Float64Array;
  /** How many it has: of ids, and of the places of terms. */
  readonly blocks: number;
}

/** The search index is no longer what was written: the disk, or somebody, has changed the archive's files. */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
}

export interface PieceReader {
  /** All there are, in the order of their last ids, the newest first. */
  list(): readonly Piece[];
  find(piece: Piece, term: number): Posting | undefined;
  /** As `find`, for one of many terms that are asked for in their order: nothing is kept but its page. */
  findOnce(piece: Piece, term: number): Posting | undefined;
  places(piece: Piece, posting: Posting): Places;
  /**
   * The calls that have the term, not to be changed. The steps are the same whether many have it, one or none, so that a clock
   * does not tell it: one page is read and one block, and as much is kept.
   */
  bits(piece: Piece, term: number): Bits;
  /** Goes through every term of the piece, in order. */
  openTerms(piece: Piece): TermCursor;
  /** The first place whose id is not below `id`. */
  placeOf(piece: Piece, id: bigint): number;
  idOf(piece: Piece, place: number): bigint;
  /** Every id of the piece, oldest first. */
  ids(piece: Piece): BigInt64Array;
}

/**
 * Throws `IndexDamaged`. Keeps up to `maxBytes` of pages, as much of blocks, and a fourth of it of terms. What is asked after
 * a `list` has to be asked in the same transaction.
 */
export function createPieceReader(database: DatabaseSync, maxBytes: number): PieceReader {
  const list = createPieceLister(database);
  const blocks = createMemory<unknown>(maxBytes);
  const selectBlock = createRowSelect(database, "block");
  const readBlock = rememberRows(selectBlock, blocks);
  const readPages = rememberRows(createRowSelect(database, "page"), createMemory(maxBytes));
  const idsOf = (piece: Piece, block: number) => readBlock(piece, block, toIds);
  const findNear = (piece: Piece, term: number): Near => {
    // Without a single term a piece has no page.
    if (piece.firstTerms.length === 0) return { isThere: false, posting: () => NOTHING };
    const page = Math.max(findLast(piece.firstTerms, term), 0);
    const { terms, posting } = readPages(piece, page, readPage);
    const index = Math.max(findLast(terms, term), 0);
    return { isThere: terms[index] === term, posting: () => posting(index) };
  };
  const findOnce = (piece: Piece, term: number): Posting | undefined => {
    const { isThere, posting } = findNear(piece, term);
    return isThere ? posting() : undefined;
  };
  const readBits = (piece: Piece, term: number): Bits => {
    const near = findNear(piece, term);
    const nearest = near.posting(); // to look past those before it takes as long
    const posting = near.isThere ? nearest : NOTHING;
    const block = "block" in posting ? posting.block : term % piece.blocks;
    const bytes = selectBlock(piece, block);
    const places =
      "block" in posting ? readPlaces(bytes, posting.count, piece.calls) : posting.places;
    return places instanceof Uint32Array ? places : toBits(places, piece.calls);
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
    bits: (piece, term) => {
      const key = `${piece.id} ${term}`;
      const known = blocks.get(key);
      if (known !== undefined) return known as Bits; // no row of the table has such a key
      const bits = readBits(piece, term);
      blocks.set(key, bits, bits.byteLength);
      return bits;
    },
    openTerms: (piece) =>
      createTermCursor((page) =>
        page < piece.firstTerms.length ? readPages(piece, page, readPage) : undefined,
      ),
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

const NOTHING = { count: 0, places: new Uint16Array() };

/** A term, or the one before it. */
interface Near {
  readonly isThere: boolean;
  readonly posting: () => Posting;
}

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

type RowSelect = (piece: Piece, number: number) => Uint8Array<ArrayBuffer>;

function createRowSelect(database: DatabaseSync, kind: "page" | "block"): RowSelect {
  const select = database.prepare(`SELECT bytes FROM index_${kind} WHERE id = ?`);
  return (piece, number) => {
    const bytes = select.get(toRowId(piece, number))?.["bytes"];
    if (bytes instanceof Uint8Array) return toAligned(bytes);
    throw new IndexDamaged(`the search index lacks the ${kind} ${number} of its piece ${piece.id}`);
  };
}

const toRowId = ({ id }: Piece, number: number) => id * ROWS_OF_A_PIECE + number;

/** Keeps what was made of rows of one of the two tables. */
function rememberRows(select: RowSelect, memory: Memory<unknown>) {
  return <T>(piece: Piece, number: number, parse: (bytes: Uint8Array<ArrayBuffer>) => T): T => {
    const id = toRowId(piece, number);
    const known = memory.get(id);
    if (known !== undefined) return known as T; // a row is parsed in one way alone
    const bytes = select(piece, number);
    const parsed = parse(bytes);
    memory.set(id, parsed, bytes.byteLength);
    return parsed;
  };
}

const toIds = ({ buffer }: Uint8Array<ArrayBuffer>) => new BigInt64Array(buffer);

function createPieceLister(database: DatabaseSync): () => readonly Piece[] {
  const all = database.prepare("SELECT id, gone FROM index_piece ORDER BY last_id DESC");
  const one = database.prepare(
    `SELECT *, (SELECT max(id) FROM index_block WHERE id < (index_piece.id + 1) * ${ROWS_OF_A_PIECE}) AS last_block
     FROM index_piece WHERE id = ?`,
  );
  one.setReadBigInts(true);
  let known: readonly Piece[] = [];
  return () => {
    const byId = new Map(known.map((piece) => [piece.id, piece]));
    const found = all.all().map((row) => {
      const piece = byId.get(Number(row["id"]));
      if (piece !== undefined && piece.gone === row["gone"]) return piece;
      return toPiece(one.get(Number(row["id"])) as unknown as PieceRow); // the columns of the table
    });
    const isSame = found.length === known.length && found.every((piece, at) => piece === known[at]);
    // The same list for as long as nothing changes: what is made from it can be kept as well.
    if (!isSame) known = found;
    return known;
  };
}

interface PieceRow {
  readonly id: bigint;
  readonly calls: bigint;
  readonly gone: bigint;
  readonly removed: Uint8Array | null;
  readonly first_id: bigint;
  readonly last_id: bigint;
  readonly firsts: Uint8Array;
  readonly first_terms: Uint8Array;
  readonly last_block: bigint;
}

function toPiece(row: PieceRow): Piece {
  return {
    id: Number(row.id),
    calls: Number(row.calls),
    gone: Number(row.gone),
    removed: row.removed === null ? undefined : new Uint32Array(toAligned(row.removed).buffer),
    firstId: row.first_id,
    lastId: row.last_id,
    firsts: toIds(toAligned(row.firsts)),
    firstTerms: new Float64Array(toAligned(row.first_terms).buffer),
    blocks: (Number(row.last_block) % ROWS_OF_A_PIECE) + 1,
  };
}
