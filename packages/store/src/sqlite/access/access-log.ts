// The access log in SQLite. The thread of access.db writes its rows. They are read and verified page by page, so that a
// reader of a long log does not block its writers.
import type { DatabaseSync } from "node:sqlite";
import type { AccessLog, AccessQuery, ChainHead, ChainReport } from "../../port/access-log.ts";
import type { AccessQueue } from "../../values/access-queue.ts";
import { findCounterFault, findLoss, readWitness } from "./access-witness.ts";
import {
  BEFORE,
  type Chain,
  type ChainRow,
  type FollowingRow,
  followChain,
  toLogRow,
  toOperatorEntry,
} from "../../values/access-chain.ts";
import { createAccessCalls } from "./access-calls.ts";
import { toNotedLog } from "./access-pairing.ts";
import { ArchiveError, isOfDamage } from "../files/database.ts";
import { prepareRows } from "../files/connection.ts";

const PAGE_ROWS = 1_000;

const DAMAGED =
  'a part of the access log cannot be read, as access.db is damaged: "audit verify" names the rows. Rows after them are listed with --since';

export interface LogSources {
  readonly archive: DatabaseSync;
  readonly queue: AccessQueue;
  readonly checkPlaces: () => void;
}

export function createAccessLog(
  database: DatabaseSync,
  { archive, queue, checkPlaces }: LogSources,
): AccessLog {
  return {
    ...toNotedLog(database),
    ...createAccessCalls(database),
    append: (entry, isDurable) => queue.add(JSON.stringify(entry), isDurable),
    record: (act) => queue.add(toOperatorEntry(act), true),
    check: async () => {
      checkPlaces();
      await queue.check();
    },
    async *read(query) {
      try {
        for (const row of readRows(database, query)) yield toLogRow(row);
      } catch (error) {
        throw isOfDamage(error) ? new ArchiveError(DAMAGED, { cause: error }) : error;
      }
    },
    witness: () => queue.witness(),
    verify: async (knownHash) =>
      verifyChain(database, { knownHash, witnessed: readWitness(archive) }),
  };
}

/** Rows that the log must have. */
export interface Known {
  /** A hash that an operator noted earlier. */
  readonly knownHash?: string | undefined;
  /** Read before the log: rows that are added meanwhile are not a fault. */
  readonly witnessed: ChainHead | undefined;
}

/** See `AccessLog.verify`; the database may be open read-only. */
export function verifyChain(database: DatabaseSync, known: Known): ChainReport {
  const chain = readChain(database, known.witnessed?.seq ?? 0);
  const report = followChain(chain, known.knownHash);
  if (report.fault !== undefined) return report;
  return { ...report, fault: findLoss(database, known.witnessed) ?? findCounterFault(database) };
}

// If the file is damaged, rows are read one by one, to name the missing ones.
function readChain(database: DatabaseSync, leastRows: number): Chain {
  // Read first: rows that are added meanwhile are not a fault.
  const expectedRows = unlessDamaged(() => readLastSeq(database)) ?? leastRows;
  let isDamaged = false;
  return {
    expectedRows,
    isDamaged: () => isDamaged,
    *[Symbol.iterator]() {
      let after = 0;
      try {
        for (const row of readRows(database, {})) {
          yield row;
          after = row.seq;
        }
        return;
      } catch (error) {
        if (!isOfDamage(error)) throw error;
      }
      isDamaged = true;
      const one = prepareRows<ChainRow>(
        database,
        "SELECT seq, entry, hash FROM access WHERE seq = ?",
      );
      for (let seq = after + 1; seq <= expectedRows; seq += 1) {
        const row = unlessDamaged(() => one.get(seq));
        if (row !== undefined) yield row;
      }
    },
  };
}

function readLastSeq(database: DatabaseSync): number {
  const select = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'access'");
  return Number(select.get()?.["seq"] ?? 0);
}

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isOfDamage(error)) return undefined;
    throw error;
  }
}

// A row that is not JSON may belong to any user and any time, so it passes every condition.
const CONDITIONS: Readonly<Record<Exclude<keyof AccessQuery, "runs">, string>> = {
  sinceMs: "CASE WHEN json_valid(entry) THEN entry ->> '$.timeMs' >= :sinceMs END",
  userId: "CASE WHEN json_valid(entry) THEN entry ->> '$.userId' = :userId ELSE TRUE END",
  hasOutcome:
    "CASE WHEN json_valid(entry) THEN (entry ->> '$.outcome' IS NOT NULL) = :hasOutcome END",
  callId:
    "CASE WHEN json_valid(entry) THEN EXISTS (SELECT 1 FROM json_each(entry, '$.callIds') WHERE value = :callId) OR entry ->> '$.run' IN (SELECT value FROM json_each(:runs)) ELSE TRUE END",
};

// The conditions have no index: such queries are rare, and an index would cost each logged read more than its row.
function* readRows(
  database: DatabaseSync,
  { runs = [], ...query }: AccessQuery,
): Generator<FollowingRow> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const conditions = given.map(([name]) => CONDITIONS[name as keyof typeof CONDITIONS]); // the keys of the query
  const values = Object.fromEntries(
    given.map(([name, value]) => [name, value === true ? 1 : value]),
  );
  if (query.callId !== undefined) values["runs"] = JSON.stringify(runs);
  const page = prepareRows<FollowingRow>(
    database,
    `SELECT seq, entry, hash, ${BEFORE} FROM access WHERE ${["seq > :after", ...conditions].join(" AND ")} ORDER BY seq LIMIT ${PAGE_ROWS}`,
  );
  for (let after = 0; ;) {
    const rows = page.all({ ...values, after });
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.seq ?? after;
  }
}
