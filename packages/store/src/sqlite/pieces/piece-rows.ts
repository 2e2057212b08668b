// The rows of pieces in the database, pages and blocks alike: reads them, and keeps what was made of them.
import type { DatabaseSync } from "node:sqlite";
import { ROWS_OF_A_PIECE, toAligned } from "./layout.ts";
import { createMemory } from "./memory.ts";
import type { Piece } from "./piece-list.ts";

/** The search index is no longer what was written: the disk, or somebody, has changed the archive's files. */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
}

/** Gives what `parse` makes of a row. */
export type RowReader = <T>(
  piece: Piece,
  number: number,
  parse: (bytes: Uint8Array<ArrayBuffer>) => T,
) => T;

/** Keeps up to `maxBytes` of what was made of rows. Throws `IndexDamaged`. */
export function createRowReader(
  database: DatabaseSync,
  kind: "page" | "block",
  maxBytes: number,
): RowReader {
  const select = database.prepare(`SELECT bytes FROM index_${kind} WHERE id = ?`);
  const memory = createMemory<unknown>(maxBytes);
  return <T>(piece: Piece, number: number, parse: (bytes: Uint8Array<ArrayBuffer>) => T): T => {
    const id = piece.id * ROWS_OF_A_PIECE + number;
    const known = memory.get(id);
    if (known !== undefined) return known as T; // a row is parsed in one way alone
    const bytes = select.get(id)?.["bytes"];
    if (!(bytes instanceof Uint8Array))
      throw new IndexDamaged(
        `the search index lacks the ${kind} ${number} of its piece ${piece.id}`,
      );
    const parsed = parse(toAligned(bytes));
    memory.set(id, parsed, bytes.byteLength);
    return parsed;
  };
}
