// Writes a segment into the database: its ids, then its terms, in the given order.
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { toSumBytes } from "./checksums.ts";
import {
  ROWS_PER_SEGMENT,
  createPageFiller,
  fitsInPage,
  IDS_PER_BLOCK,
  type ListRange,
  toPostingBytes,
} from "./layout.ts";

export interface SegmentWriter {
  /** Must be called in the order of the terms, each with its ordinals, lowest first. */
  add(term: number, range: ListRange): void;
  end(): void;
}

/** Writes segments. Each has the calls with `ids` in their order, at least one and at most `MAX_CALLS`. */
export function createSegmentWriter(database: DatabaseSync): (ids: BigInt64Array) => SegmentWriter {
  const insert = database.prepare(
    "INSERT INTO index_segment (calls, first_id, last_id, firsts, first_terms) VALUES (?, ?, ?, ?, x'')",
  );
  const complete = database.prepare(
    "UPDATE index_segment SET first_terms = ?, sums = ? WHERE id = ?",
  );
  const insertInto = (table: string) =>
    database.prepare(`INSERT INTO ${table} (id, bytes) VALUES (?, ?)`);
  // Two tables, because pages are full: blocks of varying length among them would leave gaps.
  const insertPage = insertInto("index_page");
  const insertBlock = insertInto("index_block");

  return (ids) => {
    const firsts = ids.filter((_, ordinal) => ordinal % IDS_PER_BLOCK === 0);
    const [first = 0n, last = 0n] = [ids.at(0), ids.at(-1)];
    const segment = Number(insert.run(ids.length, first, last, toBytes(firsts)).lastInsertRowid);
    const firstRow = segment * ROWS_PER_SEGMENT;
    const sums = { page: [] as number[], block: [] as number[] };
    const writeBlock = (bytes: Uint8Array): number => {
      const block = sums.block.push(crc32(bytes)) - 1;
      insertBlock.run(firstRow + block, bytes);
      return block;
    };
    for (let ordinal = 0; ordinal < ids.length; ordinal += IDS_PER_BLOCK)
      writeBlock(toBytes(ids.subarray(ordinal, ordinal + IDS_PER_BLOCK)));

    const firstTerms: number[] = [];
    const page = createPageFiller();
    const turn = () => {
      const full = page.take();
      if (full === undefined) return;
      insertPage.run(firstRow + firstTerms.length, full.bytes);
      sums.page.push(crc32(full.bytes));
      firstTerms.push(full.firstTerm);
    };
    const put = (term: number, range: ListRange): void => {
      if (page.add(term, range)) return;
      turn();
      page.add(term, range);
    };
    const putElsewhere = (term: number, count: number, block: number): void => {
      if (page.addElsewhere(term, count, block)) return;
      turn();
      page.addElsewhere(term, count, block);
    };
    return {
      add: (term, range) => {
        if (fitsInPage(range)) return put(term, range);
        const block = writeBlock(toPostingBytes(range, ids.length));
        putElsewhere(term, range.until - range.from, block);
      },
      end: () => {
        turn();
        const first_terms = toBytes(Float64Array.from(firstTerms));
        const row = { calls: ids.length, first_id: first, last_id: last, firsts: toBytes(firsts) };
        complete.run(first_terms, toSumBytes({ ...row, first_terms }, sums), segment);
      },
    };
  };
}

function toBytes({ buffer, byteOffset, byteLength }: BigInt64Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
