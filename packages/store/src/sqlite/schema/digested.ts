// The tables whose rows have a digest of all their other columns. SQLite keeps no checksums, and in these tables a changed bit would
// grant rights, bring erased calls back, or alter every record.
import type { DatabaseSync } from "node:sqlite";
import { hasColumn } from "./has-column.ts";

/**
 * The columns that the digest covers, in this order (of `media` without the state of a file). Each connection computes it with the
 * function `row_digest`.
 */
export const DIGESTED = {
  setting: ["name", "value"],
  record_field: ["place", "name"],
  call_span: ["number"],
  call_revision: ["call_id", "revised_ms"],
  media: ["sha256", "bytes", "path", "sound"],
  tombstone: ["mark", "until_day", "erasure"],
  act: ["id", "at_ms", "operation", "operator", "run"],
  version: ["id", "kind", "name", "identity", "state", "act", "until", "is_whole", "was"],
  version_recording: ["version", "part", "filename", "start_ms", "sha256", "type", "modified_ms"],
  hold: ["name", "reason", "asked", "act"],
  held: ["hold", "call_id"],
  owed: ["call_id", "reason"],
  owed_reference: ["reference", "reason"],
  application: ["secret_id", "key_hash", "user_id", "created_ms", "revoked_ms"],
  bearer: [
    "hash",
    "id",
    "kind",
    "user_id",
    "secret_id",
    "key_id",
    "created_ms",
    "expires_ms",
    "revoked_ms",
  ],
} as const;

export type DigestedTable = keyof typeof DIGESTED;

/** SQL: the digest that a row must have. `values`: SQL for columns that are not set yet. */
export const toDigest = (
  table: DigestedTable,
  values: Readonly<Record<string, string>> = {},
  name: string = table,
): string =>
  `row_digest(${DIGESTED[table].map((column) => values[column] ?? `${name}.${column}`).join()})`;

/** SQL: the digest that a row had before these columns were added to the table. */
export const toDigestWithout = (table: DigestedTable, added: readonly string[]): string =>
  `row_digest(${DIGESTED[table].filter((column) => !added.includes(column)).join()})`;

/** SQL: true if a row is undamaged. `name`: of the table in the statement. */
export const isWhole = (table: DigestedTable, name: string = table): string =>
  `${name}.digest IS ${toDigest(table, {}, name)}`;

/** SQL: the digest of a row that gets other values. A damaged row keeps its digest, so it stays damaged. */
export const toNextDigest = (
  table: DigestedTable,
  values: Readonly<Record<string, string>>,
): string => `iif(${isWhole(table)}, ${toDigest(table, values)}, ${table}.digest)`;

/** SQL that writes a row; its values have the names of the columns above. */
export function toInsert(table: DigestedTable, end = ""): string {
  const columns = DIGESTED[table];
  const values = columns.map((column) => `:${column}`).join();
  return `INSERT INTO ${table} (${columns.join()}, digest) VALUES (${values}, row_digest(${values})) ${end}`;
}

/** The same, replacing a row with the same key. */
export const toReplace = (table: DigestedTable): string =>
  toInsert(table).replace("INSERT", "INSERT OR REPLACE");

/** Like `isWhole`. A backup from an earlier version has no digests, or digests of fewer columns. */
export const isWholeIn = (database: DatabaseSync, table: DigestedTable): string =>
  [...DIGESTED[table], "digest"].every((column) => hasColumn(database, table, column))
    ? isWhole(table)
    : "TRUE";
