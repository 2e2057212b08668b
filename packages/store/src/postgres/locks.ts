// The advisory locks of an archive. Each ends with its transaction, because PgBouncer keeps no session.
import type { Ask, Pool, Transaction } from "./connection.ts";
import { toList } from "./values.ts";

/** The first of the two numbers of a lock is its kind. */
const KINDS = { schema: 1, gate: 2, month: 3, hold: 4, ledger: 5 } as const;

/** A process that creates or alters tables holds this lock. */
export async function lockSchema({ ask }: Transaction): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock(${KINDS.schema}, 0)`);
}

/** Erasures and replacements share this lock. Adding or releasing a hold takes it exclusively. */
export async function lockHolds({ ask }: Transaction, isAlone: boolean): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock${isAlone ? "" : "_shared"}(${KINDS.hold}, 0)`);
}

/** An import that writes the ledger takes this lock after all others, and keeps it until its rows are committed. Readers share it. */
export async function lockLedger({ ask }: Transaction, isAlone: boolean): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock${isAlone ? "" : "_shared"}(${KINDS.ledger}, 0)`);
}

/** Imports and scans share the gate; an erasure locks it exclusively. Returns false if another process holds it. */
export async function enterGate({ ask }: Transaction, isAlone: boolean): Promise<boolean> {
  const [row] = await ask<{ entered: boolean }>(
    `SELECT pg_try_advisory_xact_lock${isAlone ? "" : "_shared"}(${KINDS.gate}, 0) AS entered`,
  );
  return row?.entered === true;
}

/**
 * Processes that write to a month share its lock, and wait for it. A process that seals the month locks it exclusively and does not
 * wait: the result is false if another process has the lock.
 */
export async function lockMonth(
  { ask }: Transaction,
  month: number,
  isAlone = false,
): Promise<boolean> {
  if (!isAlone) {
    await ask("SELECT pg_advisory_xact_lock_shared($1::int4, $2::int4)", [KINDS.month, month]);
    return true;
  }
  const [row] = await ask<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock($1::int4, $2::int4) AS locked",
    [KINDS.month, month],
  );
  return row?.locked === true;
}

/** Waits for the locks of the keys to write. Every process takes them in ascending order, so they cannot deadlock. */
export async function lockKeys({ ask }: Transaction, keys: Iterable<bigint>): Promise<void> {
  const inOrder = BigInt64Array.from(new Set(keys)).toSorted();
  await ask("SELECT count(pg_advisory_xact_lock(key)) FROM unnest($1::int8[]) AS key", [
    toList(inOrder),
  ]);
}

export interface Hold extends AsyncDisposable {
  /** Throws if the lock was lost with its connection. */
  readonly check: () => void;
  /** The same, after a question to the server: a connection that was ended may not be known here yet. */
  readonly prove: () => Promise<void>;
}

/** Holds the gate in its own transaction until disposed. Undefined if another process holds the gate. */
export async function holdGate(pool: Pool, isAlone: boolean): Promise<Hold | undefined> {
  const entered = Promise.withResolvers<boolean>();
  const left = Promise.withResolvers<void>();
  let lost: unknown;
  let ask: Ask | undefined;
  const held = pool
    .transact(
      async (transaction) => {
        const isIn = await enterGate(transaction, isAlone);
        ({ ask } = transaction);
        entered.resolve(isIn);
        if (isIn) await left.promise;
      },
      { isLong: true },
    )
    .catch((error: unknown) => {
      lost = error;
      entered.reject(error);
    });
  if (!(await entered.promise)) return undefined;
  const check = () => {
    if (lost !== undefined) throw lost;
  };
  return {
    check,
    prove: async () => {
      check();
      try {
        await ask?.("SELECT 1");
      } catch (error) {
        left.reject(error);
        await held;
        check();
      }
    },
    [Symbol.asyncDispose]: async () => {
      left.resolve();
      await held;
    },
  };
}
