// The tombstones of an archive in PostgreSQL: see values/tombstones.ts.
import type { StoredTombstone } from "../port/internals.ts";
import type { StoredMark } from "../values/ledger.ts";
import { type Mark, toTombstone, type TombstoneName } from "../values/tombstones.ts";
import { toHex } from "../writing/row-writer.ts";
import type { Ask } from "./connection.ts";
import { isWhole } from "./digested.ts";
import { toList } from "./values.ts";

/** In the form of the ledger. `key`: see `toTombstone`. */
export const toStored =
  (key: string) =>
  ({ name, untilDay }: Mark): StoredMark => [toHex(toTombstone(key, name)), untilDay];

/** As a parameter of a statement. `key`: see `toTombstone`. */
export const createMarker =
  (key: string) =>
  (name: TombstoneName): string =>
    `\\x${toHex(toTombstone(key, name))}`;

interface Burial {
  /** The row of the access log. */
  readonly erasure: number | null;
  /** True if an existing mark keeps its erasure. */
  readonly isKept?: boolean;
}

const OF_EARLIER = "coalesce(tombstone.erasure, excluded.erasure)";

export async function bury(
  ask: Ask,
  marks: readonly StoredMark[],
  { erasure, isKept = false }: Burial,
): Promise<void> {
  if (marks.length === 0) return;
  // A row may have only one of several equal marks: if records of a call are erased together, the mark with the last day. A damaged mark
  // applies to every day from now on, so that nothing erased comes back because of it.
  await ask(
    `INSERT INTO tombstone (mark, until_day, erasure)
     SELECT decode(mark, 'hex'), CASE WHEN bool_or(until IS NULL) THEN NULL ELSE max(until) END, $2::int8
     FROM json_to_recordset($1::text::json) AS given (mark text, until int4) GROUP BY mark
     ON CONFLICT (mark) DO UPDATE SET erasure = ${isKept ? OF_EARLIER : "excluded.erasure"}, digest = NULL,
       until_day = CASE WHEN NOT ${isWhole("tombstone")} OR tombstone.until_day IS NULL THEN NULL WHEN excluded.until_day IS NULL THEN NULL
         ELSE greatest(tombstone.until_day, excluded.until_day) END`,
    [JSON.stringify(marks.map(([mark, until]) => ({ mark, until }))), erasure],
  );
}

/** `marks`: hexadecimal. */
export async function unbury(ask: Ask, marks: Iterable<string>): Promise<void> {
  await ask("DELETE FROM tombstone WHERE mark = ANY($1::bytea[])", [
    toList(Array.from(marks, (mark) => `\\x${mark}`)),
  ]);
}

/** All of them, in batches by the order of their marks. */
export async function* readAllTombstones(ask: Ask): AsyncGenerator<Omit<StoredTombstone, "kind">> {
  for (let after = ""; ;) {
    const rows = await ask<Omit<StoredTombstone, "kind">>(
      `SELECT encode(mark, 'hex') AS mark, until_day AS "untilDay", erasure::float8 FROM tombstone
       WHERE mark > decode($1::text, 'hex') ORDER BY mark LIMIT 1000`,
      [after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.mark;
  }
}

export async function listTombstones(ask: Ask): Promise<readonly StoredMark[]> {
  const marks: StoredMark[] = [];
  for await (const { mark, untilDay } of readAllTombstones(ask)) marks.push([mark, untilDay]);
  return marks;
}
