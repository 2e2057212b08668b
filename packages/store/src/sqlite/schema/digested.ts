// The tables whose rows have a digest of all their other columns: SQLite keeps no checksums, and in these a changed bit gives rights,
// lets erased calls back, or makes other records of all there are.
import type { DatabaseSync } from "node:sqlite";
import { hasColumn } from "./has-column.ts";

/** In this order their digest is made of them (of `media` without the state of a file), by the function `row_digest` of each connection. */
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
  owed: ["call_id"],
  owed_reference: ["reference"],
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

/** SQL: the digest that a row has to have. `values`: SQL for columns that it does not have yet. */
export const toDigest = (
  table: DigestedTable,
  values: Readonly<Record<string, string>> = {},
  name: string = table,
): string =>
  `row_digest(${DIGESTED[table].map((column) => values[column] ?? `${name}.${column}`).join()})`;

/** SQL: the digest that a row had before the table got these columns. */
export const toDigestWithout = (table: DigestedTable, added: readonly string[]): string =>
  `row_digest(${DIGESTED[table].filter((column) => !added.includes(column)).join()})`;

/** SQL: whether a row is what was written. `name`: of the table in the statement. */
export const isWhole = (table: DigestedTable, name: string = table): string =>
  `${name}.digest IS ${toDigest(table, {}, name)}`;

/** SQL: the digest of a row that gets other values. One that is damaged keeps its own, and stays so. */
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

/** The same, in place of one with the same key. */
export const toReplace = (table: DigestedTable): string =>
  toInsert(table).replace("INSERT", "INSERT OR REPLACE");

/** As `isWhole`; a backup that an earlier version made has no digests, or digests of fewer columns. */
export const isWholeIn = (database: DatabaseSync, table: DigestedTable): string =>
  [...DIGESTED[table], "digest"].every((column) => hasColumn(database, table, column))
    ? isWhole(table)
    : "TRUE";
