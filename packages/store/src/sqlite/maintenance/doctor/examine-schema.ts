// The tables, indexes and triggers of a database, compared with those that this program makes: without a trigger rows go unnoticed, and a
// trigger of others may do anything to them.
import { DatabaseSync } from "node:sqlite";
import { readVersion, type Schema } from "../../schema/settle-schema.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

/** Of one with the tables of an earlier version nothing is said: whoever opens it to write brings them up to date. */
export function examineSchema(database: DatabaseSync, file: string, schema: Schema): Finding[] {
  if (readVersion(database) !== schema.version) return [];
  using pattern = new DatabaseSync(":memory:");
  pattern.exec(schema.sql);
  const [made, found] = [readSchema(pattern), readSchema(database)];
  const foreign = [...found.keys()].filter((name) => !made.has(name));
  const altered = [...made].flatMap(([name, definition]) =>
    found.get(name) === definition
      ? []
      : `the ${name} is ${found.has(name) ? "altered" : "missing"}`,
  );
  return [
    ...altered.map((what) => error(what, file, RESTORE)),
    ...foreign.map((name) => error(`the ${name} is not of this program`, file, REMOVE)),
  ];
}

const REMOVE = "find out who made it and what it does, and remove it";

/** Definitions by what they are of, such as "trigger access_kept". SQLite's own tables and indexes have none of ours. */
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

/** Without comments, and with single blanks. */
const toPlain = (sql: string) =>
  sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1");

/** Columns and constraints in the order of their letters: a column that an earlier version lacked is the last one. */
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
