// The connections to PostgreSQL: two pools that keep no state of a session, and what the engine says as the port says it.
import { createConnection, type Socket } from "node:net";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { ArchiveError, StoreFault } from "../port/faults.ts";
import { findPassword, type Found } from "./password-file.ts";

/** A value of a statement: lists are texts that `toList` makes, bytes are hexadecimal digits for `decode`. */
export type Value = string | number | bigint | boolean | null;

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

/** Of one that is lost, or is about to be closed by the server. */
function isOfConnection(error: unknown): boolean {
  const told = error instanceof StoreFault ? error.cause : error;
  if (!(told instanceof Error)) return false;
  if ("severity" in told) return told.severity === "FATAL" || told.severity === "PANIC";
  return "code" in told && /^(?:CONNECTION_|E[A-Z])/.test(String(told.code));
}

const WRONG_PASSWORD = "28P01";

type Settings = Readonly<Record<string, string | number | boolean>>;

/** What PgBouncer knows of a connection, and sets where it runs its statements. */
const KNOWN_SETTINGS: Settings = {
  application_name: "call-media",
  DateStyle: "ISO",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
};

/** With these a role or a database may say what it likes of how values are written, and of what a transaction is. */
const SETTINGS: Settings = {
  ...KNOWN_SETTINGS,
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  default_transaction_isolation: "read committed",
};

const PROTOCOL_VIOLATION = "08P01";

interface ConnectOptions {
  readonly settings: Settings;
  readonly onPassword: (file: Found) => void;
}

/** Without a password in the address or in PGPASSWORD it is read from the file for each connection, and `onPassword` told of it. */
function connect(address: string, max: number, { settings, onPassword }: ConnectOptions): Sql {
  const options = {
    max,
    // Statements without names need nothing of the connection that they came by before.
    prepare: false,
    fetch_types: false,
    connect_timeout: 5,
    keep_alive: 10,
    connection: { ...settings },
    onnotice: () => {},
    socket: createSockets(),
    types: { bytea: BYTEA },
  };
  try {
    const sql = postgres(address, options);
    const { host: hosts, port: ports, database, user, pass } = sql.options;
    if (pass) return sql;
    const readPassword = async () => {
      const file = await findPassword({ hosts, ports, database, user });
      onPassword(file);
      return file.password;
    };
    return postgres(address, { ...options, pass: readPassword });
  } catch {
    // What the parser says has the password in it.
    throw new ArchiveError(
      "the address of the records is not of the form postgres://user@host/database",
    );
  }
}

interface Hosts {
  readonly path?: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

/**
 * Makes a function that begins to connect to one host after the other. Sockets of postgres.js hold back a small write while
 * the one before it is under way: COPY then waits twice for 40 ms.
 */
function createSockets(): (hosts: Hosts) => Socket {
  let next = 0;
  return ({ path, host: hosts, port: ports }) => {
    if (typeof path === "string") return createConnection({ path });
    const index = next % hosts.length;
    next += 1;
    const [host, port] = [hosts[index], ports[index] ?? DEFAULT_PORT];
    // It is asked for its host when the certificate is judged.
    return Object.assign(createConnection({ host, port, noDelay: true }), { host });
  };
}

const DEFAULT_PORT = 5_432;

async function askOn<Row extends object>(
  sql: Sql | TransactionSql,
  text: string,
  values: readonly Value[] = [],
): Promise<readonly Row[]> {
  return await sql.unsafe<Row[]>(text, values.map(toParameter));
}

const toParameter = (value: Value) => (typeof value === "bigint" ? String(value) : value);

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

/** Makes a function that waits so long for one of so many slots and gives what frees it. It throws `StoreFault`. */
function createSlots(slots: number): (waitMs: number) => Promise<() => void> {
  const waiting = new Set<() => void>();
  let free = slots;
  const release = () => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  return async (waitMs) => {
    if (free > 0) free -= 1;
    else
      await new Promise<void>((resolve, reject) => {
        const take = () => {
          clearTimeout(timer);
          waiting.delete(take);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(take);
          reject(tooMuchAtOnce());
        }, waitMs);
        waiting.add(take);
      });
    return release;
  };
}

