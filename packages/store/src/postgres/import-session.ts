// An import into PostgreSQL. Several may run in parallel, in this process and in others. Decisions about the same record
// are made sequentially.
import {
  ArchiveError,
  type ArchiveItem,
  type ImportedRows,
  type ImportSession,
  type ImportSessionOptions,
  type LeftRow,
  type Media,
  type Outcome,
} from "../port/index.ts";
import { createLeaveOutDue, type LeaveOutDue, toWholeRow } from "../values/import-policy.ts";
import { toTotal } from "../values/import-totals.ts";
import { toLastId } from "../values/order-key.ts";
import {
  createMarker,
  createRowWriter,
  createRunMemory,
  leaveOutMarked,
  type Marker,
  toNeeded,
  withDue,
} from "../writing/row-writer.ts";
import type { Archive } from "./archive.ts";
import { createRecordForm } from "./call-rows.ts";
import type { Ask, Pool, Transaction } from "./connection.ts";
import { isWhole, type Judged, toNextDigest, toWhole } from "./digested.ts";
import { checkNumbers, checkTables } from "./row-sums.ts";
import { enterGate, lockHolds, lockKeys } from "./locks.ts";
import { holdCaughtUp } from "./maintenance/catch-up.ts";
import { lift } from "./maintenance/ledger.ts";
import { matchHolds } from "./maintenance/ledger-holds.ts";
import { makeMonths, toMonth, toSearchIndexes } from "./months.ts";
import { sealMonths } from "./search/segments.ts";
import { readSettings } from "./settings.ts";
import { createTermLister } from "./terms.ts";
import { createActSource } from "./writing/acts.ts";
import { readDueMeans } from "./writing/due-means.ts";
import { type Batch, toBatch, toLockKeys } from "./writing/batch.ts";
import { loadSlice, readTombstones } from "./writing/load-slice.ts";
import { listLifted, saveSlice } from "./writing/save-slice.ts";

/** If some of it were missing, an import would make an archive that looks complete. */
const ADDED_TO = ["user", "flag", "call", "chat"] as const;

type Rows = readonly (readonly ArchiveItem[])[];

/** Throws `ArchiveError` while records are erased. */
export async function openImportSession(
  archive: Archive,
  { restoresErased = false, writer, only, countsRows = only === undefined }: ImportSessionOptions,
): Promise<ImportSession> {
  const { write: pool, media } = archive;
  // Read again: a migration into an open archive brings its own key of tombstones.
  const ask = toLongAsk(pool);
  const settings = await readSettings({ ask });
  // Recordings are stored before the records that name them. Without the gate, an erasure would delete them as unused meanwhile.
  const gate = await holdCaughtUp({ ...archive, settings });
  if (gate === undefined) throw beingPurged();
  try {
    // With a damaged tombstone an erased call would come back.
    await checkTables(ask, ["tombstone"]);
    if (countsRows) await checkNumbers(ask, ADDED_TO);
  } catch (error) {
    await gate[Symbol.asyncDispose]();
    throw error;
  }
  const acts = await createActSource(pool.ask, writer);
  const form = createRecordForm(settings);
  const listTerms = createTermLister(settings.indexSeed);
  const memory = createRunMemory();
  const toMarks = createMarker(settings);
  const { timeZone, policy } = settings;
  const leaveOutDue = createLeaveOutDue({ policy, timeZone, writer });
  const run = { ...settings, toMarks, restoresErased, memory };
  const prepareMonths = createMonthMaker(pool);

  let areChecked = false;
  const checkRevisions = async (askIn: Ask) => {
    if (!areChecked) await checkTables(askIn, ["call_revision"]);
    areChecked = true;
  };

  const writeBatch = async (transaction: Transaction, rows: Rows, batch: Batch) => {
    await lockHolds(transaction, false);
    await lockKeys(transaction, toLockKeys(batch));
    const { act } = acts;
    const means = { toMarks, form, act, timeZone: settings.timeZone, checkRevisions };
    const loaded = await loadSlice(transaction.ask, batch, means);
    const due = leaveOutDue && {
      leaveOut: leaveOutDue,
      ...(await readDueMeans(
        { ask: transaction.ask, timeZone: settings.timeZone, form },
        rows,
        leaveOutDue,
      )),
    };
    const outcomes = rows.map(createRowWriter(loaded.slice, { ...run, due }).write);
    await acts.save(transaction.ask);
    await saveSlice(transaction, loaded, {
      listTerms,
      form,
      media: listMedia(rows, outcomes),
    });
    // A migration brings the ledger of the other archive.
    if (settings.migrating === "")
      await lift(transaction, { media, settings }, { marks: listLifted(loaded), writer });
    return outcomes;
  };
  let fault: unknown;
  const write = async (rows: Rows, refused: number, hasMore: boolean): Promise<Outcome[]> => {
    if (fault !== undefined) throw fault;
    gate.check();
    if (rows.length + refused === 0 && hasMore) return [];
    try {
      const batch = toBatch(rows, settings.timeZone, form);
      await prepareMonths(batch.instants);
      return await pool.transact(
        async (transaction) => {
          // The last of these consecutive transactions waits until all of them are on the disk.
          if (hasMore) await transaction.run("SET LOCAL synchronous_commit = off");
          // The session may have lost its gate unnoticed, so this transaction enters it too.
          if (!(await enterGate(transaction, false))) throw beingPurged();
          const outcomes = rows.length === 0 ? [] : await writeBatch(transaction, rows, batch);
          await addTotals(transaction, outcomes, refused);
          return outcomes;
        },
        { isLong: true },
      );
    } catch (error) {
      // The session may remember rows that were not written.
      fault = error;
      throw error;
    }
  };
  return {
    leaveOutErased: createSieve({ ask, timeZone, form, restoresErased }, toMarks, leaveOutDue),
    write: (rows, refused = 0, hasMore = false) => write(rows, refused, hasMore),
    [Symbol.asyncDispose]: async () => {
      try {
        if (fault === undefined) await settle(pool, prepareMonths.written);
        // The ledger gets what replacements have caught. The next import does what fails.
        if (settings.migrating === "") await matchHolds({ ...archive, settings }).catch(() => {});
      } finally {
        await gate[Symbol.asyncDispose]();
      }
    },
  };
}

