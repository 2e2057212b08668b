// A transaction that stays open while a caller reads through it.
import type { Ask, Pool, Transaction } from "./connection.ts";

export interface OpenTransaction extends Transaction, AsyncDisposable {}

/** `begin`: the text after BEGIN. The transaction ends when disposed. */
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

/** All reads in it see the state at its first statement. */
export const openSnapshot = (pool: Pool) =>
  openTransaction(pool, "ISOLATION LEVEL REPEATABLE READ READ ONLY");

/** Each statement has a transaction of its own, without a time limit: for reads of the whole archive between which rows change. */
export const createLongAsk =
  ({ transact }: Pool): Ask =>
  (text, values) =>
    transact(({ ask }) => ask(text, values), { isLong: true });
