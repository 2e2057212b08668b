// The holds of an archive in PostgreSQL. One can be added while other work runs, even a purge, which applies it before it removes the next
// rows.
import { ArchiveError } from "../../port/faults.ts";
import type { Holds, ListedHold, NewHold } from "../../port/holds.ts";
import type { ErasureEntry, InternalRow, Writer } from "../../port/index.ts";
import { listMarkNames, parseErasure } from "../../values/erasure-entry.ts";
import { checkMigrated } from "../../values/half-migrated.ts";
import {
  checkNewName,
  inBytes,
  refuseTaken,
  toListedHold,
  toStoredHold,
} from "../../values/holds.ts";
import { LedgerFault } from "../../values/ledger.ts";
import {
  checkNewFile,
  NO_HOLDS,
  putHold as putToldHold,
  readReadableHolds,
  toLaterMs,
} from "../../values/ledger-holds.ts";
import { inHaste, unlessUnread } from "../../values/ledger-reach.ts";
import { toOwedRow } from "../../values/owed-marks.ts";
import type { Archive } from "../archive.ts";
import type { Settings } from "../settings.ts";
import { createRecordForm } from "../call-rows.ts";
import type { Ask, Transaction } from "../connection.ts";
import {
  createHoldWatch,
  type Held,
  type LoneMessage,
  readHolds,
  savePins,
  selectLone,
  toKey,
} from "../holds.ts";
import { toName } from "../names.ts";
import { createMarker } from "../tombstones.ts";
import { toList } from "../values.ts";
import { lockHolds } from "../locks.ts";
import { openSnapshot } from "../open-transaction.ts";
import { readActs } from "../writing/acts.ts";
import { holdCaughtUp } from "./catch-up.ts";
import { countOwed } from "./doomed.ts";
import { EVERY_ID, readRange } from "./id-ranges.ts";
import { isPending, readNew, toOwn } from "./ledger.ts";
import { addAct, insertHold, listHolds, matchHolds, putHold, removeHold } from "./ledger-holds.ts";
import { findOwed, saveOwed } from "./owed.ts";

/** `open`: opens the archive, which is closed after each use. */
export function createHolds(open: () => Promise<Archive>): Holds {
  return {
    add: async (given, by) => {
      await using archive = await open();
      checkMigrated(archive.settings.migrating);
      const unread = await tryCatchUp(archive);
      const untold = await add(archive, { given, by });
      const [listed] = await list(archive, given.name);
      const why = unread ?? untold;
      return {
        ...(listed ?? refuseTaken(given.name)),
        ...(why !== undefined && { unread: why }),
      };
    },
    list: async () => {
      await using archive = await open();
      if (archive.settings.migrating === "") await unlessUnread(matchHolds(archive));
      return await list(archive);
    },
    release: async (name) => {
      await using archive = await open();
      // Also sees to it that the ledger can be reached: a hold that it still has would come back.
      await matchHolds(archive);
      const hold = (await listHolds(archive.write.ask)).find((one) => one.name === name);
      const isKnown = await archive.write.transact(async (transaction) => {
        await lockHolds(transaction, true);
        return await removeHold(transaction.ask, name);
      });
      if (!isKnown) return undefined;
      // After the archive: whoever is killed in between leaves a hold that the next one to write brings back.
      const own = toOwn(archive);
      if (own !== undefined)
        await putToldHold(own, { name, releasedMs: toLaterMs(hold, Date.now()) });
      const { settings, write } = archive;
      await using snapshot = await openSnapshot(write);
      const form = createRecordForm(settings);
      return await countOwed({ ask: snapshot.ask, form, ...settings });
    },
  };
}

/** Returns why the ledger could not be read. It has what an interrupted purge was about to erase. */
async function tryCatchUp(archive: Archive): Promise<string | undefined> {
  const unread = await unlessUnread(readNew(archive));
  if (unread !== undefined) return unread;
  try {
    const gate = await holdCaughtUp(archive);
    await gate?.[Symbol.asyncDispose]();
  } catch (error) {
    if (error instanceof LedgerFault) return error.message;
    // The archive is behind only because a purge is running.
    if (!(error instanceof ArchiveError)) throw error;
  }
  return undefined;
}

