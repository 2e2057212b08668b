// A digest of what a row has, which is kept beside it: SQLite keeps no checksums, so that a byte that a disk has changed would
// go unseen.
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

export function toTextDigest(text: string): Uint8Array {
  return hash("sha256", text, "buffer").subarray(0, 16);
}

/** Of `values`, which are JSON, and a text that may be long. */
export function toRowDigest(values: readonly unknown[], text = ""): Uint8Array {
  return toTextDigest(JSON.stringify(values) + text);
}

/** Tables whose rows are digested whole, by all of their columns in this order. */
export const DIGESTED = {
  user: ["id", "username", "status", "record"],
  flag: ["id", "type", "user_id", "name_key", "record"],
} as const;

/** Gives the users and flags of an archive of an earlier schema their digests. */
export function digestRows(database: DatabaseSync): void {
  for (const [table, columns] of Object.entries(DIGESTED)) {
    const put = database.prepare(`UPDATE ${table} SET digest = ? WHERE id = ?`);
    for (const row of database.prepare(`SELECT ${columns.join()} FROM ${table}`).all())
      put.run(toRowDigest(columns.map((column) => row[column])), Number(row["id"]));
  }
}
