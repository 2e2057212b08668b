// How far a standby is behind its primary, by this program's clock: no clock of another machine is read.
import { ArchiveError } from "../port/faults.ts";
import type { Archive } from "./archive.ts";
import { type Ask, openPool, type Pool } from "./connection.ts";

export type State = "measured" | "away" | "of another archive" | "no standby of the primary";

export interface Lag extends AsyncDisposable {
  /** Throws nothing. */
  readonly measure: () => Promise<State>;
  /** Infinity while it is not known. */
  readonly lagMs: () => number;
  /** It is not known until it is measured again. */
  readonly lose: () => void;
}

/** What the primary had written at some moment. */
interface Written {
  readonly place: bigint;
  readonly atMs: number;
}

// An hour: who is further behind is as good as away.
const KEPT = 3_600;

// A standby that stands still must be noticed before many wait for it.
const PATIENCE_MS = 1_000;

/** Throws `ArchiveError` for an address that is none. The standby has all that was acknowledged before the newest moment whose writes it has replayed. */
export function createLag(
  { write, settings }: Pick<Archive, "write" | "settings">,
  address: string,
): Lag {
  // Searches must not keep it from being measured.
  const probe = openPool(checkAddress(address), 1);
  let written: Written[] = [];
  let asOfMs = -Infinity;
  const compare = async (): Promise<State> => {
    const standby = await askStandby(probe);
    const atMs = performance.now();
    const place = await askPrimary(write.ask);
    // Another primary, which has not come so far.
    if (place < (written.at(-1)?.place ?? 0n)) written = [];
    written.push({ place, atMs });
    const { archiveId, replayed } = standby;
    if (archiveId !== settings.archiveId) return "of another archive";
    // It was asked first, so it cannot have come further, unless it follows another one.
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

// Of several hosts it would not be known which one was measured.
function checkAddress(address: string): string {
  if (/^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^,/?#]+(?:[/?#]|$)/.test(address)) return address;
  throw new ArchiveError(
    "the address of the replica is not that of one standby: postgres://user@host/database",
  );
}
