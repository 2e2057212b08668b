// The totals of all imports, stored in the archive because each import is a separate process.
import type { DatabaseSync } from "node:sqlite";
import type { ImportedRows, Outcome } from "../../port/index.ts";
import { toTotal } from "../../values/import-totals.ts";
import { findSetting, putSetting } from "../settings.ts";

const NAMES = {
  imported: "rows_imported",
  replaced: "rows_replaced",
  unchanged: "rows_unchanged",
  erased: "rows_erased",
  rejected: "rows_rejected",
} as const satisfies Record<keyof ImportedRows, string>;

type Kind = keyof typeof NAMES;

/** Adds a batch, within the transaction that writes its rows. `refused` rows were rejected before that. */
export function createTotalsWriter(database: DatabaseSync) {
  const add = (name: string, rows: number) =>
    putSetting(database, name, String(Number(findSetting(database, name) ?? 0) + rows));
  return (outcomes: readonly Outcome[], refused: number): void => {
    const totals = { imported: 0, replaced: 0, unchanged: 0, erased: 0, rejected: refused };
    for (const outcome of outcomes) totals[toTotal(outcome)] += 1;
    for (const kind of Object.keys(NAMES) as Kind[])
      if (totals[kind] > 0) add(NAMES[kind], totals[kind]); // the keys of the table
  };
}

export function createTotalsReader(database: DatabaseSync): () => ImportedRows {
  const read = (kind: Kind) => Number(findSetting(database, NAMES[kind]) ?? 0);
  return () => ({
    imported: read("imported"),
    replaced: read("replaced"),
    unchanged: read("unchanged"),
    erased: read("erased"),
    rejected: read("rejected"),
  });
}
