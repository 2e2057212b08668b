// The ids that calls get, and the spans of time that have any: see values/order-key.ts and span.ts.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig } from "../files/connection.ts";
import { FIRST_DATED_ID, LAST_UNDATED_ID, toFirstId, toLastId } from "../../values/order-key.ts";
import { toSpan } from "../span.ts";
import { RowRejected } from "../../values/row-rejected.ts";

export function createIdSource(database: DatabaseSync) {
  const lowest = prepareBig(database, "SELECT min(id) AS id FROM call WHERE id >= ? AND id <= ?");
  const lowestUndated = prepareBig(database, "SELECT min(id) AS id FROM call WHERE id < ?");
  const idOf = (row: Record<string, unknown> | undefined) =>
    typeof row?.["id"] === "bigint" ? row["id"] : undefined;

  return {
    next: (instantMs: number | undefined): bigint => {
      if (instantMs === undefined)
        return (idOf(lowestUndated.get(FIRST_DATED_ID)) ?? LAST_UNDATED_ID + 1n) - 1n;
      const first = toFirstId(instantMs);
      const id = (idOf(lowest.get(first, toLastId(instantMs))) ?? toLastId(instantMs) + 1n) - 1n;
      if (id < first)
        throw new RowRejected(
          "datetime: the archive holds 1,048,576 calls of this very millisecond already",
        );
      return id;
    },
  };
}

/** Tells look-ups by reference where there are calls. */
export function createSpanWriter(database: DatabaseSync) {
  const insert = database.prepare("INSERT OR IGNORE INTO call_span (number) VALUES (?)");
  const known = new Set<bigint>();
  return {
    add: (id: bigint) => {
      const span = toSpan(id);
      if (known.has(span)) return;
      insert.run(span);
      known.add(span);
    },
    /** After a transaction was undone. */
    forget: () => known.clear(),
  };
}
