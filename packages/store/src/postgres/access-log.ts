// The access log in PostgreSQL: one chain for all servers. Each server appends rows after a head row that it locks.
import type { AccessLog, AccessQuery, ChainHead, ChainReport } from "../port/access-log.ts";
import { ArchiveError, StoreFault } from "../port/faults.ts";
import { openHeadNote, type NotedLog } from "../media/head-note.ts";
import type { MediaStore } from "../port/media.ts";
import { sealEntry } from "../values/asked-seal.ts";
import {
  BEFORE,
  createChainFollower,
  describeLoss,
  type FollowingRow,
  isAsked,
  NOTHING_LOST,
  parseEntry,
  toLogRow,
  toOperatorEntry,
  toRowHash,
} from "../values/access-chain.ts";
import type { AccessQueue, RowWriter } from "../values/access-queue.ts";
import type { Ask, Pool, Transaction } from "./connection.ts";
import { createAccessCalls, toSince } from "./access-calls.ts";
import { toList } from "./values.ts";

// By this program's clock. Callers that wait for a row give up at this time; a `check` must finish within three seconds.
const WRITE_MS = 5_000;
const CHECK_MS = 2_500;

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

const NONE: Head = { seq: 0, hash: "" };

// Read from a single state, since each append moves the head too. The head may be newer if its lock had to be waited for.
const HEAD = `SELECT seq, hash, (SELECT coalesce(max(seq), 0) FROM access) AS "lastSeq" FROM access_head`;

/**
 * The newest row; seq 0 if there is none. While its lock is held, no other server adds a row until the transaction ends. Throws
 * `StoreFault` if rows follow it, or if the row that this program wrote last is missing.
 */
export async function lockHead({ ask }: Transaction, kept = NONE): Promise<Head> {
  const rows = await ask<KeptHead>(
    `SELECT seq, hash, ${toKept("$1")} FROM access_head FOR UPDATE`,
    [kept.seq],
  );
  return toKeptHead(rows, kept);
}

const toKept = (seq: string) => `(SELECT coalesce(max(seq), 0) FROM access) AS "lastSeq",
  (SELECT access.hash FROM access WHERE access.seq = ${seq}::int8) AS kept`;

/** Throws `StoreFault` unless the log continues from this row. */
function toKeptHead(rows: readonly KeptHead[], known: Head): Head {
  const head = toHead(rows);
  const kept = rows[0]?.kept ?? undefined;
  const loss =
    (known.seq !== 0 && kept !== known.hash
      ? describeLoss({ ...known, timeMs: Number.NaN }, { hash: kept, lastSeq: head.seq })
      : undefined) ?? describeSetBack(head);
  if (loss !== undefined) throw new StoreFault("lost", `the access log lost rows: ${loss}`);
  return head;
}

/** Undefined unless rows follow the head. */
const describeSetBack = ({ seq, lastSeq }: FoundHead): string | undefined =>
  lastSeq > seq ? `its head was set back from row ${lastSeq} to row ${seq}` : undefined;

const GONE = "the head of the access log is gone";

interface StoredRow {
  readonly seq: string;
  readonly hash: string;
}

interface StoredHead extends StoredRow {
  readonly lastSeq: string;
}

/** Adds the current hash of the row with a known row's number. */
interface KeptHead extends StoredHead {
  readonly kept: string | null;
}

interface FoundHead extends Head {
  /** The number of the newest stored row; 0 if there is none. */
  readonly lastSeq: number;
}

function toHead([row]: readonly StoredHead[]): FoundHead {
  if (row === undefined) throw new StoreFault("lost", GONE);
  return { seq: Number(row.seq), hash: row.hash, lastSeq: Number(row.lastSeq) };
}

/** Appends the entries, JSON, after the head, whose lock is held. Returns the new head. */
export async function appendRows(
  transaction: Transaction,
  head: Head,
  entries: readonly string[],
): Promise<Head> {
  let { seq, hash } = head;
  const rows = entries.map(sealEntry).map((entry) => {
    seq += 1;
    hash = toRowHash(hash, seq, entry);
    return { seq, entry, hash };
  });
  await insertRows(transaction, rows);
  return { seq, hash };
}

/** Adds one or more rows that follow the head, and moves the head. */
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

/** A group whose rows were sent but whose result is unknown: the response to its COMMIT was lost. */
interface Unsure {
  readonly entries: readonly string[];
  readonly head: Head;
}

/**
 * Writes groups of rows. A group whose response was lost counts as not written, and its callers are refused. Entries that are written
 * again are left out if they turn out to be stored, so that no row is stored twice.
 */
export function createRowWriter({ ask, transact }: Pool): RowWriter {
  const written = new Set<string>();
  let unsure: Unsure | undefined;
  // Every program remembers the last row that it wrote, so it notices if rows were cut off and the head was set back.
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
    append: async (entries, isPromised = false) => {
      const head = await transact(
        async (transaction) => {
          // Holding the lock means that its previous holder has ended, even if this program never received the result.
          const last = await lockHead(transaction, isPromised ? NONE : kept);
          await settle(transaction);
          const left = entries.filter((entry) => !written.has(entry));
          const next = await appendRows(transaction, last, left);
          unsure = { entries: left, head: next };
          return next;
        },
        { deadlineMs: WRITE_MS },
      );
      if (!isPromised) kept = head;
      unsure = undefined;
      written.clear();
    },
    check: async () => {
      const known = kept;
      const rows = await ask<KeptHead>(
        `UPDATE access_head SET seq = seq RETURNING seq, hash, ${toKept("$1")}`,
        [known.seq],
        CHECK_MS,
      );
      toKeptHead(rows, known);
    },
    witness: async () => {
      const head = await readWitness(ask, kept);
      if (head !== undefined && head.seq > kept.seq) kept = head;
      return head;
    },
  };
}

