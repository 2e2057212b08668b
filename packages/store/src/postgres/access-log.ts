// The access log in PostgreSQL: one chain for all servers, each of which adds its rows behind a head row that it locks.
import type { AccessLog, AccessQuery, ChainHead, ChainReport } from "../port/access-log.ts";
import { ArchiveError, StoreFault } from "../port/faults.ts";
import { openHeadNote, type NotedLog } from "../media/head-note.ts";
import type { MediaStore } from "../port/media.ts";
import {
  createChainFollower,
  describeLoss,
  isAsked,
  NOTHING_LOST,
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

/** The same; throws `StoreFault` when the log has no longer the row that this program wrote last. */
async function lockKeptHead({ ask }: Transaction, kept: Head): Promise<Head> {
  const rows = await ask<StoredHead & { kept: string | null }>(
    `SELECT seq, hash, (SELECT hash FROM access WHERE seq = $1::int8) AS kept FROM access_head FOR UPDATE`,
    [kept.seq],
  );
  const head = toHead(rows);
  checkKept(head, kept, rows[0]?.kept);
  return head;
}

/** Throws `StoreFault` unless the log goes on from this row. `hash`: of the row that has its number now. */
function checkKept(head: Head, kept: Head, hash: string | null | undefined): void {
  if (kept.seq === 0 || (hash === kept.hash && head.seq >= kept.seq)) return;
  const found = { hash: hash ?? undefined, lastSeq: head.seq };
  const loss =
    hash === kept.hash
      ? `its head was set back from row ${kept.seq} to row ${head.seq}`
      : describeLoss({ ...kept, timeMs: Number.NaN }, found);
  throw new StoreFault("lost", `the access log lost rows: ${loss}`);
}

const GONE = "the head of the access log is gone";

interface StoredHead {
  readonly seq: string;
  readonly hash: string;
}

function toHead([row]: readonly StoredHead[]): Head {
  if (row === undefined) throw new StoreFault("lost", GONE);
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
  // Whoever cuts rows off and sets the head back meets every program that wrote some.
  let kept = NONE;

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
      kept = await transact(
        async (transaction) => {
          // With the lock held whoever had it before has ended, whether or not this program was told how.
          const head = await lockKeptHead(transaction, kept);
          await settle(transaction);
          const left = entries.filter((entry) => !written.has(entry));
          const next = await appendRows(transaction, head, left);
          unsure = { entries: left, head: next };
          return next;
        },
        { deadlineMs: WRITE_MS },
      );
      unsure = undefined;
      written.clear();
    },
    check: async () => {
      const known = kept;
      const rows = await ask<StoredHead & { kept: string | null }>(
        `UPDATE access_head SET seq = seq
         RETURNING seq, hash, (SELECT access.hash FROM access WHERE access.seq = $1::int8) AS kept`,
        [known.seq],
        CHECK_MS,
      );
      checkKept(toHead(rows), known, rows[0]?.kept);
    },
    witness: async () => {
      const head = await readWitness(ask, kept);
      if (head !== undefined && head.seq > kept.seq) kept = head;
      return head;
    },
  };
}

const NONE: Head = { seq: 0, hash: "" };

// The head lies beside the records by itself, in one database with them.
export async function readWitness(ask: Ask, kept = NONE): Promise<ChainHead | undefined> {
  const [row] = await ask<StoredHead & Record<"own" | "entry" | "kept", string | null>>(
    `SELECT head.seq, head.hash, access.hash AS own, access.entry,
       (SELECT hash FROM access WHERE seq = $1::int8) AS kept
     FROM access_head AS head LEFT JOIN access USING (seq)`,
    [kept.seq],
  );
  if (row === undefined) throw new StoreFault("lost", GONE);
  checkKept(toHead([row]), kept, row.kept);
  if (row.seq === "0") return undefined;
  if (row.own !== row.hash) throw new StoreFault("lost", toLoss(Number(row.seq)));
  return toChainHead(row);
}

/** What the note beside the recordings is compared with. `id`: of the log. */
export const toNotedLog = (ask: Ask, id: string): NotedLog => ({
  id: async () => id,
  find: async (seq) => {
    const [row] = await ask<StoredHead & { entry: string }>(
      `SELECT seq, hash, entry FROM access WHERE seq = coalesce($1::int8, (SELECT max(seq) FROM access))`,
      [seq ?? null],
    );
    return row && toChainHead(row);
  },
});

const toChainHead = ({
  seq,
  hash,
  entry,
}: StoredHead & { readonly entry: string | null }): ChainHead => ({
  seq: Number(seq),
  hash,
  timeMs: parseEntry(entry)?.timeMs ?? Number.NaN,
});

/** See `LostLog.acceptLoss`. */
export async function acceptLoss(
  { write, media, id }: { readonly write: Pool; readonly media: MediaStore; readonly id: string },
  toEntry: (lost: string) => string,
): Promise<string> {
  const log = toNotedLog(write.ask, id);
  const note = await openHeadNote(media, log);
  const noted = await note?.read();
  const lost = await write.transact(async (transaction) => {
    const head = await lockHead(transaction);
    const found = toNotedLog(transaction.ask, id);
    const newest = await found.find();
    const known = [{ ...head, timeMs: Number.NaN }, noted].filter(
      (one) => one !== undefined && one.seq > 0,
    );
    for (const one of known) {
      if (one === undefined) continue;
      const hash = (await found.find(one.seq))?.hash;
      const loss = describeLoss(one, { hash, lastSeq: newest?.seq ?? 0 });
      if (loss === undefined) continue;
      // No row gets the number of one that is lost.
      const seq = Math.max(head.seq, noted?.seq ?? 0, newest?.seq ?? 0) + 1;
      const entry = toEntry(loss);
      await insertRows(transaction, [
        { seq, entry, hash: toRowHash(newest?.hash ?? "", seq, entry) },
      ]);
      return loss;
    }
    throw new ArchiveError(NOTHING_LOST);
  });
  const head = await log.find();
  if (head !== undefined) await note?.write(head);
  return lost;
}

const toLoss = (seq: number) =>
  `the access log lost rows: row ${seq} is not the one that was written last`;

export function createAccessLog(
  { ask }: Pool,
  { queue, id }: { readonly queue: AccessQueue; readonly id: string },
): AccessLog {
  return {
    ...toNotedLog(ask, id),
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
