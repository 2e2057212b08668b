// Examines a database file of an archive: whether it is a database, has the schema of this program, and is intact.
import { existsSync, openSync, closeSync, readSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { isOfFullDisk } from "../../files/full-disk.ts";
import { findFaults } from "../../files/integrity.ts";
import { listSchemaFaults } from "../../schema/compare-schema.ts";
import { EXPORT_FIRST, isUsable, readVersion, type Schema } from "../../schema/settle-schema.ts";
import { openReadOnly } from "../open-archive.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

// https://sqlite.org/fileformat2.html, section 1.3
const HEADER = "SQLite format 3\0";

export interface Examined extends Disposable {
  readonly findings: readonly Finding[];
  /** Open for reading if it can be read. */
  readonly database: DatabaseSync | undefined;
}

/** `schema`: the one that this program uses. */
export function examineDatabase(file: string, schema: Schema): Examined {
  const header = examineHeader(file);
  if (header !== undefined) return toExamined([header]);
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(file);
    const findings = examineContent(database, file, schema);
    if (findings.length > 0) return toExamined(findings, undefined, database);
    const altered = listSchemaFaults(database, schema);
    // Other missing or added parts do not keep the tables from being read.
    const canBeRead = !altered.some(({ name }) => name.startsWith("table "));
    const schemaFindings = altered.map(({ name, fault }) =>
      error(`the ${name} is ${fault}`, file, fault === "not of this program" ? REMOVE : RESTORE),
    );
    return toExamined(schemaFindings, canBeRead ? database : undefined, database);
  } catch (fault) {
    return toExamined([toUnreadable(fault, file)], undefined, database);
  }
}

const REMOVE = "find out who made it and what it does, and remove it";

function toUnreadable(fault: unknown, file: string): Finding {
  if (isOfFullDisk(fault, file))
    return error(
      "it cannot be read: the disk is full",
      file,
      "make room and run doctor again: nothing is known of its content yet",
    );
  const message = fault instanceof Error ? fault.message : String(fault);
  return error(`it cannot be read: ${message}`, file, RESTORE);
}

function toExamined(
  findings: readonly Finding[],
  database?: DatabaseSync,
  opened = database,
): Examined {
  return { findings, database, [Symbol.dispose]: () => opened?.close() };
}

function examineHeader(file: string): Finding | undefined {
  if (!existsSync(file)) return undefined;
  if (statSync(file).size === 0) return error("the file is empty", file, RESTORE);
  const header = Buffer.alloc(HEADER.length);
  const descriptor = openSync(file, "r");
  readSync(descriptor, header);
  closeSync(descriptor);
  if (header.toString("latin1") === HEADER) return undefined;
  return error("this is no SQLite database", file, RESTORE);
}

function examineContent(database: DatabaseSync, file: string, schema: Schema): Finding[] {
  if (!isUsable(database, schema)) {
    const fault = `it has schema ${readVersion(database)}, and this program uses ${schema.version}`;
    return [error(fault, file, EXPORT_FIRST)];
  }
  const faults = findFaults(database);
  if (faults.length > 0) return [error(`it is damaged: ${faults.join("; ")}`, file, RESTORE)];
  return examineReferences(database, file);
}

function examineReferences(database: DatabaseSync, file: string): Finding[] {
  const tables = new Map<string, number>();
  for (const row of database.prepare("PRAGMA foreign_key_check").iterate()) {
    const name = `${String(row["table"])} to ${String(row["parent"])}`;
    tables.set(name, (tables.get(name) ?? 0) + 1);
  }
  return [...tables].map(([name, rows]) =>
    error(`${rows} rows point to what is not there: ${name}`, file, RESTORE),
  );
}
