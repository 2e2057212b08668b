// Reading several tables of one state, of which some may go meanwhile: an erasure takes out whole months.
import { type Pool, SNAPSHOT, type Transaction } from "./connection.ts";
import { hasCode } from "./faults.ts";

// A table that is gone. Catalogues are of the moment, whatever state a transaction reads.
const GONE = "42P01";

// Each time the months are those that are left.
const ATTEMPTS = 20;

export async function readAtOnce<T>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await pool.transact(work, SNAPSHOT);
    } catch (error) {
      if (!hasCode(error, GONE) || attempt === ATTEMPTS) throw error;
    }
}
