// Removes rows, in transactions that each leave a consistent archive: see erase-batches.ts and erase-calls.ts.
import { toOwnMarks } from "../../values/erasure-entry.ts";
import type { StoredMark } from "../../values/ledger.ts";
import { isNothing } from "../../values/owed-marks.ts";
import { createBurial, type ErasedCall } from "../../values/tombstones.ts";
import { type CallRow, createRecordForm } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { lockSchema } from "../locks.ts";
import { type IdRange, listMonths, MONTHLY_TABLES, toIdRange, toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import { createLongAsk } from "../open-transaction.ts";
import { isPartitioned, toForgotten } from "../row-sums.ts";
import { forgetSegments } from "../search/segments.ts";
import { createTermLister } from "../terms.ts";
import { toStored } from "../tombstones.ts";
import { toList } from "../values.ts";
import type { Doomed } from "./doomed.ts";
import {
  createLegReader,
  listWholeMonths,
  readCrossing,
  readWholeCalls,
  toIds,
} from "./doomed-calls.ts";
import { createBatches, type Erasure } from "./erase-batches.ts";
import {
  buryTalked,
  type ErasedMessage,
  eraseChats,
  type Erasing,
  forget,
  readCall,
  type Which,
} from "./erase-calls.ts";
import { eraseSound } from "./erase-sound.ts";
import { readRange } from "./id-ranges.ts";
import { putHead } from "./ledger.ts";
import type { AloneArchive } from "./open-alone.ts";
import { forgetOwed, listNewMarks, saveOwed } from "./owed.ts";

interface Work {
  /** Counts of the removed rows. */
  readonly gone: { calls: number; chats: number };
  readonly onErased: (bytes: number) => void;
}

export function createRowEraser(archive: AloneArchive, asked: Erasure) {
  const { write, settings } = archive;
  const { isForEver, isSound, isOwed } = asked;
  const { transact, notes, isAgain, isBegun, isNoted, noteKept } = createBatches(archive, asked);
  const askLong = createLongAsk(write);
  const burial = createBurial(settings.timeZone, asked.debt);
  const form = createRecordForm(settings);
  const listTerms = createTermLister(settings.indexSeed);
  const erasing: Erasing = { burial, form, listTerms, isForEver };
  const toMark = toStored(settings.tombstoneKey);
  const marking = (ask: Ask) => ({ ask, tombstoneKey: settings.tombstoneKey });

  const eraseCalls = (rows: readonly CallRow[], doomed: Doomed) =>
    transact(doomed, async (transaction) => {
      const chats = await forget(erasing, transaction, rows);
      const ids = toIds(rows);
      for (const table of MONTHLY_TABLES)
        await transaction.ask(
          `DELETE FROM ${table} WHERE ${table === "recording" ? "call" : "id"} = ANY($1::int8[])`,
          [ids],
        );
      await forgetSegments(
        transaction,
        rows.map(({ id }) => BigInt(id)),
      );
      return toGone(rows, chats);
    });

  const eraseSoundOf = (rows: readonly CallRow[], doomed: Doomed) =>
    transact(doomed, async (transaction) => {
      await transaction.addSounds(rows);
      const read = (await eraseSound(transaction.ask, rows, form)).map(readCall);
      const calls = read.flatMap(({ call }) => call ?? []);
      const names = new Set(calls.flatMap(({ record }) => record.call_id ?? []).map(toName));
      const dated = await transaction.ask<{ name: string }>(
        "SELECT replace(name::text, '-', '') AS name FROM call_revision WHERE name = ANY($1::uuid[])",
        [toList(names)],
      );
      const isDated = new Set(dated.map(({ name }) => name));
      const toMarks = (call: ErasedCall) =>
        burial.ofSound(call, isForEver || isDated.has(toName(call.record.call_id ?? "")));
      transaction.addMarks(calls.flatMap(toMarks));
      return toGone(rows, []);
    });

  /** The tables are dropped at the end, because readers wait while that happens. */
  const eraseMonth = (month: number, doomed: Doomed) =>
    transact(doomed, async (transaction) => {
      const gone: Gone[] = [];
      for await (const rows of readRange(transaction.ask, toIdRange(month)))
        gone.push(toGone(rows, await forget(erasing, transaction, rows)));
      const tables = MONTHLY_TABLES.map((table) => `${table}_${toSuffix(month)}`);
      const counted = MONTHLY_TABLES.filter(isPartitioned);
      // Whoever reads for long keeps the tables: the ledger gets no entry before they can be dropped.
      await lockSchema(transaction);
      await transaction.run(
        `LOCK TABLE ONLY ${[...counted, ...tables].join(", ONLY ")} IN ACCESS EXCLUSIVE MODE`,
      );
      await transaction.note();
      await transaction.ask("DELETE FROM segment WHERE month = $1::int4", [month]);
      await transaction.ask("DELETE FROM month WHERE number = $1::int4", [month]);
      const forgotten = counted.map((name) => toForgotten(name, `${name}_${toSuffix(month)}`));
      await transaction.run(`${forgotten.join("")} DROP TABLE ${tables.join(", ")}`);
      return gone;
    });

  /** Stores what holds keep, and says so in the ledger before. */
  const owe = (doomed: Doomed) =>
    transact(doomed, async ({ ask }) => {
      if (isNothing(doomed.owed)) return;
      await notes?.owe(await listNewMarks(marking(ask), doomed.owed));
      await saveOwed(ask, doomed.owed);
      // From the first erased row on, the archive is behind its ledger until the recordings are gone, too.
      if (notes !== undefined && !isBegun()) await putHead(ask, notes.head());
    });

  /** Removes what was owed and is erased now, or does not exist. */
  const settle = (doomed: Doomed) =>
    transact(doomed, async (transaction) => {
      const { settled, unknown, debt } = doomed;
      // What is not there any more was removed by an earlier erasure, which its mark names.
      const absent = isOwed
        ? toOwnMarks(settled)
            .map(toMark)
            .filter(([mark]) => !isNoted(mark))
        : [];
      const byMark = [...unknown.callIds.keys(), ...unknown.references.keys()];
      await noteKept(transaction, [...absent, ...byMark.map((mark): StoredMark => [mark, null])]);
      await notes?.settle(await forgetOwed(marking(transaction.ask), { debt, unknown }));
    });

  const eraseRange = async (range: IdRange, doomed: Doomed, tell: (gone: Gone) => void) => {
    const { kept } = doomed;
    const months = listWholeMonths(await listMonths(write), range, kept);
    const readOthers = createLegReader(askLong, form, doomed);
    for await (const rows of readCrossing(askLong, { range, kept, months }))
      tell(await eraseCalls([...rows, ...(await readOthers(rows))], doomed));
    for (const month of months) for (const one of await eraseMonth(month, doomed)) tell(one);
  };

  return {
    /** Throws `HoldsChanged`. */
    erase: async (doomed: Doomed, { gone, onErased }: Work): Promise<void> => {
      const tell = ({ calls, chats, bytes }: Gone) => {
        gone.calls += calls;
        gone.chats += chats;
        onErased(bytes);
      };
      const readCalls = () => readWholeCalls(askLong, form, doomed);
      if (isSound) {
        for await (const rows of readCalls()) tell(await eraseSoundOf(rows, doomed));
        return;
      }
      await owe(doomed);
      if ("fromId" in doomed.calls) await eraseRange(doomed.calls, doomed, tell);
      for await (const rows of readCalls()) tell(await eraseCalls(rows, doomed));
      const eraseSome = (which?: Which) =>
        transact(doomed, async (transaction) => {
          const chats = await eraseChats(erasing, transaction, which);
          await buryTalked(erasing, transaction, chats);
          return chats;
        });
      if (isAgain) {
        tell(toGone([], await eraseSome({ ids: doomed.chats })));
        return;
      }
      for (let chats = await eraseSome(); chats.length > 0; chats = await eraseSome())
        tell(toGone([], chats));
      await settle(doomed);
    },
  };
}

interface Gone {
  readonly calls: number;
  readonly chats: number;
  readonly bytes: number;
}

const toGone = (rows: readonly CallRow[], chats: readonly ErasedMessage[]): Gone => ({
  calls: rows.length,
  chats: chats.length,
  bytes:
    rows.reduce((sum, { record }) => sum + record.length, 0) +
    chats.reduce((sum, { bytes }) => sum + bytes, 0),
});
