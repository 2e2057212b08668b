// The rows of pieces in the database, pages and blocks alike: reads them, and keeps what was made of them.
import type { DatabaseSync } from "node:sqlite";
import { ROWS_OF_A_PIECE, toAligned } from "./layout.ts";
import type { Memory } from "./memory.ts";
import type { Piece } from "./piece-list.ts";

/** The search index is no longer what was written: the disk, or somebody, has changed the archive's files. */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
}

export type RowSelect = (piece: Piece, number: number) => Uint8Array<ArrayBuffer>;

export function createRowSelect(database: DatabaseSync, kind: "page" | "block"): RowSelect {
  const select = database.prepare(`SELECT bytes FROM index_${kind} WHERE id = ?`);
  return (piece, number) => {
    const bytes = select.get(toRowId(piece, number))?.["bytes"];
    if (bytes instanceof Uint8Array) return toAligned(bytes);
    throw new IndexDamaged(`the search index lacks the ${kind} ${number} of its piece ${piece.id}`);
  };
}

const toRowId = ({ id }: Piece, number: number) => id * ROWS_OF_A_PIECE + number;

/** Gives what `parse` makes of a row. */
export type RowReader = <T>(
  piece: Piece,
  number: number,
  parse: (bytes: Uint8Array<ArrayBuffer>) => T,
) => T;

/** Keeps what was made of rows of one of the two tables. */
export function rememberRows(select: RowSelect, memory: Memory<unknown>): RowReader {
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
