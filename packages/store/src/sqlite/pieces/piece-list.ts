// The list of pieces, each with what finds its rows.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig } from "../files/connection.ts";
import type { Bits } from "./bits.ts";
import { ROWS_OF_A_PIECE, toAligned } from "./layout.ts";

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

/** Makes a function that lists all pieces there are, in the order of their last ids, the newest first. */
export function createPieceLister(database: DatabaseSync): () => readonly Piece[] {
  const all = database.prepare("SELECT id, gone FROM index_piece ORDER BY last_id DESC");
  const one = prepareBig<PieceRow>(
    database,
    `SELECT *, (SELECT max(id) FROM index_block WHERE id < (index_piece.id + 1) * ${ROWS_OF_A_PIECE}) AS last_block
     FROM index_piece WHERE id = ?`,
  );
  let known: readonly Piece[] = [];
  return () => {
    const byId = new Map(known.map((piece) => [piece.id, piece]));
    const found = all.all().map((row) => {
      const piece = byId.get(Number(row["id"]));
      if (piece !== undefined && piece.gone === row["gone"]) return piece;
      return toPiece(one.get(Number(row["id"])) as PieceRow); // it was listed
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
    firsts: new BigInt64Array(toAligned(row.firsts).buffer),
    firstTerms: new Float64Array(toAligned(row.first_terms).buffer),
    blocks: (Number(row.last_block) % ROWS_OF_A_PIECE) + 1,
  };
}
