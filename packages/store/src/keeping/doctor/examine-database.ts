// A database file of an archive: whether it is one, of a schema that is known, and whole.
import { existsSync, openSync, closeSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isBackup } from "../../sqlite/files/database.ts";
import { isOfFullDisk } from "../../sqlite/files/full-disk.ts";
import { openReadOnly } from "../open-archive.ts";
import { error, type Finding, RESTORE, warning } from "./finding.ts";

const UPGRADE =
  'make a backup by the earlier version, to be able to go back to it; then run any command that opens the archive, such as "user list": it is brought up to date';
const RENEW =
  'it can be restored, but not examined: make the backup again, or restore it into another folder ("restore") and open it there, such as by "user list"';

// https://sqlite.org/fileformat2.html, section 1.3
const HEADER = "SQLite format 3\0";

export interface Examined extends Disposable {
  readonly findings: readonly Finding[];
  /** Open for reading when it can be looked into. */
  readonly database: DatabaseSync | undefined;
}

/** `newestSchema`: the last one that this program knows. */
export function examineDatabase(file: string, newestSchema: number): Examined {
  const header = examineHeader(file);
  if (header !== undefined) return toExamined([header]);
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(file);
    const findings = examineContent(database, file, newestSchema);
    return toExamined(findings, findings.length === 0 ? database : undefined, database);
  } catch (fault) {
    return toExamined([toUnreadable(fault, file)], undefined, database);
  }
}

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

function examineContent(database: DatabaseSync, file: string, newestSchema: number): Finding[] {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version > newestSchema)
    return [
      error(
        `it has schema ${version}, this program knows up to ${newestSchema}`,
        file,
        "use the version of the program that wrote it, or a newer one",
      ),
    ];
  if (version < newestSchema)
    return [
      warning(
        `it has schema ${version}, this program writes ${newestSchema}`,
        file,
        isBackup(dirname(file)) ? RENEW : UPGRADE,
      ),
    ];
  const faults = database
    .prepare("PRAGMA integrity_check(3)")
    .all()
    .flatMap((row) => String(row["integrity_check"]).split("\n"))
    .filter((line) => !line.startsWith("***")); // the head of a list
  if (faults[0] !== "ok") return [error(`it is damaged: ${faults.join("; ")}`, file, RESTORE)];
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