/** Other sessions' batches may occupy all connections for longer than a single statement waits for one. */
const toLongAsk =
  ({ transact }: Pool): Ask =>
  (text, values) =>
    transact(({ ask }) => ask(text, values), { isLong: true });

const beingPurged = () =>
  new ArchiveError("records are being purged from this archive: try again when that has ended");

/** Makes searches fast again; nothing is lost if it fails. */
async function settle(pool: Pool, months: Iterable<number>): Promise<void> {
  try {
    for (const index of Array.from(months, toSearchIndexes).flat())
      await pool.transact(
        ({ ask }) => ask("SELECT gin_clean_pending_list($1::regclass)", [index]),
        {
          isLong: true,
        },
      );
    await sealMonths(pool, Date.now());
  } catch {
    // Every row is written, and the next import completes this step.
  }
}

/** Creates the tables of the months that contain these instants. `written`: all months so far. */
function createMonthMaker(pool: Pool) {
  const known = new Set<number>();
  const prepare = async (instants: readonly number[]): Promise<void> => {
    const months = new Set(instants.map((instantMs) => toMonth(toLastId(instantMs)) ?? 0));
    for (const month of known) months.delete(month);
    if (months.size === 0) return;
    await pool.transact((transaction) => makeMonths(transaction, months), { isLong: true });
    for (const month of months) known.add(month);
  };
  return Object.assign(prepare, { written: known });
}

/** The contents in the accepted rows. */
function listMedia(rows: Rows, outcomes: readonly Outcome[]): ReadonlyMap<string, Media> {
  const taken = rows.filter((_, index) => typeof outcomes[index] === "string").flat();
  const media = taken.flatMap((item) =>
    item.kind === "call" ? item.recordings.map((one) => one.media) : [],
  );
  return new Map(media.map((one) => [one.sha256, one]));
}

/** See `ImportSession.leaveOutErased`. Nothing is purged while a session is open, so an archive without tombstones gets none meanwhile. */
function createSieve(
  archive: Parameters<typeof readDueMeans>[0] & { readonly restoresErased: boolean },
  toMarks: Marker,
  leaveOutDue: LeaveOutDue | undefined,
): ImportSession["leaveOutErased"] {
  const { ask } = archive;
  let hasNone: boolean | undefined;
  const leaveOutErased = async (row: readonly ArchiveItem[]) => {
    hasNone ??= (await ask("SELECT FROM tombstone LIMIT 1")).length === 0;
    if (hasNone) return toWholeRow(row);
    const found = await readTombstones(ask, row.flatMap(toMarks));
    const known = new Map(found.map((one) => [one.mark, one]));
    return leaveOutMarked(row, toMarks, (mark) => known.get(mark));
  };
  return async (row) => {
    const left = await leaveOutErased(row);
    if (leaveOutDue === undefined) return left;
    const means = await readDueMeans(archive, [row], leaveOutDue);
    const toLeft = (one: LeftRow) => withDue(one, leaveOutDue(one.items, means));
    return toNeeded(left, toLeft, archive.restoresErased ? row : undefined);
  };
}

const KINDS = ["imported", "replaced", "unchanged", "erased", "rejected"] as const;

/** Adds a batch's counts as the last step: the lock on this row blocks the commits of all other sessions. */
async function addTotals(
  { ask }: Transaction,
  outcomes: readonly Outcome[],
  refused: number,
): Promise<void> {
  const totals = { imported: 0, replaced: 0, unchanged: 0, erased: 0, rejected: refused };
  for (const outcome of outcomes) totals[toTotal(outcome)] += 1;
  const sums = KINDS.map((kind, index) => `${kind} = ${kind} + $${index + 1}::int8`);
  await ask(
    `UPDATE imported_rows SET ${sums.join(", ")}, digest = ${toNextDigest("imported_rows")}`,
    KINDS.map((kind) => totals[kind]),
  );
}

export async function readImportedRows({ ask }: Pool): Promise<ImportedRows> {
  const rows = await ask<Record<keyof ImportedRows, string> & Judged>(
    `SELECT ${KINDS.join(", ")}, ${isWhole("imported_rows")} AS whole FROM imported_rows`,
  );
  const [row] = toWhole("imported_rows", rows);
  const read = (kind: keyof ImportedRows) => Number(row?.[kind] ?? 0);
  return {
    imported: read("imported"),
    replaced: read("replaced"),
    unchanged: read("unchanged"),
    erased: read("erased"),
    rejected: read("rejected"),
  };
}
