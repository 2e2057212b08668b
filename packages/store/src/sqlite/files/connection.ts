// Connections to a file: of any name, and with row ids beyond what a number holds on every Node.js that runs this.
import { resolve } from "node:path";
import { DatabaseSync, type DatabaseSyncOptions, type StatementSync } from "node:sqlite";

const READS = /^\s*(?:SELECT|WITH|PRAGMA)\b/i;

/**
 * SQLite takes a name that begins with "file:" for a URI (https://sqlite.org/uri.html), which no absolute path does.
 */
export const toFileName = (file: string) => resolve(file);

/**
 * As `DatabaseSync`, but of a file alone, and what a statement that is run tells of itself is told in bigints. It tells the row id that was
 * inserted last, by whatever statement, also where it is a SAVEPOINT, and from 26.8 on Node.js throws ERR_OUT_OF_RANGE when
 * that is no safe integer, as with the ids of calls (nodejs/node#65177).
 */
export class Connection extends DatabaseSync {
  constructor(file: string, options: DatabaseSyncOptions = {}) {
    super(toFileName(file), options);
  }

  override prepare(...given: Parameters<DatabaseSync["prepare"]>): StatementSync {
    const statement = super.prepare(...given);
    if (!READS.test(given[0])) statement.setReadBigInts(true);
    return statement;
  }
}

/** A statement whose integers are read as bigints: the ids of calls are beyond what a number holds. */
export function prepareBig(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
