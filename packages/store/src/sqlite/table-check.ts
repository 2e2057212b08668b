// Checks what a copy relies on apart from the digests of the records: the names of columns and fields, and the indexes that find records.
import { DatabaseSync } from "node:sqlite";
import { StoreFault } from "../port/faults.ts";
import { HOLD_TABLES } from "../values/holds.ts";
import { LIFE_TABLES } from "../values/versions.ts";
import { listFields } from "./call-row.ts";
import { findFaults } from "./files/integrity.ts";
import { ARCHIVE_SCHEMA } from "./schema/archive-schema.ts";
import { readVersion } from "./schema/settle-schema.ts";
import { readTimeZone } from "./settings.ts";

/** The tables that archives of earlier versions lack. */
const LATER: ReadonlySet<string> = new Set(["row_sum", ...LIFE_TABLES, ...HOLD_TABLES]);

const TABLES = ["call", "call_revision", "recording", "media", "chat", "user", "flag"];

/**
 * Names the tables that do not match their indexes, so that a copy may lack some of their records.
 * Throws `StoreFault` if names are damaged: all records would get wrong ones.
 */
export function listDamagedTables(database: DatabaseSync): readonly string[] {
  const fault = findNameFault(database);
  if (fault !== undefined)
    throw new StoreFault("damaged", `${fault}: restore the last backup into another folder`);
  return TABLES.flatMap((table) => {
    const faults = findFaults(database, table);
    return faults.length === 0 ? [] : `the table ${table} (${faults.join("; ")})`;
  });
}

/** Describes a fault in the names by which records are read. */
export function findNameFault(database: DatabaseSync): string | undefined {
  const [fault = findOtherColumns(database)] = findFaults(database, "record_field");
  return fault === undefined
    ? findSettingFault(database)
    : `the names of the fields are damaged (${fault})`;
}

function findSettingFault(database: DatabaseSync): string | undefined {
  try {
    listFields(database);
    readTimeZone(database);
    return undefined;
  } catch (error) {
    if (error instanceof StoreFault) return error.message;
    throw error;
  }
}

// SQLite ignores the case of column names, but the code that reads rows does not. An archive of an earlier version lacks some columns,
// and one of a later version has more.
function findOtherColumns(database: DatabaseSync): string | undefined {
  using pattern = new DatabaseSync(":memory:");
  pattern.exec(ARCHIVE_SCHEMA.sql);
  const version = readVersion(database) - ARCHIVE_SCHEMA.version;
  const table = listTables(pattern).find((one) => {
    const [found, known] = [listColumns(database, one), listColumns(pattern, one)];
    const isLacking = found.length === 0 && (version >= 0 || !LATER.has(one));
    const isOther = version <= 0 && found.some((column) => !known.includes(column));
    return isLacking || isOther;
  });
  return table === undefined ? undefined : `columns of the table ${table}`;
}

const listTables = (database: DatabaseSync): readonly string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));

const listColumns = (database: DatabaseSync, table: string): readonly string[] =>
  database
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name));
