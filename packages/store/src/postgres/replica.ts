// A standby that serves reads of records (D31). This program measures its lag, and uses the primary if the standby fails.
import { setTimeout as wait } from "node:timers/promises";
import {
  ArchiveError,
  type Calls,
  type Finding,
  isFault,
  type Replica,
  type ReplicaPlace,
} from "../port/index.ts";
import type { Archive } from "./archive.ts";
import { createCalls } from "./calls.ts";
import { openPool } from "./connection.ts";
import { hasCode } from "./faults.ts";
import { createLag } from "./lag.ts";

export interface OpenReplica extends Replica, AsyncDisposable {}

const READ_SLOTS = 10;

const MEASURE_EVERY_MS = 1_000;

/**
 * Measures the lag each second until disposed. Throws `ArchiveError` for an invalid address, and for a standby of another
 * archive. A standby that cannot be reached now may become reachable later.
 */
export async function openReplica(
  archive: Archive,
  place: ReplicaPlace,
  primary: Calls,
): Promise<OpenReplica> {
  const { maxLagMs } = place;
  const lag = createLag(archive, place.address);
  const pool = openPool(place.address, READ_SLOTS);
  const over = new AbortController();
  const close = async () => {
    over.abort();
    await Promise.all([pool.close(), lag[Symbol.asyncDispose]()]);
  };
  const watch = async () => {
    for (;;) {
      await wait(MEASURE_EVERY_MS, undefined, { ref: false, signal: over.signal });
      await lag.measure();
    }
  };
  if ((await lag.measure()) === "of another archive") {
    await close();
    throw new ArchiveError(
      "the replica has the records of another archive: name one of this archive",
    );
  }
  watch().catch(() => {}); // aborted: `measure` never throws
  const copies = createCalls({ ...archive, read: pool });
  const orPrimary = async <Found>(ask: (calls: Replica["calls"]) => Promise<Found>) => {
    try {
      return await ask(copies);
    } catch (error) {
      if (isFault(error, "unavailable")) lag.lose();
      else if (!hasCode(error, CONFLICT)) throw error;
      return await ask(primary);
    }
  };
  return {
    maxLagMs,
    lagMs: lag.lagMs,
    calls: {
      byCallId: (...asked) => orPrimary((calls) => calls.byCallId(...asked)),
      byReference: (...asked) => orPrimary((calls) => calls.byReference(...asked)),
      search: (...asked) => orPrimary((calls) => calls.search(...asked)),
    },
    [Symbol.asyncDispose]: close,
  };
}

// The standby cancels a query with this code if the query would delay its replay.
const CONFLICT = "40001";

/** Waits as long as the standby may be behind. */
export async function examineReplica(
  archive: Archive,
  { address, maxLagMs }: ReplicaPlace,
): Promise<Finding[]> {
  await using lag = createLag(archive, address);
  const untilMs = performance.now() + maxLagMs;
  for (;;) {
    const state = await lag.measure();
    if (state === "measured" && lag.lagMs() <= maxLagMs) return [];
    if (state !== "measured") return [{ ...FINDING, ...FAULTS[state] }];
    if (performance.now() > untilMs) return [{ ...FINDING, ...toBehind(maxLagMs) }];
    await wait(MEASURE_EVERY_MS / 4);
  }
}

const FINDING = { level: "warning", where: "replica" } as const;

const FAULTS = {
  away: {
    what: "the replica does not answer: everything is read from the primary",
    todo: "make it reachable, or leave it out",
  },
  "of another archive": {
    what: "the replica has the records of another archive",
    todo: "name a standby of this archive",
  },
  "no standby of the primary": {
    what: "the replica does not follow the primary: everything is read from the primary",
    todo: "name a standby of the primary, or make it one again",
  },
} as const;

const toBehind = (maxLagMs: number) => ({
  what: `the replica is more than ${maxLagMs / 1_000} s behind: everything is read from the primary`,
  todo: "look for what holds up its replay: a long statement there, its disk, the network",
});
