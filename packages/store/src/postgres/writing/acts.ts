// The commands that wrote records, as acts. The rows that they write refer to them.
import type { Writer } from "../../port/access-log.ts";
import type { Act } from "../../port/history.ts";
import { UNKNOWN_WRITER } from "../../values/versions.ts";
import type { Ask } from "../connection.ts";
import { toList } from "../values.ts";
import { isWhole } from "../digested.ts";

export interface ActSource {
  readonly act: () => number;
  /** Writes its row if another row refers to it. Must be called in the same transaction. */
  readonly save: (ask: Ask) => Promise<void>;
}

export async function createActSource(
  ask: Ask,
  { operation, operator, run }: Writer = UNKNOWN_WRITER,
): Promise<ActSource> {
  const [row] = await ask<{ id: number }>(
    "SELECT nextval(pg_get_serial_sequence('act', 'id'))::float8 AS id",
  );
  const id = row?.id ?? 0;
  let isNamed = false;
  return {
    act: () => {
      isNamed = true;
      return id;
    },
    save: async (inner) => {
      if (!isNamed) return;
      await inner(
        `INSERT INTO act (id, at_ms, operation, operator, run)
         VALUES ($1::int8, $2::float8, $3::text, $4::text, $5::text) ON CONFLICT (id) DO NOTHING`,
        [id, Date.now(), operation, operator, run ?? null],
      );
    },
  };
}

/** The acts by their ids, without damaged ones. */
export async function readActs(ask: Ask, ids: Iterable<number>): Promise<ReadonlyMap<number, Act>> {
  const rows = await ask<Omit<Act, "run"> & { id: number; run: string | null }>(
    `SELECT id::float8, at_ms AS "atMs", operation, operator, run FROM act WHERE id = ANY($1::int8[]) AND ${isWhole("act")}`,
    [toList(new Set(ids))],
  );
  return new Map(rows.map(({ id, run, ...act }) => [id, run === null ? act : { ...act, run }]));
}
