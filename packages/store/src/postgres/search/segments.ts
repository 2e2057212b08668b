// Segments: parts of months whose calls have not changed since they were sealed, so that they are counted by bits.
import { toList, type Transaction } from "../connection.ts";
import { byMonth } from "../months.ts";

/** To be called, in the same transaction, by whoever adds or removes these calls: their segments are open from then on. */
export async function forgetSegments({ ask }: Transaction, ids: Iterable<bigint>): Promise<void> {
  for (const [month, own] of byMonth(ids, (id) => id))
    if (month !== undefined)
      await ask(
        `DELETE FROM segment WHERE month = $1::int4
         AND EXISTS (SELECT FROM unnest($2::int8[]) AS id WHERE id >= first_id AND id < until_id)`,
        [month, toList(own)],
      );
}
