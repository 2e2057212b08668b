// Opens connections to a file of any name, with row ids larger than a safe integer. Prepares statements with typed rows.
import { resolve } from "node:path";
import {
  DatabaseSync,
  type DatabaseSyncOptions,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";

import { toRowDigest } from "../../values/row-digest.ts";
import { toDigestNumber } from "../../values/row-sums.ts";

const READS = /^\s*(?:SELECT|WITH|PRAGMA)\b/i;

/** SQLite treats a name that begins with "file:" as a URI (https://sqlite.org/uri.html); no absolute path does. */
export const toFileName = (file: string) => resolve(file);

/**
 * Like `DatabaseSync`, but only for a file, and with the functions of schema/digested.ts and schema/row-sums.ts. A statement that is run
 * reports its numbers as bigints. It reports the last inserted row id, even for a SAVEPOINT. Since 26.8 Node.js throws ERR_OUT_OF_RANGE
 * if that is not a safe integer, as with the ids of calls (nodejs/node#65177).
 */
export class Connection extends DatabaseSync {
  constructor(file: string, options: DatabaseSyncOptions = {}) {
    super(toFileName(file), options);
    this.function("row_digest", DIGEST_OPTIONS, (...values) => toRowDigest(values.map(toJson)));
    this.function("digest_number", { deterministic: true }, toDigestNumber);
  }

  override prepare(...given: Parameters<DatabaseSync["prepare"]>): StatementSync {
    const statement = super.prepare(...given);
    if (!READS.test(given[0])) statement.setReadBigInts(true);
    return statement;
  }
}

const DIGEST_OPTIONS = { deterministic: true, varargs: true, useBigIntArguments: true };

/** A value as JSON. A number that damage has made too large for JSON becomes a text. */
function toJson(value: SQLOutputValue): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

type Given = SQLInputValue[] | [named: Record<string, SQLInputValue>];

/** A statement that returns rows of one shape: the columns that its SQL selects. */
export interface Rows<Row> {
  all(...given: Given): Row[];
  get(...given: Given): Row | undefined;
  iterate(...given: Given): Iterable<Row>;
}

/** By the names of the columns. */
type AnyRow = Record<string, SQLOutputValue>;

/** `Row` describes the columns that `sql` selects; the compiler cannot check it. */
export function prepareRows<Row = AnyRow>(database: DatabaseSync, sql: string): Rows<Row> {
  return toRows(database.prepare(sql));
}

/** Integers are read as bigints: the ids of calls exceed the range of a number. */
export function prepareBig<Row = AnyRow>(database: DatabaseSync, sql: string): Rows<Row> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return toRows(statement);
}

function toRows<Row>(statement: StatementSync): Rows<Row> {
  return statement as unknown as Rows<Row>;
}

// The number of values in one statement.
const LIST = 50;

/** Makes a function that reads the rows with one of some values; integers are bigints. */
export function createListReader<Row>(database: DatabaseSync, toSql: (list: string) => string) {
  const select = prepareBig<Row>(database, toSql(`(${Array(LIST).fill("?").join()})`));
  return (values: readonly SQLInputValue[]): Row[] => {
    const rows: Row[] = [];
    for (let at = 0; at < values.length; at += LIST)
      rows.push(
        ...select.all(...Array.from({ length: LIST }, (_, index) => values[at + index] ?? null)),
      );
    return rows;
  };
}
