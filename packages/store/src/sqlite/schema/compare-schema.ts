// Compares the tables, indexes and triggers of a database with those that this program creates. A missing trigger lets rows go unnoticed,
// and an added one may do anything to them.
import { DatabaseSync } from "node:sqlite";
import { readVersion, type Schema } from "./settle-schema.ts";

export interface SchemaFault {
  /** For example "trigger access_kept". */
  readonly name: string;
  readonly fault: "altered" | "missing" | "not of this program";
}

/** Ignores tables of an earlier version: opening the database for writing upgrades them. */
export function listSchemaFaults(database: DatabaseSync, schema: Schema): readonly SchemaFault[] {
  if (readVersion(database) !== schema.version) return [];
  using pattern = new DatabaseSync(":memory:");
  pattern.exec(schema.sql);
  const [made, found] = [readSchema(pattern), readSchema(database)];
  const foreign = [...found.keys()].filter((name) => !made.has(name));
  const altered = [...made].filter(([name, definition]) => found.get(name) !== definition);
  return [
    ...altered.map(([name]) => ({ name, fault: found.has(name) ? "altered" : "missing" }) as const),
    ...foreign.map((name) => ({ name, fault: "not of this program" }) as const),
  ];
}

/** The faults by which a copy may lack rows, named for an operator. An added index or table does not remove any. */
export const listSchemaDamage = (database: DatabaseSync, schema: Schema): readonly string[] =>
  listSchemaFaults(database, schema)
    .filter(({ name, fault }) => fault !== "not of this program" || name.startsWith("trigger "))
    .map(({ name, fault }) => `the ${name} (${fault})`);

/** Definitions by their subject, such as "trigger access_kept". SQLite's own tables and indexes are left out. */
function readSchema(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();
  return new Map(
    rows.map(({ type, name, sql }) => [
      `${String(type)} ${String(name)}`,
      type === "table" ? toTable(toPlain(String(sql))) : toPlain(String(sql)),
    ]),
  );
}

/** Without comments, and with single spaces. */
const toPlain = (sql: string) =>
  sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1");

/** Sorts columns and constraints alphabetically: a column added to an earlier version's table is always the last one. */
function toTable(sql: string): string {
  const [start, end] = [sql.indexOf("(") + 1, sql.lastIndexOf(")")];
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const letter of sql.slice(start, end)) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter !== "," || depth > 0) part += letter;
    else {
      parts.push(part);
      part = "";
    }
  }
  return [sql.slice(0, start), ...[...parts, part].toSorted(), sql.slice(end)].join();
}