export const tooMuchAtOnce = () =>
  new StoreFault("busy", "too much is asked of the archive at once: try again later");

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

const READ_ONLY = "25006";

const REASONS: Readonly<Record<string, StoreFault["reason"]>> = {
  "57014": "busy", // statement_timeout
  "55P03": "busy", // lock_timeout
  "40001": "busy",
  "40P01": "busy",
  "53200": "busy",
  "53300": "busy",
  "53100": "full",
  XX001: "damaged",
  XX002: "damaged",
};

const BUSY = "this takes the archive too long: ask for less, or try again later";

const NO_LOCKS =
  "the database has no room for the locks of so many imports at once: run fewer, or raise its max_locks_per_transaction (each " +
  "import takes up to 1,000 of max_locks_per_transaction times max_connections)";

/** What PostgreSQL or the way to it throws, as the port says it, with a remark of ours; any other error comes back as it is. */
export function toStoreFault(error: unknown, remark?: string): unknown {
  if (error instanceof StoreFault || !(error instanceof Error)) return error;
  // Errors of the engine have a severity, those of the way to it a number: others may have a code as well.
  if (!("severity" in error || "errno" in error)) return error;
  if (!("code" in error) || typeof error.code !== "string") return error;
  const reason = REASONS[error.code] ?? "unavailable";
  const told = [error.message, ...(remark === undefined ? [] : [remark])].join("; ");
  const message = isOfLocks(error)
    ? NO_LOCKS
    : reason === "busy"
      ? BUSY
      : `the archive could not be read or written: ${told}`;
  return new StoreFault(reason, message, { cause: error });
}

const isOfLocks = (error: Error) =>
  "hint" in error && String(error.hint).includes("max_locks_per_transaction");

/** Whether PostgreSQL, or the way to it, has said so. */
export function hasCode(error: unknown, code: string): boolean {
  const told = error instanceof StoreFault ? error.cause : error;
  return told instanceof Error && "code" in told && told.code === code;
}

/** A list as PostgreSQL reads it, to be cast: `$1::int8[]`; undefined is null. */
export function toList(values: Iterable<string | bigint | number | undefined>): string {
  return `{${Array.from(values, toItem).join(",")}}`;
}

const toItem = (value: string | bigint | number | undefined) =>
  value === undefined
    ? "NULL"
    : typeof value === "string"
      ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      : String(value);

/** A row of COPY. */
export function toCopyRow(fields: readonly (string | bigint | number | null)[]): string {
  return `${fields.map(toCopyField).join("\t")}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\\": "\\\\",
};

const toCopyField = (field: string | bigint | number | null) =>
  field === null ? "\\N" : String(field).replaceAll(/[\t\n\r\\]/g, (one) => ESCAPES[one] ?? one);

// postgres.js reads hexadecimal digits alone; a role or a database may say that bytes are written in the other form.
const BYTEA = {
  to: 17,
  from: [17],
  serialize: toBytes,
  parse: (text: string): Buffer =>
    text.startsWith(String.raw`\x`)
      ? Buffer.from(text.slice(2), "hex")
      : Buffer.from(text.replaceAll(ESCAPED, toEscaped), "latin1"),
};

// https://www.postgresql.org/docs/current/datatype-binary.html
const ESCAPED = /\\(?:\\|[0-7]{3})/g;

const toEscaped = (found: string): string =>
  found === String.raw`\\` ? "\\" : String.fromCodePoint(Number.parseInt(found.slice(1), 8));

/** Bytes as PostgreSQL reads them, to be cast: `$1::bytea`; also a field of COPY. */
export function toBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString("hex")}`;
}
