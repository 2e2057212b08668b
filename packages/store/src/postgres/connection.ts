// The connections to PostgreSQL: two pools that keep no state of a session, and their transactions.
import type { Sql, TransactionSql } from "postgres";
import { StoreFault } from "../port/faults.ts";
import { connect, KNOWN_SETTINGS, type Settings, SETTINGS } from "./connect.ts";
import {
  hasCode,
  isOfConnection,
  PROTOCOL_VIOLATION,
  READ_ONLY,
  toStoreFault,
  WRONG_PASSWORD,
} from "./faults.ts";
import type { Found } from "./password-file.ts";
import { createSlots } from "./slots.ts";
import { toParameter, type Value } from "./values.ts";

/** Runs a statement and gives its rows; int8 comes as text. Its values stand in the text as $1, $2 with their types. */
export type Ask = <Row extends object>(
  text: string,
  values?: readonly Value[],
) => Promise<readonly Row[]>;

/** A transaction that is open. */
export interface Transaction {
  readonly ask: Ask;
  /** Several statements without values. */
  readonly run: (statements: string) => Promise<void>;
  /** The rows as COPY takes them: fields of `toCopyRow`. */
  readonly copy: (into: string, rows: readonly string[]) => Promise<void>;
  /** No statement of `work` may take longer than `statementMs`. What it throws undoes what it did, and no more. */
  readonly attempt: <T>(
    work: (inner: Transaction) => Promise<T>,
    statementMs: number,
  ) => Promise<T>;
  /** The rows in parts of so many, which are read one after the other. */
  readonly cursor: <Row extends object>(
    text: string,
    values: readonly Value[],
    rows: number,
  ) => AsyncIterable<readonly Row[]>;
}

