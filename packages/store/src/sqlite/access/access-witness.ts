// The witness of the access log: archive.db names the newest row too. So lost rows, or a restored older access.db, are
// detected without a noted hash. A row is on the disk before it is witnessed.
import type { DatabaseSync } from "node:sqlite";
import type { ChainHead } from "../../port/access-log.ts";
import { StoreFault } from "../../port/faults.ts";
import { describeLoss, toRowNames } from "../../values/access-chain.ts";
import { inTransaction } from "../files/transaction.ts";
import { findSetting, putSetting } from "../settings.ts";

/** The row with this number, default the newest; undefined if the log does not have it. */
export function readHead(access: DatabaseSync, seq?: number): ChainHead | undefined {
  const row = access
    .prepare(
      `SELECT seq, hash, CASE WHEN json_valid(entry) THEN entry ->> '$.timeMs' END AS time_ms
       FROM access WHERE seq = coalesce(?, (SELECT max(seq) FROM access))`,
    )
    .get(seq ?? null);
  if (row === undefined) return undefined;
  return { seq: Number(row["seq"]), hash: String(row["hash"]), timeMs: Number(row["time_ms"]) };
}

/** Undefined if the archive has not witnessed any row. */
export function readWitness(archive: DatabaseSync): ChainHead | undefined {
  const text = findSetting(archive, "access_head");
  if (text === undefined) return undefined;
  const [seq, hash = "", timeMs] = text.split(" ");
  return { seq: Number(seq), hash, timeMs: Number(timeMs) };
}

/** Makes the archive name this row as the newest, whatever it named before. */
export function putWitness(archive: DatabaseSync, head: ChainHead | undefined): void {
  if (head === undefined) {
    archive.exec("DELETE FROM setting WHERE name = 'access_head'");
    return;
  }
  putSetting(archive, "access_head", `${head.seq} ${head.hash} ${head.timeMs}`);
}

/**
 * Makes the archive name the newest row of the log, and returns that row. Throws if the log lacks the row that the archive names; the
 * archive then keeps naming it.
 */
export function updateWitness(archive: DatabaseSync, access: DatabaseSync): ChainHead | undefined {
  const head = readHead(access);
  if (head?.hash === readWitness(archive)?.hash) return head;
  inTransaction(archive, () => {
    const known = readWitness(archive); // another program may have updated it meanwhile
    const loss = findLoss(access, known);
    if (loss !== undefined) throw new StoreFault("lost", `the access log lost rows: ${loss}`);
    if (head !== undefined && head.seq > (known?.seq ?? 0)) putWitness(archive, head);
  });
  return head;
}

// An import holds the lock of archive.db for some seconds at a time.
const WAIT_MS = 2_000;

/** The same, if the witness is allowed to lag behind. For a connection with no further work to wait for. */
export function tryUpdateWitness(archive: DatabaseSync, access: DatabaseSync): void {
  try {
    archive.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    updateWitness(archive, access);
  } catch {
    // An import holds the lock, or rows are missing, which the next opening of the archive reports.
  }
}

/**
 * Describes a fault of the counter that numbers the rows, as the end of a sentence. The counter remembers removed rows; once it is set
 * back, rows cannot be added.
 */
export function findCounterFault(access: DatabaseSync): string | undefined {
  const select = "SELECT (SELECT max(seq) FROM sqlite_sequence WHERE name = 'access') AS counter";
  const row = access.prepare(`${select}, (SELECT max(seq) FROM access) AS last`).get();
  const [counter, last] = [Number(row?.["counter"] ?? 0), Number(row?.["last"] ?? 0)];
  if (counter > last)
    return `${toRowNames(last + 1, counter)} missing: the counter of its rows says ${counter}`;
  return counter < last
    ? `the counter of its rows says ${counter}, and row ${last} is there`
    : undefined;
}

/** The witnessed rows that the log lacks, as the end of a sentence; undefined if it lacks none. */
export function findLoss(
  access: DatabaseSync,
  witnessed: ChainHead | undefined,
): string | undefined {
  if (witnessed === undefined) return undefined;
  const { hash } = readHead(access, witnessed.seq) ?? {};
  return describeLoss(witnessed, { hash, lastSeq: readHead(access)?.seq ?? 0 });
}
