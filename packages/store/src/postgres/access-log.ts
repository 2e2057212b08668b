// The access log in PostgreSQL: one chain for all servers, each of which adds its rows behind a head row that it locks.
import type { AccessLog, AccessQuery, ChainHead, ChainReport } from "../port/access-log.ts";
import { StoreFault } from "../port/faults.ts";
import {
  createChainFollower,
  isAsked,
  parseEntry,
  toLogRow,
  toOperatorEntry,
  toRowHash,
} from "../values/access-chain.ts";
import type { AccessQueue, RowWriter } from "../values/access-queue.ts";
import { type Ask, type Pool, toList, type Transaction } from "./connection.ts";

// By this program's clock. Whoever waits for a row gives up then; a reading of `check` is due within three seconds.
const WRITE_MS = 5_000;
const CHECK_MS = 2_500;

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

const HEAD = "SELECT seq, hash FROM access_head";

/** The newest row, seq 0 without any. With its lock nobody else adds one until the transaction ends. */
export async function lockHead({ ask }: Transaction): Promise<Head> {
  return toHead(await ask<StoredHead>(`${HEAD} FOR UPDATE`));
}

interface StoredHead {
  readonly seq: string;
  readonly hash: string;
}

function toHead([row]: readonly StoredHead[]): Head {
  if (row === undefined) throw new StoreFault("lost", "the head of the access log is gone");
  return { seq: Number(row.seq), hash: row.hash };
}

/** Adds the entries, JSON, behind the head whose lock is held; gives the new head. */
export async function appendRows(
  transaction: Transaction,
  head: Head,
  entries: readonly string[],
): Promise<Head> {
  let { seq, hash } = head;
  const rows = entries.map((entry) => {
    seq += 1;
    hash = toRowHash(hash, seq, entry);
    return { seq, entry, hash };
  });
  await insertRows(transaction, rows);
  return { seq, hash };
}

/** Adds rows that follow from the head, of which there is at least one, and moves the head. */
export async function insertRows({ ask }: Transaction, rows: readonly Row[]): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const lists = [toList(rows.map(({ seq }) => seq)), toTexts(rows, "entry"), toTexts(rows, "hash")];
  await ask(
    "INSERT INTO access (seq, entry, hash) SELECT * FROM unnest($1::int8[], $2::text[], $3::text[])",
    lists,
  );
  await ask("UPDATE access_head SET seq = $1::int8, hash = $2::text", [last.seq, last.hash]);
}

interface Row extends Head {
  readonly entry: string;
}

const toTexts = (rows: readonly Row[], field: "entry" | "hash") =>
  toList(rows.map((row) => row[field]));

/** Adds one row. */
export async function appendEntry(transaction: Transaction, entry: string): Promise<Head> {
  return await appendRows(transaction, await lockHead(transaction), [entry]);
}

/** A group whose rows were sent, and whose end is not known: the answer to its COMMIT was lost. */
interface Unsure {
  readonly entries: readonly string[];
  readonly head: Head;
}

/**
 * Writes groups of rows. One whose answer was lost counts as not written: whoever waits is refused. What of it is to be written
 * again is left out when it turns out to be there, so that no row stands twice.
 */
export function createRowWriter({ ask, transact }: Pool): RowWriter {
  const written = new Set<string>();
  let unsure: Unsure | undefined;

  const settle = async ({ ask: askIn }: Transaction): Promise<void> => {
    if (unsure === undefined) return;
    const { entries, head } = unsure;
    const found = await askIn("SELECT 1 FROM access WHERE seq = $1::int8 AND hash = $2::text", [
      head.seq,
      head.hash,
    ]);
    if (found.length > 0) for (const entry of entries) written.add(entry);
    unsure = undefined;
  };
  return {
    append: async (entries) => {
      await transact(
        async (transaction) => {
          // With the lock held whoever had it before has ended, whether or not this program was told how.
          const head = await lockHead(transaction);
          await settle(transaction);
          const left = entries.filter((entry) => !written.has(entry));
          const next = await appendRows(transaction, head, left);
          unsure = { entries: left, head: next };
        },
        { deadlineMs: WRITE_MS },
      );
      unsure = undefined;
      written.clear();
    },
    check: async () => void (await ask("UPDATE access_head SET seq = seq", [], CHECK_MS)),
    witness: () => readWitness(ask),
  };
}

