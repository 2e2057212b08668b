// The settings of an archive: single values, each stored under its name.
import type { DatabaseSync } from "node:sqlite";
import { checkTimeZone } from "../values/stored-settings.ts";

/** Every archive has these from its beginning. */
type Name = "archive_id" | "index_seed" | "time_zone" | "tombstone_key";

export function readSetting(database: DatabaseSync, name: Name): string {
  return String(findSetting(database, name));
}

/** Of the archive's days. Throws `StoreFault` if it is damaged. */
export const readTimeZone = (database: DatabaseSync): string =>
  checkTimeZone(readSetting(database, "time_zone"));

/** Undefined for one that the archive does not have. */
export function findSetting(database: DatabaseSync, name: string): string | undefined {
  const row = database.prepare("SELECT value FROM setting WHERE name = ?").get(name);
  return row?.["value"]?.toString();
}
