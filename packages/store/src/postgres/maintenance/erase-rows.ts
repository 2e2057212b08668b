// Removes rows, in transactions that each leave a consistent archive, and leaves tombstones (D33). The chat of a call is removed right
// before the call: afterwards nothing would show that the chat belongs to it.
import { toInstantMs } from "../../values/order-key.ts";
import { toOwnMarks } from "../../values/erasure-entry.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { mergeMarks, type StoredMark } from "../../values/ledger.ts";
import type { Notes } from "../../values/ledger-notes.ts";
import { isNothing } from "../../values/owed-marks.ts";
import { createBurial, type Debt, type ErasedCall, type Mark } from "../../values/tombstones.ts";
import {
  type CallRow,
  createRecordForm,
  type ReadCall,
  readItems,
  type RecordForm,
} from "../call-rows.ts";
import type { Ask, Transaction } from "../connection.ts";
import { elsewhere } from "../faults.ts";
import { toList } from "../values.ts";
import { readHolds, toHoldsMark } from "../holds.ts";
import { lockHolds, lockSchema } from "../locks.ts";
import { type IdRange, listMonths, MONTHLY_TABLES, toIdRange, toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import { createLongAsk } from "../open-transaction.ts";
import { isPartitioned, toForgotten } from "../row-sums.ts";
import { forgetSegments } from "../search/segments.ts";
import { createTermLister } from "../terms.ts";
import { bury, toStored } from "../tombstones.ts";
import { saveWords } from "../writing/save-words.ts";
import { eraseVersions } from "../writing/versions.ts";
import { readRange } from "./id-ranges.ts";
import { CALL_VALUES, type Doomed, IS_DOOMED_CHAT, isDoomedCall } from "./doomed.ts";
import {
  createLegReader,
  listWholeMonths,
  readCrossing,
  readWholeCalls,
  toIds,
  toPlain,
} from "./doomed-calls.ts";
import { eraseSound } from "./erase-sound.ts";
import { putHead } from "./ledger.ts";
import type { AloneArchive } from "./open-alone.ts";
import { forgetOwed, listNewMarks, saveOwed } from "./owed.ts";

const BATCH_CHATS = 2_000;

/** A hold was added or released: what to erase must be determined again. The transaction is rolled back. */
export class HoldsChanged extends Error {
  override readonly name = "HoldsChanged";
}

interface Work {
  /** Counts of the removed rows. */
  readonly gone: { calls: number; chats: number };
  readonly onErased: (bytes: number) => void;
}

interface Erasure {
  /** The row of the access log. */
  readonly erasure: number | null;
  /** See `Erased`. */
  readonly isForEver: boolean;
  /** See `ErasureFilter`. */
  readonly isSound: boolean;
  /** True if calls that do not exist leave marks, too. */
  readonly isOwed: boolean;
  readonly debt: Debt;
  /** Writes the next entries of the ledger; undefined for an archive without one. "are there": the ledger and the marks say it already. */
  readonly notes: Notes | "are there" | undefined;
}

interface Which {
  readonly names?: Iterable<string>;
  readonly ids?: Iterable<bigint>;
}

/** What one transaction erases. */
interface Batch extends Transaction {
  readonly addMarks: (marks: readonly Mark[]) => void;
  /** Notes the contents of these calls that no other call has. */
  readonly addSounds: (rows: readonly CallRow[]) => Promise<void>;
  /** Leaves tombstones, and writes the ledger; also called before the transaction ends. */
  readonly note: () => Promise<void>;
}

export function createRowEraser({ write, settings, prove }: AloneArchive, asked: Erasure) {
  const { erasure, isForEver, isSound, isOwed } = asked;
  const askLong = createLongAsk(write);
  const isAgain = asked.notes === "are there";
  const notes = asked.notes === "are there" ? undefined : asked.notes;
  const burial = createBurial(settings.timeZone, asked.debt);
  const form = createRecordForm(settings);
  const listTerms = createTermLister(settings.indexSeed);
  const toMark = toStored(settings.tombstoneKey);
  const marking = (ask: Ask) => ({ ask, tombstoneKey: settings.tombstoneKey });
  // An erasure of what is owed names few calls.
  const noted = new Set<string>();
  let isBegun = false;

  const toBatch = (transaction: Transaction, { contents }: Doomed): Batch => {
    const { ask } = transaction;
    let marks: StoredMark[] = [];
    const sounds = new Set<string>();
    return {
      ...transaction,
      addMarks: (some) => void marks.push(...some.map(toMark)),
      addSounds: async (rows) => {
        for (const one of await listSounds(ask, rows, form)) if (contents.has(one)) sounds.add(one);
      },
      note: async () => {
        const [own, contentsOf] = [mergeMarks(marks), [...sounds]];
        [marks] = [[]];
        sounds.clear();
        if (isAgain || own.length + contentsOf.length === 0) return;
        if (isOwed) for (const [mark] of own) noted.add(mark);
        await bury(ask, own, { erasure });
        isBegun = true;
        await notes?.erase(own, contentsOf);
      },
    };
  };

  /**
   * Runs in a transaction during which no hold can be added, so everything that was planned is still valid. The ledger has what it erases
   * before it is committed.
   */
  const transact = <T>(doomed: Doomed, work: (batch: Batch) => Promise<T>) =>
    write.transact(
      async (transaction) => {
        await lockHolds(transaction, false);
        // Otherwise an import may bring what the entry of the ledger would name.
        await elsewhere(prove());
        const { holdsMark } = doomed;
        if (!isAgain && toHoldsMark(await readHolds(transaction.ask)) !== holdsMark)
          throw new HoldsChanged();
        const batch = toBatch(transaction, doomed);
        const done = await work(batch);
        await batch.note();
        return done;
      },
      { isLong: true },
    );

  /** The call_ids of what the erasure names, and of what is owed, by their names in the database. */
  const toNamed = ({ named, debt }: Doomed): ReadonlyMap<string, string> => {
    const owed = Array.from(debt.callIds.keys(), (one) => [toName(one), one] as const);
    return new Map([...(isForEver ? named : []), ...owed]);
  };

  /** Leaves the marks of calls that had only messages, none of which stays. */
  const buryTalked = async (transaction: Batch, names: Iterable<string>, doomed: Doomed) => {
    const named = toNamed(doomed);
    const known = [...new Set(names)].filter((name) => named.has(name));
    if (known.length === 0) return;
    const rows = await transaction.ask<{ name: string }>(
      `SELECT replace(name::text, '-', '') AS name FROM unnest($1::uuid[]) AS one (name)
       WHERE NOT EXISTS (SELECT FROM chat WHERE call_name = one.name)
         AND NOT EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c')`,
      [toList(known)],
    );
    transaction.addMarks(toOwnMarks(rows.flatMap(({ name }) => named.get(name) ?? [])));
  };

  /** Removes some of the messages, those of the calls with these names, or those with these ids. */
  const eraseChats = async (
    transaction: Batch,
    { values }: Doomed,
    which: Which = {},
  ): Promise<readonly ErasedMessage[]> => {
    const doomedChats = (rest: string) => `SELECT id FROM chat WHERE ${IS_DOOMED_CHAT} ${rest}`;
    // Never only a part of a call: a hold that is added between two batches keeps all of it or nothing.
    const [ids, ...of] =
      which.ids !== undefined
        ? ["SELECT unnest($1::int8[])", toList(which.ids)]
        : which.names !== undefined
          ? [doomedChats("AND chat.call_name = ANY($9::uuid[])"), ...values, toList(which.names)]
          : [
              `WITH found AS (SELECT id, call_name FROM chat WHERE ${IS_DOOMED_CHAT} LIMIT ${BATCH_CHATS})
               SELECT id FROM found UNION ${doomedChats("AND call_name IN (SELECT call_name FROM found)")}`,
              ...values,
            ];
    const rows = await transaction.ask<ErasedMessage>(
      `DELETE FROM chat WHERE id IN (${ids})
           RETURNING call_name AS name, replace(digest::text, '-', '') AS digest, octet_length(record) AS bytes`,
      of,
    );
    if (rows.length === 0) return rows;
    // Until its call is erased, too, a search by words has to match what is left of it.
    const talked = new Set(rows.flatMap(({ name }) => name ?? []));
    await transaction.ask(
      "DELETE FROM call_words WHERE id IN (SELECT id FROM call_name WHERE name = ANY($1::uuid[]) AND kind = 'c')",
      [toList(talked)],
    );
    await saveWords(transaction, { written: [], talked }, { form, listTerms });
    transaction.addMarks(
      rows.flatMap(({ digest, name }) =>
        burial.ofMessage(Buffer.from(digest, "hex"), name?.replaceAll("-", "")),
      ),
    );
    return rows;
  };

  /** Removes what other tables have of these calls. */
  const forget = async (
    transaction: Batch,
    rows: readonly CallRow[],
    doomed: Doomed,
  ): Promise<readonly ErasedMessage[]> => {
    const { values } = doomed;
    await transaction.addSounds(rows);
    const read = (await readItems(transaction.ask, rows, form)).map(readCall);
    const callIds = read.flatMap(({ call }) => call?.record.call_id ?? []);
    const chats = await eraseChats(transaction, doomed, { names: new Set(callIds.map(toName)) });
    const forgotten = await transaction.ask<Named>(
      "DELETE FROM call_name WHERE name = ANY($1::uuid[]) AND id = ANY($2::int8[]) RETURNING name, kind",
      [toList(new Set(read.flatMap(({ names }) => names))), toIds(rows)],
    );
    // The name of a damaged record cannot be read. No index leads to it, and there are few.
    const damaged = rows.filter((_, index) => read[index]?.call === undefined);
    const found =
      damaged.length === 0
        ? []
        : await transaction.ask<Named>(
            "DELETE FROM call_name WHERE id = ANY($1::int8[]) RETURNING name, kind",
            [toIds(damaged)],
          );
    const ofCallIds = [...forgotten, ...found].filter(({ kind }) => kind === "c");
    await eraseVersions(
      transaction.ask,
      ofCallIds.map(({ name }) => name),
    );
    const names = new Set([...callIds.map(toName), ...ofCallIds.map(({ name }) => toPlain(name))]);
    const ofCalls = await transaction.ask<{ name: string; stays: boolean; dated: boolean }>(
      `SELECT replace(name::text, '-', '') AS name,
         EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c' AND NOT ${isDoomedCall("call_name.id")}) AS stays,
         EXISTS (SELECT FROM call_revision WHERE call_revision.name = one.name) AS dated
       FROM unnest($5::uuid[]) AS one (name)`,
      [...values.slice(0, CALL_VALUES), toList(names)],
    );
    const known = new Map(ofCalls.map((one) => [one.name, one]));
    const marks = read.flatMap(({ call }) => {
      if (call === undefined) return [];
      const { stays = false, dated = false } = known.get(toName(call.record.call_id ?? "")) ?? {};
      return burial.ofCall(call, { isLast: !stays, isForEver: isForEver || dated });
    });
    // A damaged record that was erased with its whole call is identified only by its name.
    const named = toNamed(doomed);
    const isGone = (name: string) => known.get(name)?.stays !== true;
    const own = [...names].flatMap((name) => (isGone(name) ? (named.get(name) ?? []) : []));
    transaction.addMarks([...marks, ...toOwnMarks(own)]);
    await transaction.ask(
      `DELETE FROM call_revision WHERE name = ANY($1::uuid[])
         AND NOT EXISTS (SELECT FROM call_name WHERE call_name.name = call_revision.name AND kind = 'c')`,
      [toList(names)],
    );
    return chats;
  };

  const eraseCalls = (rows: readonly CallRow[], doomed: Doomed) =>
    transact(doomed, async (transaction) => {
      const chats = await forget(transaction, rows, doomed);
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
        gone.push(toGone(rows, await forget(transaction, rows, doomed)));
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
      if (notes !== undefined && !isBegun) await putHead(ask, notes.head());
    });

  /** Removes what was owed and is erased now, or does not exist. */
  const settle = (doomed: Doomed) =>
    transact(doomed, async ({ ask }) => {
      const { settled, unknown, debt } = doomed;
      // What is not there any more was removed by an earlier erasure, which its mark names.
      const absent = isOwed
        ? toOwnMarks(settled)
            .map(toMark)
            .filter(([mark]) => !noted.has(mark))
        : [];
      const byMark = [...unknown.callIds.keys(), ...unknown.references.keys()];
      const own = [...absent, ...byMark.map((mark): StoredMark => [mark, null])];
      await bury(ask, own, { erasure, isKept: true });
      isBegun ||= own.length > 0;
      if (own.length > 0) await notes?.erase(mergeMarks(own), []);
      await notes?.settle(await forgetOwed(marking(ask), { debt, unknown }));
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
          const chats = await eraseChats(transaction, doomed, which);
          await buryTalked(
            transaction,
            chats.flatMap(({ name }) => name ?? []).map(toPlain),
            doomed,
          );
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

/** The contents of these calls, and of their earlier states. */
async function listSounds(
  ask: Ask,
  rows: readonly CallRow[],
  form: RecordForm,
): Promise<readonly string[]> {
  const names = rows.flatMap((row) => form.readNames(row)?.call_id ?? []).map(toName);
  const found = await ask<{ sha256: string }>(
    `SELECT encode(sha256, 'hex') AS sha256 FROM recording WHERE call = ANY($1::int8[]) UNION
     SELECT encode(sha256, 'hex') FROM version_recording JOIN version ON version.id = version_recording.version
       WHERE kind = 'call' AND name = ANY($2::uuid[])`,
    [toIds(rows), toList(new Set(names))],
  );
  return found.map(({ sha256 }) => sha256);
}

interface ErasedMessage {
  readonly name: string | null;
  readonly digest: string;
  readonly bytes: number;
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

/** A row of `call_name`. */
interface Named {
  readonly name: string;
  readonly kind: string;
}

interface ErasedRow {
  /** All names that `call_name` has for it. */
  readonly names: readonly string[];
  readonly call: ErasedCall | undefined;
}

/** Damaged records are erased all the same. */
function readCall({ row, toItem }: ReadCall): ErasedRow {
  const item = readWhole(toItem);
  if (item === undefined) return { names: [], call: undefined };
  const { record, sessionId, masterId } = item;
  const names = [record.call_id, record.ref_id, sessionId, masterId].flatMap((name) =>
    typeof name === "string" ? toName(name) : [],
  );
  return {
    names: [...names, row.digest],
    call: { ...item, instantMs: toInstantMs(BigInt(row.id)) },
  };
}