// The head needs no note of its own here: it is in the same database as the records.
export async function readWitness(ask: Ask, kept = NONE): Promise<ChainHead | undefined> {
  const rows = await ask<KeptHead & Record<"own" | "entry", string | null>>(
    `SELECT head.seq, head.hash, own.hash AS own, own.entry, ${toKept("$1")}
     FROM access_head AS head LEFT JOIN access AS own USING (seq)`,
    [kept.seq],
  );
  toKeptHead(rows, kept);
  const [row] = rows;
  if (row === undefined || row.seq === "0") return undefined;
  if (row.own !== row.hash) throw new StoreFault("lost", toLoss(Number(row.seq)));
  return toChainHead(row);
}

/** The part of the log that the note next to the recordings is compared with. `id`: of the log. */
export const toNotedLog = (ask: Ask, id: string): NotedLog => ({
  id: async () => id,
  find: async (seq) => {
    const [row] = await ask<StoredRow & { entry: string }>(
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
}: StoredRow & { readonly entry: string | null }): ChainHead => ({
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
    const head = toHead(await transaction.ask<StoredHead>(`${HEAD} FOR UPDATE`));
    const found = toNotedLog(transaction.ask, id);
    const newest = await found.find();
    const findLoss = async (known: ChainHead | undefined) =>
      known && known.seq > 0
        ? describeLoss(known, {
            hash: (await found.find(known.seq))?.hash,
            lastSeq: newest?.seq ?? 0,
          })
        : undefined;
    const loss =
      (await findLoss({ ...head, timeMs: Number.NaN })) ??
      describeSetBack(head) ??
      (await findLoss(noted));
    if (loss === undefined) throw new ArchiveError(NOTHING_LOST);
    // No new row gets the number of a lost one.
    const seq = Math.max(head.seq, noted?.seq ?? 0, newest?.seq ?? 0) + 1;
    const entry = toEntry(loss);
    await insertRows(transaction, [
      { seq, entry, hash: toRowHash(newest?.hash ?? "", seq, entry) },
    ]);
    return loss;
  });
  const head = await log.find();
  if (head !== undefined) await note?.write(head);
  return lost;
}

const toLoss = (seq: number) =>
  `the access log lost rows: row ${seq} is not the one that was written last`;

export function createAccessLog(
  pool: Pool,
  { queue, id }: { readonly queue: AccessQueue; readonly id: string },
): AccessLog {
  const { ask } = pool;
  return {
    ...toNotedLog(ask, id),
    ...createAccessCalls(pool),
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
  // The head is read first, because rows may be added meanwhile.
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
  if (report.fault !== undefined) return report;
  return {
    ...report,
    fault: describeSetBack(head) ?? (isHeadThere ? undefined : toLoss(head.seq)),
  };
}

const PAGE_ROWS = 1_000;

/**
 * Reads page by page, so that a reader of a long log does not hold a transaction. The conditions are matched as text, so the caller
 * has to check each row again. They have no index: such reads are rare, and each logged request would pay for the index.
 */
export async function* readRows(
  ask: Ask,
  { sinceMs, callId, runs = [], hasOutcome }: AccessQuery = {},
  afterSeq = 0,
): AsyncGenerator<Row & FollowingRow> {
  // Rows after the head are listed too.
  const { lastSeq: last } = toHead(await ask<StoredHead>(HEAD));
  const ofOutcome = hasOutcome === undefined ? "" : '"outcome":"';
  const text = callId === undefined ? ofOutcome : JSON.stringify(callId);
  for (let after = afterSeq; after < last;) {
    const rows = await ask<StoredRow & { entry: string; before: string | null }>(
      `SELECT seq, entry, hash, ${BEFORE} FROM access WHERE seq > $1::int8 AND seq <= $2::int8
         AND (strpos(entry, $3::text) > 0 OR EXISTS (SELECT FROM unnest($5::text[]) AS run WHERE strpos(entry, run) > 0)) AND ($4::float8 IS NULL OR ${toSince("$4")}) ORDER BY seq`,
      [after, after + PAGE_ROWS, text, sinceMs ?? null, toList(callId === undefined ? [] : runs)],
    );
    for (const { seq, ...row } of rows) yield { seq: Number(seq), ...row };
    after += PAGE_ROWS;
    // One flipped bit in a number may make a gap of a million pages.
    if (rows.length === 0) after = await skipGap(ask, after);
  }
}

/** The number before the first row after this one. */
async function skipGap(ask: Ask, after: number): Promise<number> {
  const [next] = await ask<{ seq: number | null }>(
    "SELECT min(seq)::float8 - 1 AS seq FROM access WHERE seq > $1::int8",
    [after],
  );
  return next?.seq ?? Infinity;
}
