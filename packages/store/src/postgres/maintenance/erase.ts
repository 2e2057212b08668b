// Erases calls from an archive permanently: rows, names, chats, the search index, and the recordings that no other call has. The same
// command completes an interrupted erasure: contents are found by their remaining rows until they are gone.
import type { ErasureEntry } from "../../port/access-log.ts";
import type {
  ErasedCounts,
  ErasureFilter,
  ErasurePlan,
  Maintenance,
  OnProgress,
  Retained,
} from "../../port/index.ts";
import { ArchiveError } from "../../port/faults.ts";
import { createNotes } from "../../values/ledger-notes.ts";
import { parseEntry } from "../../values/access-chain.ts";
import {
  isErasureOf,
  isOfIdentifier,
  listMarkNames,
  parseErasure,
  toAsked,
  toErasureEntry,
} from "../../values/erasure-entry.ts";
import { toCase } from "../../values/owed-marks.ts";
import { findStrayMedia, watchNames } from "../../values/stray-media.ts";
import { appendEntry } from "../access-log.ts";
import type { Archive } from "../archive.ts";
import { createRecordForm } from "../call-rows.ts";
import { toName } from "../names.ts";
import { createMarker } from "../tombstones.ts";
import { toList } from "../values.ts";
import { openSnapshot } from "../open-transaction.ts";
import { findDoomed } from "./doomed.ts";
import { catchUpAlone } from "./catch-up.ts";
import { HoldsChanged } from "./erase-batches.ts";
import { createRowEraser } from "./erase-rows.ts";
import { matchHolds } from "./ledger-holds.ts";
import { openWriter, putHead, readNew, toOwn } from "./ledger.ts";
import { openAlone } from "./open-alone.ts";
import { sum, toExtent } from "./extent.ts";
import { removeUnnamed } from "./unnamed.ts";

/** `open`: opens the archive, which is closed after each use. */
export function createErasure(
  open: () => Promise<Archive>,
): Pick<Maintenance, "planErasure" | "erase" | "discard"> {
  return {
    discard: async (sha256s) => {
      await using archive = await openAlone(open).catch((error: unknown) => {
        if (error instanceof ArchiveError) return undefined;
        throw error;
      });
      if (archive === undefined) return;
      const { write, media } = archive;
      for (const sha256 of sha256s) {
        const known = await write.ask(
          "SELECT 1 FROM media WHERE sha256 = decode($1::text, 'hex')",
          [sha256],
        );
        if (known.length > 0) continue;
        await archive.prove();
        await media.delete(sha256);
      }
    },
    planErasure: async (filter) => {
      await using archive = await openAlone(open);
      const behind = (await readNew(archive)).entries.length;
      await matchHolds(archive);
      const { plan: found } = await plan(archive, filter);
      return { ...found, behind: behind || undefined };
    },
    // A download that has begun ends whole; what is requested afterwards is not found.
    erase: async (filter, { onProgress = () => {}, ...given }) => {
      await using archive = await openAlone(open);
      const { write, media, settings } = archive;
      // What an interrupted erasure has left is counted in this one.
      const rest = await catchUpAlone(archive);
      await media.claim?.(settings.archiveId);
      const ofCase = given.case ?? null;
      const first = await plan(archive, filter, ofCase);
      const { cases, unknown } = first.doomed;
      const by = { ...given, case: toCase(given.case, cases, unknown) };
      const { plan: taken, strays, recordBytes } = first;
      const { calls, chats, files, fileBytes } = taken;
      let erasure: number | null = null;
      if (calls + chats + files > 0) {
        const found = { calls, chats, files, fileBytes };
        const entry = toErasureEntry(filter, { ...by, found }, () => [
          ...first.doomed.named.values(),
        ]);
        const text = JSON.stringify(entry);
        erasure = (await write.transact((one) => appendEntry(one, text))).seq;
      }
      const own = toOwn(archive);
      const notes = own && createNotes(await openWriter(write.ask, own, settings), { filter, by });
      const eraser = createRowEraser(archive, {
        erasure,
        isForEver: isOfIdentifier(filter),
        isSound: filter.isSound ?? false,
        isOwed: "isOwed" in filter,
        debt: first.doomed.debt,
        notes,
      });
      const onErased = toReporter(onProgress, "records", recordBytes);
      const { gone, last } = await eraseUnheld({
        eraser,
        replan: () => plan(archive, filter, ofCase),
        first,
        onErased,
      });
      const onRemoved = toReporter(onProgress, "recordings", fileBytes);
      const retained: Retained[] = [];
      const remove = async (name: string, bytes: number) => {
        const kept = await media.delete(name);
        if (kept !== undefined) retained.push(kept);
        onRemoved(bytes);
        return kept === undefined;
      };
      await removeUnnamed(archive, { remove });
      for (const { name, bytes } of strays) {
        await archive.prove();
        await remove(name, bytes);
      }
      await archive.prove();
      // Until then the next process that opens the archive completes this.
      if (notes !== undefined) await write.transact(({ ask }) => putHead(ask, notes.head()));
      // Copies of removed rows in PostgreSQL's files and its log cannot be queried.
      const { files: _files, fileBytes: _bytes, held: _held, ...names } = taken;
      const { held } = last.plan;
      const counted = {
        calls: gone.calls + rest.calls,
        chats: gone.chats + rest.chats,
        files: last.plan.files + rest.files,
        fileBytes: last.plan.fileBytes + rest.fileBytes,
      };
      return { ...names, ...counted, ...(held && { held }), retained, isComplete: true };
    },
  };
}

