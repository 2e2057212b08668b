// A transaction that stays open while somebody reads through it.
import type { Pool, Transaction } from "./connection.ts";

export interface OpenTransaction extends Transaction, AsyncDisposable {}

/** `begin`: what stands after BEGIN. It ends when it is disposed of. */
export async function openTransaction(pool: Pool, begin = ""): Promise<OpenTransaction> {
  const opened = Promise.withResolvers<Transaction>();
  const over = Promise.withResolvers<void>();
  const running = pool
    .transact(
      async (transaction) => {
        opened.resolve(transaction);
        await over.promise;
      },
      { begin, isLong: true },
    )
    .catch(opened.reject);
  const transaction = await opened.promise;
  return {
    ...transaction,
    [Symbol.asyncDispose]: async () => {
      over.resolve();
      await running;
    },
  };
}

/** Everything that is read in it is of one moment, that of its first statement. */
export const openSnapshot = (pool: Pool) =>
  openTransaction(pool, "ISOLATION LEVEL REPEATABLE READ READ ONLY");
