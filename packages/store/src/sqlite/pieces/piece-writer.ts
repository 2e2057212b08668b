// Writes a piece into the database: its ids, then its terms, as they come.
import type { DatabaseSync } from "node:sqlite";
import {
  ROWS_OF_A_PIECE,
  createPageFiller,
  fitsInPage,
  IDS_OF_A_BLOCK,
  type Run,
  toPlaceBytes,
} from "./layout.ts";

export interface PieceWriter {
  /** In the order of the terms, each with its places, lowest first. */
  add(term: number, run: Run): void;
  end(): void;
}

/** Writes pieces; each is of calls with `ids` in their order, at least one and at most `MAX_CALLS`. */
export function createPieceWriter(database: DatabaseSync): (ids: BigInt64Array) => PieceWriter {
  const insert = database.prepare(
    "INSERT INTO index_piece (calls, first_id, last_id, firsts, first_terms) VALUES (?, ?, ?, ?, x'')",
  );
  const complete = database.prepare("UPDATE index_piece SET first_terms = ? WHERE id = ?");
  const insertInto = (table: string) =>
    database.prepare(`INSERT INTO ${table} (id, bytes) VALUES (?, ?)`);
  // Each a table of its own: among pages, which are full, blocks of any length would leave gaps.
  const insertPage = insertInto("index_page");
  const insertBlock = insertInto("index_block");

  return (ids) => {
    const firsts = ids.filter((_, place) => place % IDS_OF_A_BLOCK === 0);
    const [first = 0n, last = 0n] = [ids.at(0), ids.at(-1)];
    const piece = Number(insert.run(ids.length, first, last, toBytes(firsts)).lastInsertRowid);
    const firstRow = piece * ROWS_OF_A_PIECE;
    let blocks = 0;
    const writeBlock = (bytes: Uint8Array): number => {
      insertBlock.run(firstRow + blocks, bytes);
      blocks += 1;
      return blocks - 1;
    };
    for (let place = 0; place < ids.length; place += IDS_OF_A_BLOCK)
      writeBlock(toBytes(ids.subarray(place, place + IDS_OF_A_BLOCK)));

    const firstTerms: number[] = [];
    const page = createPageFiller();
    const turn = () => {
      const full = page.take();
      if (full === undefined) return;
      insertPage.run(firstRow + firstTerms.length, full.bytes);
      firstTerms.push(full.firstTerm);
    };
    const put = (term: number, run: Run): void => {
      if (page.add(term, run)) return;
      turn();
      page.add(term, run);
    };
    const putElsewhere = (term: number, count: number, block: number): void => {
      if (page.addElsewhere(term, count, block)) return;
      turn();
      page.addElsewhere(term, count, block);
    };
    return {
      add: (term, run) => {
        if (fitsInPage(run)) return put(term, run);
        const block = writeBlock(toPlaceBytes(run, ids.length));
        putElsewhere(term, run.until - run.from, block);
      },
      end: () => {
        turn();
        complete.run(toBytes(Float64Array.from(firstTerms)), piece);
      },
    };
  };
}

function toBytes({ buffer, byteOffset, byteLength }: BigInt64Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
