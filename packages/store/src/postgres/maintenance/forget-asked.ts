// Removes the request parameters from rows of the access log in PostgreSQL: see values/asked-seal.ts.
import type { Forgetter, ForgottenAsked } from "../../port/maintenance.ts";
import { parseEntry, toOperatorEntry } from "../../values/access-chain.ts";
import { forgetAsked, isWholeForEver } from "../../values/asked-seal.ts";
import { toBeforeMs } from "../../values/days.ts";
import { appendEntry } from "../access-log.ts";
import type { Archive } from "../archive.ts";
import type { Ask, Pool } from "../connection.ts";
import { toList } from "../values.ts";

const PAGE_ROWS = 1_000;

// A log of many years takes minutes.
const VACUUM_MS = 3_600_000;

interface StoredRow {
  readonly seq: string;
  readonly entry: string;
}

/** See `Maintenance.forgetAsked`. */
export async function forgetAskedBefore(
  { write, settings }: Archive,
  before: string,
  { operator, isDryRun = false }: Forgetter,
): Promise<ForgottenAsked> {
  const beforeMs = toBeforeMs(before, settings.timeZone);
  const act = { operation: "audit forget", operator, asked: { before }, outcome: "done" } as const;
  if (!isDryRun) await write.transact((one) => appendEntry(one, toOperatorEntry(act)));
  let [forgotten, whole, after] = [0, 0, "0"];
  for (let rows = await readPage(write.ask, after); rows.length > 0;) {
    after = rows.at(-1)?.seq ?? after;
    const old = rows.filter(({ entry }) => (parseEntry(entry)?.timeMs ?? Infinity) < beforeMs);
    const changed = old.flatMap(({ seq, entry }) => {
      const left = forgetAsked(entry);
      return left === undefined ? [] : { seq, entry: left };
    });
    forgotten += changed.length;
    whole += old.filter(({ entry }) => isWholeForEver(entry)).length;
    if (!isDryRun && changed.length > 0) await replace(write, changed);
    rows = await readPage(write.ask, after);
  }
  const isComplete = isDryRun || (await removeDead(write));
  return { forgotten, whole, isComplete };
}

const readPage = (ask: Ask, after: string) =>
  ask<StoredRow>(
    `SELECT seq, entry FROM access WHERE seq > $1::int8 ORDER BY seq LIMIT ${PAGE_ROWS}`,
    [after],
  );

/** The only change of existing rows. Writers wait while the trigger that forbids changes is off; a rollback turns it on again. */
const replace = (write: Pool, rows: readonly StoredRow[]) =>
  write.transact(
    async ({ ask, run }) => {
      await run("ALTER TABLE access DISABLE TRIGGER access_kept");
      await ask(
        `UPDATE access SET entry = given.entry FROM unnest($1::int8[], $2::text[]) AS given (seq, entry)
         WHERE access.seq = given.seq`,
        [toList(rows.map(({ seq }) => BigInt(seq))), toList(rows.map(({ entry }) => entry))],
      );
      await run("ALTER TABLE access ENABLE TRIGGER access_kept");
    },
    { isLong: true },
  );

/** False if a reader holds an old state, so that the rows as they were stay in the table. */
async function removeDead({ ask }: Pool): Promise<boolean> {
  const [now] = await ask<{ xid: string }>("SELECT pg_snapshot_xmax(pg_current_snapshot()) AS xid");
  await ask("VACUUM access", [], VACUUM_MS);
  const held = await ask(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND age(backend_xmin) > age(($1::text::xid8)::xid)`,
    [now?.xid ?? "0"],
  );
  return held.length === 0;
}
