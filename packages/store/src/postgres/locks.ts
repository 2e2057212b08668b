// Locks that end with their transaction, so that they hold through PgBouncer: who keeps whom from what.
import type { Pool, Transaction } from "./connection.ts";
import { toList } from "./values.ts";

/** The kinds of locks; of two numbers the first is the kind. */
const KINDS = { schema: 1, gate: 2, month: 3, hold: 4 } as const;

/** Held by whoever makes or alters tables. */
export async function lockSchema({ ask }: Transaction): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock(${KINDS.schema}, 0)`);
}

/** Between those who erase or replace records, who share it, and whoever adds or releases a hold, who is alone. */
export async function lockHolds({ ask }: Transaction, isAlone: boolean): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock${isAlone ? "" : "_shared"}(${KINDS.hold}, 0)`);
}

/** Between imports and scans, which share it, and an erasure, which is alone: false when others are at work. */
export async function enterGate({ ask }: Transaction, isAlone: boolean): Promise<boolean> {
  const [row] = await ask<{ entered: boolean }>(
    `SELECT pg_try_advisory_xact_lock${isAlone ? "" : "_shared"}(${KINDS.gate}, 0) AS entered`,
  );
  return row?.entered === true;
}

/**
 * Between those who write to a month, who share it and wait for it, and whoever seals it, who is alone and waits for nobody: false
 * when others are at work.
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

/** Waits for locks of what is written, in one order for everybody: nobody waits for somebody who waits for him. */
export async function lockKeys({ ask }: Transaction, keys: Iterable<bigint>): Promise<void> {
  const inOrder = BigInt64Array.from(new Set(keys)).toSorted();
  await ask("SELECT count(pg_advisory_xact_lock(key)) FROM unnest($1::int8[]) AS key", [
    toList(inOrder),
  ]);
}

export interface Hold extends AsyncDisposable {
  /** Throws when it was lost meanwhile, with its connection. */
  readonly check: () => void;
}

/** Holds the gate in a transaction of its own until it is disposed of; undefined when others keep it from that. */
export async function holdGate(pool: Pool, isAlone: boolean): Promise<Hold | undefined> {
  const entered = Promise.withResolvers<boolean>();
  const left = Promise.withResolvers<void>();
  let lost: unknown;
  const held = pool
    .transact(
      async (transaction) => {
        const isIn = await enterGate(transaction, isAlone);
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
  return {
    check: () => {
      if (lost !== undefined) throw lost;
    },
    [Symbol.asyncDispose]: async () => {
      left.resolve();
      await held;
    },
  };
}
