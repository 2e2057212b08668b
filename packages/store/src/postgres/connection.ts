// The connections to PostgreSQL: two pools that keep no session state, and their transactions.
import type { Sql, TransactionSql } from "postgres";
import { StoreFault } from "../port/faults.ts";
import { connect, KNOWN_SETTINGS, type Settings, SETTINGS } from "./connect.ts";
import {
  FaultElsewhere,
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

/** Runs a statement and returns its rows; int8 is returned as text. Values appear in the text as $1, $2 with their types. */
export type Ask = <Row extends object>(
  text: string,
  values?: readonly Value[],
) => Promise<readonly Row[]>;

/** An open transaction. */
export interface Transaction {
  readonly ask: Ask;
  /** Several statements without values. */
  readonly run: (statements: string) => Promise<void>;
  /** The rows in COPY format: fields from `toCopyRow`. */
  readonly copy: (into: string, rows: readonly string[]) => Promise<void>;
  /** No statement of `work` may take longer than `statementMs`. An error rolls back only `work`. */
  readonly attempt: <T>(
    work: (inner: Transaction) => Promise<T>,
    statementMs: number,
  ) => Promise<T>;
  /** The result in parts of `rows` rows, read sequentially. */
  readonly cursor: <Row extends object>(
    text: string,
    values: readonly Value[],
    rows: number,
  ) => AsyncIterable<readonly Row[]>;
}

export interface Pool {
  /** One statement in its own transaction: a read, or a write that no sum counts. `deadlineMs`: see `TransactOptions`. */
  readonly ask: <Row extends object>(
    text: string,
    values?: readonly Value[],
    deadlineMs?: number,
  ) => Promise<readonly Row[]>;
  /** `begin`: the text after BEGIN, such as READ ONLY. An error in `work` rolls everything back. */
  readonly transact: <T>(
    work: (transaction: Transaction) => Promise<T>,
    options?: TransactOptions,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface TransactOptions {
  readonly begin?: string;
  /** For long work: an import, a scan. Default no. */
  readonly isLong?: boolean;
  /** The time limit by this program's clock; unfinished work is rolled back. Default: longer than the limit of any statement. */
  readonly deadlineMs?: number;
}

/** All reads in it see one state. */
export const SNAPSHOT: TransactOptions = { begin: "ISOLATION LEVEL REPEATABLE READ READ ONLY" };

export interface Connections extends AsyncDisposable {
  /** For searches and lookups. */
  readonly read: Pool;
  /** For all writes, and for reads that must be current: credentials, the access log, imports. */
  readonly write: Pool;
}

const READ_SLOTS = 10;
const WRITE_SLOTS = 4;

// If no connection becomes free within this time, the pool is overloaded.
const WAIT_MS = 2_000;

// Long work waits for its own kind as long as for other sessions' locks. An import has two connections, one for each batch.
const LONG_WAIT_MS = 30_000;

// By this program's clock: a server that hangs does not respond, and its own limits hang with it.
const DEADLINE_MS = 12_000;

// By the server's clock. Set in each transaction: PgBouncer keeps no settings of a connection, and rejects some at its start.
const STATEMENT_MS = 9_000;

// Writes of this program's transactions update the sums of the rows: see schema/migrations.ts.
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

/** `address`: postgres://user@host/database. Does not connect yet. Throws `ArchiveError` for an invalid address. */
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

/** `address` and errors: see `openConnections`. */
export function openPool(address: string, slots: number): Pool {
  const takeSlot = createSlots(slots);
  let unread: string | undefined;
  const onPassword = (file: Found) => (unread = file.unread);
  let settings: Settings = SETTINGS;
  let sql = connect(address, slots, { settings, onPassword });
  // A server that became a standby accepts no writes, and neither do the connections that stay open to it. A server that vanished would
  // block its waiting connections for a quarter of an hour.
  const renew = () => {
    void sql.end({ timeout: 5 }).catch(() => {});
    sql = connect(address, slots, { settings, onPassword });
  };
  /** True if a pooler rejected settings that it does not know. Nothing was executed in that case. */
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
      if (error instanceof FaultElsewhere) throw error.fault;
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
 * postgres.js sends COMMIT or ROLLBACK even after the connection is lost, and writing to a missing socket would end the program. In that
 * case the callback given to postgres.js never settles, but the returned promise does.
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
      // Wrapped: otherwise postgres.js would treat an array as a list of promises.
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

/** Statements after the deadline are not sent, so the abandoned transaction is rolled back. */
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
      // Wrapped: otherwise postgres.js would treat an array as a list of promises.
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
