// Connections to a file of any name, with row ids beyond a safe integer; and statements with typed rows.
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

/**
 * SQLite takes a name that begins with "file:" for a URI (https://sqlite.org/uri.html), which no absolute path does.
 */
export const toFileName = (file: string) => resolve(file);

/**
 * As `DatabaseSync`, but only for a file; with the functions of schema/digested.ts and schema/row-sums.ts. A statement that is run reports its numbers as bigints. A statement reports
 * the last inserted row id, also where it is a SAVEPOINT. From 26.8 on Node.js throws ERR_OUT_OF_RANGE if that is not a
 * safe integer, as with the ids of calls (nodejs/node#65177).
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

/** A value as JSON has it. A number that a disk has made too large for that is a text. */
function toJson(value: SQLOutputValue): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

type Given = SQLInputValue[] | [named: Record<string, SQLInputValue>];

/** A statement that gives rows of one shape: the columns that its SQL selects. */
export interface Rows<Row> {
  all(...given: Given): Row[];
  get(...given: Given): Row | undefined;
  iterate(...given: Given): Iterable<Row>;
}

/** By the names of the columns. */
type AnyRow = Record<string, SQLOutputValue>;

/** `Row` is what `sql` selects, which no compiler can tell. */
export function prepareRows<Row = AnyRow>(database: DatabaseSync, sql: string): Rows<Row> {
  return toRows(database.prepare(sql));
}

/** Its integers are read as bigints: the ids of calls are beyond what a number holds. */
export function prepareBig<Row = AnyRow>(database: DatabaseSync, sql: string): Rows<Row> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return toRows(statement);
}

function toRows<Row>(statement: StatementSync): Rows<Row> {
  return statement as unknown as Rows<Row>;
}

// As many values as are asked for at once.
const LIST = 50;

/** Makes a function that reads the rows which have one of some values, with integers as bigints. */
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
