// The way of a database from the schema that it has to the newest.
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../files/transaction.ts";

/** How many calls of how many an upgrade has written anew. */
export type OnUpgrade = (done: number, total: number) => void;

/** SQL, or what SQL cannot do. */
export type SchemaStep = string | ((database: DatabaseSync, onUpgrade: OnUpgrade) => void);

/** Brings the database to the newest schema. Throws when it was made by a newer version of this program. */
export function migrate(
  database: DatabaseSync,
  schema: readonly SchemaStep[],
  onUpgrade: OnUpgrade = () => {},
): void {
  const version = readVersion(database);
  if (version > schema.length) {
    throw new Error(
      `the archive has schema ${version}, this program knows up to ${schema.length}: use a newer version`,
    );
  }
  if (version < schema.length) upgrade(database, schema, onUpgrade);
}

// The version is read again with the lock held: another program may be opening the same new archive.
function upgrade(
  database: DatabaseSync,
  schema: readonly SchemaStep[],
  onUpgrade: OnUpgrade,
): void {
  const takeSteps = () => {
    for (const step of schema.slice(readVersion(database)))
      if (typeof step === "string") database.exec(step);
      else step(database, onUpgrade);
    database.exec(`PRAGMA user_version = ${schema.length}`);
  };
  // A table that is replaced would take along what refers to it. To be set before the transaction begins.
  database.exec("PRAGMA foreign_keys = OFF");
  try {
    inTransaction(database, takeSteps);
  } finally {
    database.exec("PRAGMA foreign_keys = ON");
  }
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}
