// The access log in SQLite: rows go in through the thread that writes access.db, and are read and verified page by page,
// so that nobody who looks at a long log holds up its writers.
import type { DatabaseSync } from "node:sqlite";
import type {
  AccessEntry,
  AccessLog,
  AccessQuery,
  ChainHead,
  ChainReport,
  OperatorEntry,
  ErasureEntry,
  LogRow,
  SignInEntry,
} from "../../access-log.ts";
import { toRowHash } from "./access-jobs.ts";
import type { AccessQueue } from "./access-queue.ts";
import { findLoss, readWitness, toRowNames } from "./access-witness.ts";
import { toOperatorEntry } from "./operator-row.ts";
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

/** What the log must have. */
export interface Known {
  /** That somebody noted. */
  readonly knownHash?: string | undefined;
  /** Read before the log is: rows that are added meanwhile are no fault. */
  readonly witnessed: ChainHead | undefined;
}

/** See `AccessLog.verify`; the database may be open for reading alone. */
export function verifyChain(database: DatabaseSync, known: Known): ChainReport {
  const chain = readChain(database, known.witnessed?.seq ?? 0);
  const report = follow(chain, known.knownHash);
  if (report.fault !== undefined) return report;
  return { ...report, fault: findLoss(database, known.witnessed) };
}

/** The rows of a log, and how many there should be. */
interface Chain extends Iterable<Row> {
  readonly expectedRows: number;
  /** Whether a part of the file could not be read; known at the end. */
  readonly isDamaged: () => boolean;
}

// Where the file is damaged rows are read one by one, so that those which are gone can be named.
function readChain(database: DatabaseSync, leastRows: number): Chain {
  // Read first: rows that are added meanwhile are no fault.
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
      const one = prepareRows<Row>(database, "SELECT seq, entry, hash FROM access WHERE seq = ?");
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

interface Row {
  readonly seq: number;
  /** Null where the file is damaged, as nothing else makes it. */
  readonly entry: string | null;
  readonly hash: string;
}

// A row that is no JSON may be anybody's, and was written at no time that is known: so there is a way past it.
const CONDITIONS: Readonly<Record<keyof AccessQuery, string>> = {
  sinceMs: "CASE WHEN json_valid(entry) THEN entry ->> '$.timeMs' >= :sinceMs END",
  userId: "CASE WHEN json_valid(entry) THEN entry ->> '$.userId' = :userId ELSE TRUE END",
  callId:
    "CASE WHEN json_valid(entry) THEN EXISTS (SELECT 1 FROM json_each(entry, '$.callIds') WHERE value = :callId) ELSE TRUE END",
};

// Without an index on what is asked for: those who look are few, and an index would cost every read more than its row.
function* readRows(database: DatabaseSync, query: AccessQuery): Generator<Row> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const conditions = given.map(([name]) => CONDITIONS[name as keyof AccessQuery]); // the keys of the query
  const page = prepareRows<Row>(
    database,
    `SELECT seq, entry, hash FROM access WHERE ${["seq > :after", ...conditions].join(" AND ")} ORDER BY seq LIMIT ${PAGE_ROWS}`,
  );
  for (let after = 0; ;) {
    const rows = page.all({ ...Object.fromEntries(given), after });
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

type Entry = AccessEntry | SignInEntry | OperatorEntry | ErasureEntry;

/** Throws `ArchiveError` for a row that is none: somebody has altered it, or the disk has. */
function toLogRow({ seq, entry, hash }: Row): LogRow {
  const given = parseEntry(entry);
  if (given === undefined)
    throw new ArchiveError(
      `row ${seq} of the access log cannot be read: it was altered, see "audit verify". Rows after it are listed with --since`,
    );
  return { seq, ...given, hash };
}

function parseEntry(text: string | null): Entry | undefined {
  try {
    const given: Partial<Entry> | null = JSON.parse(text ?? "null");
    const isEntry = typeof given?.timeMs === "number" && Array.isArray(given.callIds);
    return isEntry ? (given as Entry) : undefined; // as it was written, but for what nobody shows
  } catch {
    return undefined;
  }
}

function follow(chain: Chain, knownHash: string | undefined): ChainReport {
  const decisions: ChainReport["decisions"][number][] = [];
  let [rows, lastSeq, last] = [0, 0, ""];
  let isKnownSeen = knownHash === undefined;
  const report = (fault?: string): ChainReport => ({
    rows,
    lastHash: rows === 0 ? undefined : last,
    fault,
    decisions,
  });
  const gone = (until: number) =>
    `${toRowNames(lastSeq + 1, until)} ${chain.isDamaged() ? "unreadable, as the file is damaged" : "missing"}`;
  for (const row of chain) {
    const { seq, entry, hash } = row;
    const decision = findDecision(row);
    const isAccepted = decision?.operation === "audit accept-loss";
    if (seq !== lastSeq + 1 && !isAccepted) return report(gone(seq - 1));
    if (hash !== toRowHash(last, seq, entry ?? "")) return report(toBreak(seq));
    [rows, lastSeq, last] = [rows + 1, seq, hash];
    isKnownSeen ||= hash === knownHash;
    if (decision !== undefined) decisions.push(decision);
  }
  if (lastSeq < chain.expectedRows) return report(gone(chain.expectedRows));
  return report(
    isKnownSeen ? undefined : "the hash that was noted earlier is no longer in the log",
  );
}

// A caller may have asked for such a text.
function findDecision(row: Row): ChainReport["decisions"][number] | undefined {
  if (row.entry?.includes('"operation":"audit ') !== true) return undefined;
  const given = parseEntry(row.entry);
  if (given?.operation !== "audit accept-loss" && given?.operation !== "audit begin-anew")
    return undefined;
  return { seq: row.seq, ...given, hash: row.hash };
}

// Whoever alters a row may compute its hash anew: then it is the next row that no longer fits.
function toBreak(seq: number): string {
  return seq === 1
    ? "row 1 was altered"
    : `row ${seq} does not follow from row ${seq - 1}: one of them was altered`;
}
