// The commands that wrote records, as acts. The rows that they write refer to them.
import type { DatabaseSync } from "node:sqlite";
import type { Writer } from "../../port/access-log.ts";
import type { Act } from "../../port/history.ts";
import { UNKNOWN_WRITER } from "../../values/versions.ts";
import { prepareRows } from "../files/connection.ts";
import { isWholeIn, toInsert } from "../schema/digested.ts";

/** Makes a function that returns the act of the writer. The act's row is written with the first change, so never if nothing changes. */
export function createActSource(
  database: DatabaseSync,
  { operation, operator, run = null }: WriterRow = UNKNOWN_WRITER,
): () => number {
  const last = prepareRows<{ id: number }>(database, "SELECT ifnull(max(id), 0) AS id FROM act");
  const insert = database.prepare(toInsert("act"));
  let known: number | undefined;
  return () => {
    if (known !== undefined) return known;
    const id = (last.get()?.id ?? 0) + 1;
    insert.run({ id, at_ms: Date.now(), operation, operator, run });
    return (known = id);
  };
}

type WriterRow = Pick<Writer, "operation" | "operator"> & { readonly run?: string | null };

interface ActRow extends Omit<Act, "run"> {
  readonly id: number;
  readonly run: string | null;
}

/** The acts by their ids, without damaged ones. */
export function readActs(database: DatabaseSync, ids: Iterable<number>): ReadonlyMap<number, Act> {
  const select = prepareRows<ActRow>(
    database,
    `SELECT id, at_ms AS atMs, operation, operator, run FROM act
     WHERE id IN (SELECT value FROM json_each(?)) AND ${isWholeIn(database, "act")}`,
  );
  const rows = select.all(JSON.stringify([...new Set(ids)]));
  return new Map(rows.map(({ id, run, ...act }) => [id, run === null ? act : { ...act, run }]));
}