export interface Pool {
  /** One statement that reads, or writes what no sum counts; a transaction of its own. `deadlineMs`: see `TransactOptions`. */
  readonly ask: <Row extends object>(
    text: string,
    values?: readonly Value[],
    deadlineMs?: number,
  ) => Promise<readonly Row[]>;
  /** `begin`: what stands after BEGIN, such as READ ONLY. What `work` throws undoes all of it. */
  readonly transact: <T>(
    work: (transaction: Transaction) => Promise<T>,
    options?: TransactOptions,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface TransactOptions {
  readonly begin?: string;
  /** For work that takes its time: an import, a scan. Default no. */
  readonly isLong?: boolean;
  /** How long it may take by this program's clock; what has not ended by then is undone. Default: longer than any statement may. */
  readonly deadlineMs?: number;
}

/** Everything that is read in it is of one state. */
export const SNAPSHOT: TransactOptions = { begin: "ISOLATION LEVEL REPEATABLE READ READ ONLY" };

export interface Connections extends AsyncDisposable {
  /** Searches and look-ups. */
  readonly read: Pool;
  /** Everything that writes, and all that has to be of this moment: credentials, the access log, imports. */
  readonly write: Pool;
}

const READ_SLOTS = 10;
const WRITE_SLOTS = 4;

// A pool without a free connection for so long has more to do than it can.
const WAIT_MS = 2_000;

// Long work of this program waits for its own kind as long as for locks of others: an import has two connections, one for each batch.
const LONG_WAIT_MS = 30_000;

// By this program's clock: a server that stands still answers nothing, and its own limits stand still with it.
const DEADLINE_MS = 12_000;

// By the server's. Set in each transaction: PgBouncer keeps no settings of a connection, and refuses some at its start.
const STATEMENT_MS = 9_000;

// What a transaction of this program writes counts for the sums of the rows: see schema/migrations.ts.
const COUNTS = "SET LOCAL call_media.counts = on";

const LIMITS = limit({
  statement_timeout: STATEMENT_MS,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 5_000,
});
const LONG_LIMITS = limit({
  statement_timeout: 0,
  lock_timeout: LONG_WAIT_MS,
  idle_in_transaction_session_timeout: 0,
});

function limit(ms: Readonly<Record<string, number>>): string {
  const settings = Object.entries(ms).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
  return [...settings, "SET LOCAL jit = off", COUNTS].join("; ");
}

/** `address`: postgres://user@host/database. Opens nothing yet. Throws `ArchiveError` for an address that is none. */
export function openConnections(address: string): Connections {
  const read = openPool(address, READ_SLOTS);
  const write = openPool(address, WRITE_SLOTS);
  return {
    read,
    write,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([read.close(), write.close()]);
    },
  };
}

/** `address`, and what it throws: see `openConnections`. */
export function openPool(address: string, slots: number): Pool {
  const takeSlot = createSlots(slots);
  let unread: string | undefined;
  const onPassword = (file: Found) => (unread = file.unread);
  let settings: Settings = SETTINGS;
  let sql = connect(address, slots, { settings, onPassword });
  // A server that became a standby takes no writes, nor do the connections that are left to it; one that has vanished would
  // keep those that wait for it for a quarter of an hour.
  const renew = () => {
    void sql.end({ timeout: 5 }).catch(() => {});
    sql = connect(address, slots, { settings, onPassword });
  };
  /** True where a pooler has refused settings that it does not know: nothing was done yet. */
  const hasRefused = (error: unknown, on: Sql): boolean => {
    const isRefused =
      hasCode(error, PROTOCOL_VIOLATION) && String(error).includes("startup parameter");
    if (!isRefused || (on === sql && settings === KNOWN_SETTINGS)) return false;
    settings = KNOWN_SETTINGS;
    if (on === sql) renew();
    return true;
  };
  const run = async <T>(
    work: (sql: Sql, checkInTime: () => void) => Promise<T>,
    deadlineMs: number | undefined,
  ): Promise<T> => {
    const release = await takeSlot(deadlineMs === undefined ? LONG_WAIT_MS : WAIT_MS);
    const on = sql;
    let late: StoreFault | undefined;
    const checkInTime = () => {
      if (late !== undefined) throw late;
    };
    const done = work(on, checkInTime).finally(release);
    try {
      return await (deadlineMs === undefined
        ? done
        : beforeDeadline(done, deadlineMs, (fault) => (late = fault)));
    } catch (error) {
      if (hasRefused(error, on)) return await run(work, deadlineMs);
      if ((late !== undefined || hasCode(error, READ_ONLY)) && on === sql) renew();
      throw toStoreFault(error, hasCode(error, WRONG_PASSWORD) ? unread : undefined);
    }
  };
  return {
    ask: (text, values, deadlineMs = DEADLINE_MS) =>
      run((on) => askOn(on, text, values), deadlineMs),
    transact: (work, { begin = "", isLong = false, deadlineMs = DEADLINE_MS } = {}) =>
      run(
        (on, checkInTime) =>
          beginOn(on, begin, async (transaction) => {
            await transaction.unsafe(isLong ? LONG_LIMITS : LIMITS).simple();
            const done = await work(toTransaction(transaction, checkInTime));
            checkInTime();
            return done;
          }),
        isLong ? undefined : deadlineMs,
      ),
    close: () => sql.end({ timeout: 5 }),
  };
}

/**
 * postgres.js sends COMMIT or ROLLBACK also when the connection is gone, and the write to no socket ends the program. So `work` never
 * comes to an end then; what is returned does.
 */
async function beginOn<T>(
  on: Sql,
  begin: string,
  work: (sql: TransactionSql) => Promise<T>,
): Promise<T> {
  let isOver = false;
  const never = new Promise<never>(() => {});
  const whole = on.begin(begin, async (sql) => {
    try {
      // Wrapped, or postgres.js would take a list for one of promises.
      const done = { done: await work(sql) };
      return isOver ? await never : done;
    } catch (error) {
      if (isOver || isOfConnection(error)) return await never;
      throw error;
    }
  });
  try {
    return (await whole).done;
  } finally {
    isOver = true;
  }
}

async function askOn<Row extends object>(
  sql: Sql | TransactionSql,
  text: string,
  values: readonly Value[] = [],
): Promise<readonly Row[]> {
  return await sql.unsafe<Row[]>(text, values.map(toParameter));
}

/** Statements that come after the deadline are not sent, so that what was given up is undone. */
function toTransaction(sql: TransactionSql, checkInTime: () => void): Transaction {
  return {
    ask: async (text, values) => {
      checkInTime();
      return await askOn(sql, text, values);
    },
    run: async (statements) => void (await sql.unsafe(statements).simple()),
    copy: async (into, rows) => {
      if (rows.length === 0) return;
      const stream = await sql.unsafe(`COPY ${into} FROM STDIN`).writable();
      await new Promise<void>((resolve, reject) => {
        stream.on("error", reject).on("finish", resolve).end(rows.join(""));
      });
    },
    attempt: async (work, statementMs) => {
      const limitTo = (ms: number) => sql.unsafe(limit({ statement_timeout: ms })).simple();
      // Wrapped, or postgres.js would take a list for one of promises.
      const toDone = async (inner: TransactionSql) => ({
        done: await work(toTransaction(inner, checkInTime)),
      });
      await limitTo(statementMs);
      try {
        return (await sql.savepoint(toDone)).done;
      } finally {
        await limitTo(STATEMENT_MS);
      }
    },
    cursor: (text, values, rows) => sql.unsafe<never[]>(text, values.map(toParameter)).cursor(rows),
  };
}

async function beforeDeadline<T>(
  work: Promise<T>,
  deadlineMs: number,
  onLate: (fault: StoreFault) => void,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const fault = new StoreFault("unavailable", "the database does not answer");
    onLate(fault);
    reject(fault);
  }, deadlineMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
