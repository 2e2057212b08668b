// The settings of an archive: single values, each stored under its name.
import type { DatabaseSync } from "node:sqlite";
import { nameDigested, notAsWritten } from "../values/damaged-records.ts";
import { checkMigrated } from "../values/half-migrated.ts";
import { checkTimeZone } from "../values/stored-settings.ts";
import { isWholeIn, toReplace } from "./schema/digested.ts";

/** Every archive has these from the start. */
type Name = "archive_id" | "index_seed" | "time_zone" | "tombstone_key";

/** Throws `StoreFault` as `findSetting` does, and if the setting is missing. */
export function readSetting(database: DatabaseSync, name: Name): string {
  const value = findSetting(database, name);
  if (value === undefined) throw toFault(name);
  return value;
}

/** The time zone of the archive's days. Throws `StoreFault` if it is damaged. */
export const readTimeZone = (database: DatabaseSync): string =>
  checkTimeZone(readSetting(database, "time_zone"));

/** Undefined if the archive does not have the setting. Throws `StoreFault` if it is damaged. */
export function findSetting(database: DatabaseSync, name: string): string | undefined {
  const row = database
    .prepare(`SELECT value, ${isWholeIn(database, "setting")} AS whole FROM setting WHERE name = ?`)
    .get(name);
  if (row !== undefined && row["whole"] !== 1) throw toFault(name);
  return row?.["value"]?.toString();
}

const toFault = (name: string) => notAsWritten(nameDigested("setting", { name }));

/** Throws `ArchiveError` for an archive that a migration has begun to fill. */
export const checkMigratedIn = (database: DatabaseSync): void =>
  checkMigrated(findSetting(database, "migrating"));

export function putSetting(database: DatabaseSync, name: string, value: string): void {
  database.prepare(toReplace("setting")).run({ name, value });
}

export const removeSetting = (database: DatabaseSync, name: string): void =>
  void database.prepare("DELETE FROM setting WHERE name = ?").run(name);