interface Erasing {
  readonly eraser: ReturnType<typeof createRowEraser>;
  readonly first: Awaited<ReturnType<typeof plan>>;
  readonly replan: () => ReturnType<typeof plan>;
  readonly onErased: (bytes: number) => void;
}

/** A hold that is added meanwhile keeps what is not erased yet: the rest is planned again. */
async function eraseUnheld({ eraser, first, replan, onErased }: Erasing) {
  const gone = { calls: 0, chats: 0 };
  for (let last = first; ;)
    try {
      await eraser.erase(last.doomed, { gone, onErased });
      return { gone, last };
    } catch (error) {
      if (!(error instanceof HoldsChanged)) throw error;
      last = await replan();
    }
}

function toReporter(onProgress: OnProgress, step: string, bytesTotal: number) {
  let bytesDone = 0;
  return (bytes: number) => onProgress({ step, bytesDone: (bytesDone += bytes), bytesTotal });
}

// While the gate is held no recording is being added: one that no row names was left by an interrupted import, perhaps of one of these very
// calls.
async function plan(archive: Archive, filter: ErasureFilter, ofCase: string | null = null) {
  const { write, settings, media } = archive;
  await using snapshot = await openSnapshot(write);
  const { ask } = snapshot;
  const form = createRecordForm(settings);
  const found = await findDoomed({ ask, form, ...settings }, filter, ofCase);
  const { calls, chats, own, unlinked } = await toExtent(ask, found);
  const doomed = { ...found, contents: new Set(own.map(({ sha256 }) => sha256)) };
  const unnamed = own.filter(({ isUnnamed }) => isUnnamed).map(({ sha256 }) => sha256);
  const named = watchNames(media.list(), new Set(unnamed));
  const isKnown = async (sha256: string) =>
    (await ask("SELECT 1 FROM media WHERE sha256 = decode($1::text, 'hex')", [sha256])).length > 0;
  const { unreferenced, leftovers } = await findStrayMedia(named.stored, isKnown, 0);
  const strays = [...unreferenced, ...leftovers];
  const counts: ErasedCounts = {
    calls: calls.rows,
    chats: chats.rows,
    files: own.length + strays.length,
    fileBytes: sum(own) + sum(strays),
  };
  const planned: ErasurePlan = {
    ...counts,
    unlinked,
    ofNoRecord: [...named.names, ...strays.map(({ name }) => name)],
    taken: await findEarlier(archive, filter, counts),
    ...("callIds" in filter && { unknown: await listUnknown(archive, filter.callIds) }),
    ...(doomed.held !== undefined && { held: doomed.held }),
    ...(doomed.soundless > 0 && { soundless: doomed.soundless }),
  };
  return { plan: planned, doomed, strays, recordBytes: calls.bytes + chats.bytes };
}

/** See `ErasurePlan.unknown`. */
async function listUnknown(
  { write, settings }: Archive,
  callIds: readonly string[],
): Promise<readonly string[]> {
  const wanted = [...new Set(callIds)];
  const toMark = createMarker(settings.tombstoneKey);
  const [own = [], other = []] = [0, 1].map((at) =>
    wanted.map((callId) => listMarkNames({ callId })[at] ?? []).map(toMark),
  );
  const rows = await write.ask<{ at: number }>(
    `SELECT at::float8 FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) WITH ORDINALITY AS one (name, own, other, at)
     WHERE NOT EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c')
       AND NOT EXISTS (SELECT FROM chat WHERE call_name = one.name)
       AND NOT EXISTS (SELECT FROM tombstone WHERE mark IN (one.own, one.other)) ORDER BY at`,
    [toList(wanted.map(toName)), toList(own), toList(other)],
  );
  return rows.flatMap(({ at }) => wanted[at - 1] ?? []);
}

/** See `ErasurePlan.taken`. */
export async function findEarlier(
  { write, settings }: Archive,
  filter: ErasureFilter,
  { calls, chats }: ErasedCounts,
): Promise<ErasureEntry | undefined> {
  const names = listMarkNames(filter);
  if (names.length === 0 || calls + chats > 0) return undefined;
  const marks = names.map(createMarker(settings.tombstoneKey));
  const [found] = await write.ask<{ entry: string }>(
    `SELECT entry FROM tombstone JOIN access ON seq = erasure WHERE mark = ANY($1::bytea[])
     ORDER BY seq DESC LIMIT 1`,
    [toList(marks)],
  );
  const ofMark = parseErasure(found?.entry);
  if (ofMark !== undefined) return ofMark;
  const asked = JSON.stringify(toAsked(filter));
  // Looked for as texts first: PostgreSQL parses no JSON that contains U+0000.
  const rows = await write.transact(
    ({ ask }) =>
      ask<{ entry: string }>(
        `SELECT entry FROM access WHERE strpos(entry, '"operation":"purge"') > 0 AND strpos(entry, $1::text) > 0 ORDER BY seq DESC`,
        [`"asked":${asked}`],
      ),
    { isLong: true },
  );
  const own = rows.find(({ entry }) => isErasureOf(filter, parseEntry(entry)));
  return parseErasure(own?.entry);
}