/** Judges all calls and messages. */
async function findHeld({ write, settings }: Archive): Promise<Held> {
  await using snapshot = await openSnapshot(write);
  const { ask } = snapshot;
  const { timeZone } = settings;
  const watch = await createHoldWatch({ ask, timeZone, form: createRecordForm(settings) });
  if (watch.holds.length > 0)
    for await (const rows of readRange(ask, EVERY_ID)) await watch.take(rows);
  if (watch.holds.length > 0) await watch.takeMessages(await ask<LoneMessage>(selectLone("true")));
  return watch.end();
}

async function list(archive: Archive, only?: string): Promise<readonly ListedHold[]> {
  const { found } = await findHeld(archive);
  const holds = await readHolds(archive.write.ask);
  const acts = await readActs(
    archive.write.ask,
    holds.map(({ act }) => act),
  );
  const { settings, write } = archive;
  const pins = await listPins(write.ask);
  const owing = { ask: write.ask, form: createRecordForm(settings), ...settings };
  const owed = (await findOwed(owing)).here.callIds;
  const missing = pins.flatMap(({ callId, isThere }) => (isThere ? [] : [callId]));
  const erasures = await findErased(archive, missing);
  const known = { held: found, owed, erasures, toKey: (callId: string) => toKey(toName(callId)) };
  return holds
    .filter(({ name }) => name === (only ?? name))
    .map((hold) => {
      const own = pins.filter((pin) => pin.hold === hold.name);
      const pinned = inBytes(own.map(({ callId }) => callId));
      const away = new Set(own.flatMap(({ callId, isThere }) => (isThere ? [] : [callId])));
      const of = { pinned, missing: pinned.filter((callId) => away.has(callId)) };
      return toListedHold(hold, { ...known, ...of, added: acts.get(hold.act) });
    });
}

