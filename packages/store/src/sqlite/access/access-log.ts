// The access log in SQLite: rows go in through the thread that writes access.db, and are read and verified page by page,
// so that nobody who looks at a long log holds up its writers.
import type { DatabaseSync } from "node:sqlite";
import type {
  AccessEntry,
  AccessLog,
  AccessQuery,
  ChainReport,
  BeginningEntry,
  ErasureEntry,
  LogRow,
} from "../../access-log.ts";
import { toRowHash } from "./access-jobs.ts";
import type { AccessQueue } from "./access-queue.ts";
import { ArchiveError } from "../files/database.ts";
import { prepareRows } from "../files/connection.ts";

const PAGE_ROWS = 1_000;

export function createAccessLog(
  database: DatabaseSync,
  { queue, checkPlaces }: { readonly queue: AccessQueue; readonly checkPlaces: () => void },
): AccessLog {
  return {
    append: (entry, isDurable) => queue.add(entry, isDurable),
    check: async () => {
      checkPlaces();
      await queue.check();
    },
    async *read(query) {
      for (const row of readRows(database, query)) yield toLogRow(row);
    },
    verify: async (knownHash) => verifyChain(database, knownHash),
  };
}

/** See `AccessLog.verify`; the database may be open for reading alone. */
export function verifyChain(database: DatabaseSync, knownHash?: string): ChainReport {
  const lastSeq = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'access'");
  // Read first: rows that are added meanwhile are no fault.
  const expectedRows = Number(lastSeq.get()?.["seq"] ?? 0);
  return follow(readRows(database, {}), { expectedRows, knownHash });
}

interface Row {
  readonly seq: number;
  readonly entry: string;
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

type Entry = AccessEntry | BeginningEntry | ErasureEntry;

/** Throws `ArchiveError` for a row that is none: somebody has altered it, or the disk has. */
function toLogRow({ seq, entry, hash }: Row): LogRow {
  const given = parseEntry(entry);
  if (given === undefined)
    throw new ArchiveError(
      `row ${seq} of the access log cannot be read: it was altered, see "audit verify". Rows after it are listed with --since`,
    );
  return { seq, ...given, hash };
}

function parseEntry(text: string): Entry | undefined {
  try {
    const given: Partial<Entry> | null = JSON.parse(text);
    const isEntry = typeof given?.timeMs === "number" && Array.isArray(given.callIds);
    return isEntry ? (given as Entry) : undefined; // as it was written, but for what nobody shows
  } catch {
    return undefined;
  }
}

function follow(
  rows: Iterable<Row>,
  { expectedRows, knownHash }: { expectedRows: number; knownHash: string | undefined },
): ChainReport {
  let count = 0;
  let last = "";
  let isKnownSeen = knownHash === undefined;
  const report = (fault?: string): ChainReport => ({
    rows: count,
    lastHash: count === 0 ? undefined : last,
    fault,
  });
  for (const { seq, entry, hash } of rows) {
    if (seq !== count + 1) return report(`${toRowNames(count + 1, seq - 1)} removed`);
    if (hash !== toRowHash(last, seq, entry)) return report(toBreak(seq));
    count = seq;
    last = hash;
    isKnownSeen ||= hash === knownHash;
  }
  if (count < expectedRows) return report(`${toRowNames(count + 1, expectedRows)} removed`);
  return report(
    isKnownSeen ? undefined : "the hash that was noted earlier is no longer in the log",
  );
}

// Whoever alters a row may compute its hash anew: then it is the next row that no longer fits.
function toBreak(seq: number): string {
  return seq === 1
    ? "row 1 was altered"
    : `row ${seq} does not follow from row ${seq - 1}: one of them was altered`;
}

function toRowNames(first: number, last: number): string {
  return first === last ? `row ${first} was` : `rows ${first} to ${last} were`;
}
