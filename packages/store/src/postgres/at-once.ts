// Reads several tables in one state, although an erasure may drop some meanwhile: it drops whole months.
import { type Pool, SNAPSHOT, type Transaction } from "./connection.ts";
import { hasCode } from "./faults.ts";

// The table does not exist. Catalogues always show the current state, whatever state a transaction reads.
const GONE = "42P01";

// Each attempt uses the months that are left.
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
