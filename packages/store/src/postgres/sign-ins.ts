// Failed sign-ins, counted in a table that all servers share (D23, D31). It is not logged: after a crash it is empty.
import type { Failures, SignIns } from "../port/index.ts";
import type { Pool, Transaction } from "./connection.ts";
import { toList } from "./values.ts";

const SELECT = `
  SELECT coalesce(count, 0) AS count, coalesce(extract(epoch FROM clock_timestamp() - last_at) * 1000, 0)::float8 AS "agoMs"
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (key, place)
    LEFT JOIN sign_in_failure AS failure
      ON failure.key = asked.key AND last_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
  ORDER BY place`;

// Locks a row for each key, always in the same order: no other server judges these keys until the transaction ends.
const LOCK = `
  INSERT INTO sign_in_failure (key, count, last_at) SELECT key, 0, clock_timestamp() FROM unnest($1::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET count = sign_in_failure.count`;

const FAIL = `
  UPDATE sign_in_failure SET last_at = clock_timestamp(),
    count = 1 + CASE WHEN last_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000) THEN count ELSE 0 END
  WHERE key = ANY($1::text[])`;

const FORGET = `
  DELETE FROM sign_in_failure WHERE key IN (SELECT key FROM sign_in_failure
    WHERE last_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000) LIMIT 100 FOR UPDATE SKIP LOCKED)`;

export function createSignIns({ ask, transact }: Pool): SignIns {
  const read = async (
    { ask: askIn }: Pick<Transaction, "ask">,
    keys: readonly string[],
    forgetAfterMs: number,
  ) => await askIn<Failures>(SELECT, [toList(keys), forgetAfterMs]);
  return {
    read: (keys, forgetAfterMs) => read({ ask }, keys, forgetAfterMs),
    attempt: (keys, { forgetAfterMs, judge, check }) =>
      transact(async (transaction) => {
        await transaction.ask(LOCK, [toList(keys)]);
        judge(await read(transaction, keys, forgetAfterMs));
        const isRight = await check();
        await transaction.ask(FORGET, [forgetAfterMs]);
        if (isRight)
          await transaction.ask("DELETE FROM sign_in_failure WHERE key = ANY($1::text[])", [
            toList(keys),
          ]);
        else await transaction.ask(FAIL, [toList(keys), forgetAfterMs]);
        return isRight;
      }),
  };
}