// The head lies beside the records by itself, in one database with them.
async function readWitness(ask: Ask): Promise<ChainHead | undefined> {
  const [row] = await ask<StoredHead & { own: string | null; entry: string | null }>(
    `SELECT head.seq, head.hash, access.hash AS own, access.entry
     FROM access_head AS head LEFT JOIN access USING (seq)`,
  );
  if (row === undefined || row.seq === "0") return undefined;
  const { seq, hash, own, entry } = row;
  if (own !== hash) throw new StoreFault("lost", toLoss(Number(seq)));
  return { seq: Number(seq), hash, timeMs: parseEntry(entry)?.timeMs ?? Number.NaN };
}

const toLoss = (seq: number) =>
  `the access log lost rows: row ${seq} is not the one that was written last`;

export function createAccessLog({ ask }: Pool, queue: AccessQueue): AccessLog {
  return {
    append: (entry, isDurable) => queue.add(JSON.stringify(entry), isDurable),
    record: (act) => queue.add(toOperatorEntry(act), true),
    check: () => queue.check(),
    async *read(query) {
      for await (const row of readRows(ask, query)) {
        const listed = toLogRow(row);
        if (isAsked(listed, query)) yield listed;
      }
    },
    witness: () => queue.witness(),
    verify: (knownHash) => verifyChain(ask, knownHash),
  };
}

/** See `AccessLog.verify`. */
export async function verifyChain(ask: Ask, knownHash?: string): Promise<ChainReport> {
  // Read first: rows that are added meanwhile are no fault.
  const head = toHead(await ask<StoredHead>(HEAD));
  const chain = { expectedRows: head.seq, isDamaged: () => false };
  const follower = createChainFollower(chain, knownHash);
  let isHeadThere = head.seq === 0;
  for await (const row of readRows(ask)) {
    const broken = follower.follow(row);
    if (broken !== undefined) return broken;
    isHeadThere ||= row.seq === head.seq && row.hash === head.hash;
  }
  const report = follower.end();
  return report.fault === undefined && !isHeadThere
    ? { ...report, fault: toLoss(head.seq) }
    : report;
}

const PAGE_ROWS = 1_000;

// The moment stands first in a row, and a text of the caller's cannot look like it: there its quotes have a backslash.
const SINCE = String.raw`substring(entry FROM '"timeMs":(\d+)')::float8 >= $4::float8`;

/**
 * Page by page, so that nobody who reads a long log holds a transaction. What is asked for is looked for as a text: whoever
 * uses a row has to look again. Without an index on it: those who look are few, and each read would pay for the index.
 */
export async function* readRows(
  ask: Ask,
  { sinceMs, callId }: AccessQuery = {},
  afterSeq = 0,
): AsyncGenerator<Row> {
  const { seq: last } = toHead(await ask<StoredHead>(HEAD));
  const text = callId === undefined ? "" : JSON.stringify(callId);
  for (let after = afterSeq; after < last; after += PAGE_ROWS) {
    const rows = await ask<StoredHead & { entry: string }>(
      `SELECT seq, entry, hash FROM access WHERE seq > $1::int8 AND seq <= $2::int8
         AND strpos(entry, $3::text) > 0 AND ($4::float8 IS NULL OR ${SINCE}) ORDER BY seq`,
      [after, after + PAGE_ROWS, text, sinceMs ?? null],
    );
    for (const { seq, entry, hash } of rows) yield { seq: Number(seq), entry, hash };
  }
}
