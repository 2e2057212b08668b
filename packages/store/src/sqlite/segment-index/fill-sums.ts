// Computes checksums for segments from an earlier program, which had none.
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { prepareBig } from "../files/connection.ts";
import { type SummedRow, toSumBytes } from "./checksums.ts";
import { ROWS_PER_SEGMENT } from "./layout.ts";

interface Unsummed extends SummedRow {
  readonly id: bigint;
  readonly last_block: bigint | null;
}

/** Must be called in a transaction. A segment that lacks rows gets no checksums, so it counts as damaged from then on. */
export function fillSums(database: DatabaseSync): void {
  const segments = prepareBig<Unsummed>(
    database,
    `SELECT id, calls, first_id, last_id, firsts, first_terms,
       (SELECT max(id) FROM index_block WHERE id < (index_segment.id + 1) * ${ROWS_PER_SEGMENT}) AS last_block
     FROM index_segment WHERE sums IS NULL`,
  ).all();
  const put = database.prepare("UPDATE index_segment SET sums = ? WHERE id = ?");
  for (const row of segments) {
    const pages = row.first_terms.byteLength / Float64Array.BYTES_PER_ELEMENT;
    const blocks = (Number(row.last_block ?? -1) % ROWS_PER_SEGMENT) + 1;
    const page = sumRows(database, "page", { segment: row.id, rows: pages });
    const block = sumRows(database, "block", { segment: row.id, rows: blocks });
    if (page !== undefined && block !== undefined)
      put.run(toSumBytes(row, { page, block }), row.id);
  }
}

/** Undefined if a row is missing. */
function sumRows(
  database: DatabaseSync,
  kind: "page" | "block",
  { segment, rows }: { readonly segment: bigint; readonly rows: number },
): number[] | undefined {
  const first = segment * BigInt(ROWS_PER_SEGMENT);
  const select = prepareBig<{ bytes: Uint8Array }>(
    database,
    `SELECT bytes FROM index_${kind} WHERE id >= ? AND id < ? ORDER BY id`,
  );
  const sums: number[] = [];
  for (const { bytes } of select.iterate(first, first + BigInt(rows))) sums.push(crc32(bytes));
  return sums.length === rows ? sums : undefined;
}