/** The newest erasures of those of these call_ids that have a mark; undefined if the log no longer has it. */
async function findErased(
  { write, settings }: Archive,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, ErasureEntry | undefined>> {
  const toMark = createMarker(settings.tombstoneKey);
  const marks = callIds.flatMap((callId) =>
    listMarkNames({ callId }).map((name) => [callId, toMark(name)] as const),
  );
  const rows = await write.ask<{ at: number; entry: string | null }>(
    `SELECT at::float8, entry FROM unnest($1::bytea[]) WITH ORDINALITY AS one (mark, at) JOIN tombstone USING (mark)
       LEFT JOIN access ON seq = erasure ORDER BY seq NULLS FIRST`,
    [toList(marks.map(([, mark]) => mark))],
  );
  return new Map(
    rows.flatMap(({ at, entry }) =>
      marks.slice(at - 1, at).map(([callId]) => [callId, parseErasure(entry)] as const),
    ),
  );
}

async function listPins(ask: Ask) {
  const rows = await ask<{ hold: string; call_id: string; there: boolean }>(
    `SELECT hold, call_id, EXISTS (SELECT FROM call_name WHERE call_name.name = held.name AND kind = 'c')
       OR EXISTS (SELECT FROM chat WHERE call_name = held.name) AS there FROM held`,
  );
  return rows.map((row) => ({ hold: row.hold, callId: toCallId(row), isThere: row.there }));
}

interface Given {
  readonly given: NewHold;
  readonly by: Writer;
}

/** A purge has named in the ledger what it has not erased yet. The transaction is rolled back. */
class Unerased extends Error {
  override readonly name = "Unerased";
}

const UNERASED = "the archive is behind it, and another process is working there";

/** Adds the hold when the archive is not behind. */
async function add(archive: Archive, given: Given): Promise<string | undefined> {
  try {
    return await addUnless(archive, given);
  } catch (error) {
    if (!(error instanceof Unerased)) throw error;
    await tryCatchUp(archive);
    return await addUnless(archive, { ...given, isUrgent: true });
  }
}

interface Adding extends Given {
  /** True if it is added also to an archive that is behind. */
  readonly isUrgent?: boolean;
}

/**
 * Throws `Unerased`. Returns why the ledger does not have the hold; the next process that reaches it writes it there. It has it before the archive does:
 * whoever is killed in between leaves a hold that the next one to write brings.
 */
async function addUnless(
  archive: Archive,
  { given, by, isUrgent = false }: Adding,
): Promise<string | undefined> {
  const own = toOwn(archive);
  let there = NO_HOLDS;
  const read = async () => {
    if (own !== undefined) there = await readReadableHolds(own);
  };
  const unread = await unlessUnread(read());
  checkNewFile(given.name, there);
  let isTold = false;
  const write = async (transaction: Transaction) => {
    // Every erasure and every replacement reads holds under the same lock.
    await lockHolds(transaction, true);
    const { ask } = transaction;
    const haste = own && { ...own, place: inHaste(own.place) };
    let isBehind = false;
    const seek = async () => {
      if (haste !== undefined) isBehind = await isPending(transaction, haste);
    };
    const unsought = unread ?? (await unlessUnread(seek()));
    if (isBehind && !isUrgent) throw new Unerased();
    checkNewName(given.name, await readHolds(ask));
    const atMs = toLaterMs(there.told.get(given.name), Date.now());
    const act = { atMs, operation: by.operation, operator: by.operator };
    const id = await addAct(ask, { ...act, ...(by.run !== undefined && { run: by.run }) });
    await insertHold(ask, archive.settings, toStoredHold(given, id));
    const pinned = "callIds" in given.holds ? given.holds.callIds : [];
    await savePins(
      ask,
      pinned.map((callId) => ({ hold: given.name, callId })),
    );
    const hold = (await listHolds(ask)).find(({ name }) => name === given.name);
    if (haste === undefined || hold === undefined) return undefined;
    // Unread, it may have a hold of this name.
    const untold = unread ?? (await unlessUnread(putToldHold(haste, hold)));
    isTold = untold === undefined;
    return untold ?? unsought ?? (isBehind ? UNERASED : undefined);
  };
  return await archive.write.transact(write, { isLong: true }).catch(async (error: unknown) => {
    const { name } = given;
    if (isTold && own !== undefined)
      await putToldHold(own, { name, releasedMs: Date.now() + 1 }).catch(() => {});
    throw error;
  });
}

/** For `Internals`. */
export async function* listKept(ask: Ask, settings: Settings): AsyncGenerator<InternalRow> {
  const holds = await readHolds(ask);
  const acts = await readActs(
    ask,
    holds.map(({ act }) => act),
  );
  for (const { act, ...hold } of holds) {
    const added = acts.get(act);
    if (added !== undefined) yield { kind: "hold", ...hold, added };
  }
  const held = await ask<{ hold: string; call_id: string }>("SELECT hold, call_id FROM held");
  const byHold = Map.groupBy(held, ({ hold }) => hold);
  for (const hold of inBytes(byHold.keys()))
    for (const callId of inBytes((byHold.get(hold) ?? []).map(toCallId)))
      yield { kind: "held", hold, callId };
  const form = createRecordForm(settings);
  const { callIds, references } = (await findOwed({ ask, form, ...settings })).here;
  const toReason = (reason: string | null = null) => (reason === null ? {} : { reason });
  for (const callId of inBytes(callIds.keys()))
    yield { kind: "owed", callId, ...toReason(callIds.get(callId)) };
  for (const reference of inBytes(references.keys()))
    yield { kind: "owed_reference", reference, ...toReason(references.get(reference)) };
}

const toCallId = ({ call_id }: { readonly call_id: string }): string => JSON.parse(call_id);

/** Writes a row that `listKept` has returned. */
export async function putKept(ask: Ask, row: InternalRow): Promise<void> {
  if (row.kind === "held") await savePins(ask, [row]);
  await saveOwed(ask, toOwedRow(row));
  if (row.kind !== "hold") return;
  if ((await readHolds(ask)).some(({ name }) => name === row.name)) return;
  await putHold(ask, { ...row, act: await addAct(ask, row.added) });
}
