// Measures how far a standby is behind its primary, by this program's clock. No clock of another machine is used.
import { ArchiveError } from "../port/faults.ts";
import type { Archive } from "./archive.ts";
import { type Ask, openPool, type Pool } from "./connection.ts";

export type State = "measured" | "away" | "of another archive" | "no standby of the primary";

export interface Lag extends AsyncDisposable {
  /** Never throws. */
  readonly measure: () => Promise<State>;
  /** Infinity while it is unknown. */
  readonly lagMs: () => number;
  /** Makes the lag unknown until the next measurement. */
  readonly lose: () => void;
}

/** The write position of the primary at some time. */
interface Written {
  readonly place: bigint;
  readonly atMs: number;
}

// An hour: a standby that is further behind counts as unreachable.
const KEPT = 3_600;

// A hanging standby must be noticed before many requests wait for it.
const PATIENCE_MS = 1_000;

/**
 * Throws `ArchiveError` for an invalid address. The standby has replayed a known write position. It has everything that was acknowledged
 * before the time when the primary was at that position.
 */
export function createLag(
  { write, settings }: Pick<Archive, "write" | "settings">,
  address: string,
): Lag {
  // A pool of its own, so that searches do not block the measurement.
  const probe = openPool(checkAddress(address), 1);
  let written: Written[] = [];
  let asOfMs = -Infinity;
  const compare = async (): Promise<State> => {
    const standby = await askStandby(probe);
    const atMs = performance.now();
    const place = await askPrimary(write.ask);
    // This is another primary, which is not as far ahead.
    if (place < (written.at(-1)?.place ?? 0n)) written = [];
    written.push({ place, atMs });
    const { archiveId, replayed } = standby;
    if (archiveId !== settings.archiveId) return "of another archive";
    // The standby was queried first, so it cannot be ahead of the primary, unless it follows another one.
    if (replayed === null || BigInt(replayed) > place) return "no standby of the primary";
    const newest = written.findLastIndex((one) => one.place <= BigInt(replayed));
    asOfMs = written[newest]?.atMs ?? -Infinity;
    written = written.slice(Math.max(newest, 0)).slice(-KEPT);
    return "measured";
  };
  const lose = () => {
    asOfMs = -Infinity;
  };
  return {
    measure: async () => {
      const state = await compare().catch((): State => "away");
      if (state !== "measured") lose();
      return state;
    },
    lagMs: () => performance.now() - asOfMs,
    lose,
    [Symbol.asyncDispose]: probe.close,
  };
}

async function askStandby({ ask }: Pool) {
  const [row] = await ask<{ archiveId: string | null; replayed: string | null }>(
    `SELECT (SELECT value FROM setting WHERE name = 'archive_id') AS "archiveId",
       CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0'::pg_lsn END AS replayed`,
    [],
    PATIENCE_MS,
  );
  return { archiveId: row?.archiveId ?? null, replayed: row?.replayed ?? null };
}

async function askPrimary(ask: Ask): Promise<bigint> {
  const [row] = await ask<{ place: string }>(
    "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS place",
  );
  return BigInt(row?.place ?? 0);
}

// With several hosts it would be unknown which one was measured.
function checkAddress(address: string): string {
  if (/^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^,/?#]+(?:[/?#]|$)/.test(address)) return address;
  throw new ArchiveError(
    "the address of the replica is not that of one standby: postgres://user@host/database",
  );
}
