// Removes the request parameters from rows of the access log: see values/asked-seal.ts.
import type { DatabaseSync } from "node:sqlite";
import type { ForgottenAsked } from "../../port/maintenance.ts";
import { parseEntry } from "../../values/access-chain.ts";
import { forgetAsked, isWholeForEver } from "../../values/asked-seal.ts";
import { EMPTY_LOG } from "../scrub.ts";
import { prepareRows } from "../files/connection.ts";
import { inTransaction } from "../files/transaction.ts";

const PAGE_ROWS = 1_000;

interface StoredRow {
  readonly seq: number;
  readonly entry: string;
}

/** Changes the rows from before that time. The file then no longer contains the filters of searches. */
export function forgetAskedBefore(
  access: DatabaseSync,
  beforeMs: number,
  { isDryRun = false }: { readonly isDryRun?: boolean | undefined },
): ForgottenAsked {
  const page = prepareRows<StoredRow>(
    access,
    `SELECT seq, entry FROM access WHERE seq > ? ORDER BY seq LIMIT ${PAGE_ROWS}`,
  );
  let [forgotten, whole, after] = [0, 0, 0];
  for (let rows = page.all(after); rows.length > 0; rows = page.all(after)) {
    after = rows.at(-1)?.seq ?? after;
    const old = rows.filter(({ entry }) => (parseEntry(entry)?.timeMs ?? Infinity) < beforeMs);
    const changed = old.flatMap(({ seq, entry }) => {
      const left = forgetAsked(entry);
      return left === undefined ? [] : { seq, entry: left };
    });
    forgotten += changed.length;
    whole += old.filter(({ entry }) => isWholeForEver(entry)).length;
    if (!isDryRun && changed.length > 0) replace(access, changed);
  }
  const isComplete = isDryRun || access.prepare(EMPTY_LOG).get()?.["busy"] === 0;
  return { forgotten, whole, isComplete };
}

/** The only change of existing rows. It drops the trigger that forbids changes, and restores it before others can write again. */
function replace(access: DatabaseSync, rows: readonly StoredRow[]): void {
  const trigger = access
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'access_unchanged'")
    .get();
  inTransaction(access, () => {
    access.exec("DROP TRIGGER access_unchanged");
    const update = access.prepare("UPDATE access SET entry = ? WHERE seq = ?");
    for (const { seq, entry } of rows) update.run(entry, seq);
    access.exec(String(trigger?.["sql"]));
  });
}
