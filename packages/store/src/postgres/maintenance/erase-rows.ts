// Removes rows, in transactions that each leave a consistent archive, and leaves tombstones (D33). The chat of a call is removed right
// before the call: afterwards nothing would show that the chat belongs to it.
import { toInstantMs } from "../../values/order-key.ts";
import { toOwnMarks } from "../../values/erasure-entry.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { createBurial, type ErasedCall, type Mark, toTombstone } from "../../values/tombstones.ts";
import { toHex } from "../../writing/row-writer.ts";
import type { Archive } from "../archive.ts";
import {
  type CallRow,
  createRecordForm,
  type ReadCall,
  readCalls,
  readItems,
  type RecordForm,
} from "../call-rows.ts";
import type { Ask, Transaction } from "../connection.ts";
import { toList } from "../values.ts";
import { isWhole } from "../digested.ts";
import { readHolds, toHoldsMark } from "../holds.ts";
import { lockHolds, lockSchema } from "../locks.ts";
import { type IdRange, listMonths, MONTHLY_TABLES, toIdRange, toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import { isPartitioned, toForgotten } from "../row-sums.ts";
import { forgetSegments } from "../search/segments.ts";
import { createTermLister } from "../terms.ts";
import { saveWords } from "../writing/save-words.ts";
import { eraseVersions } from "../writing/versions.ts";
import { BATCH_ROWS, readRange } from "./id-ranges.ts";
import {
  CALL_VALUES,
  type Doomed,
  IS_DOOMED_CHAT,
  isDoomedCall,
  readDoomedCalls,
} from "./doomed.ts";
import { eraseSound } from "./erase-sound.ts";
import { forgetOwed, saveOwed } from "./owed.ts";

const BATCH_CHATS = 2_000;

const OF_EARLIER = "coalesce(tombstone.erasure, excluded.erasure)";

/** A hold was added or released: what to erase must be determined again. The transaction is rolled back. */
export class HoldsChanged extends Error {
  override readonly name = "HoldsChanged";
}

interface Work {
  /** True if calls that do not exist leave marks, too. */
  readonly isOwed: boolean;
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
}

export function createRowEraser({ write, settings }: Archive, asked: Erasure) {
  const { erasure, isForEver, isSound } = asked;
  const burial = createBurial(settings.timeZone);
  const form = createRecordForm(settings);
  const listTerms = createTermLister(settings.indexSeed);
  const bury = async (
    { ask }: Pick<Transaction, "ask">,
    marks: readonly Mark[],
    isKept = false,
  ) => {
    const toMark = ({ name, untilDay }: Mark) => {
      return { mark: toHex(toTombstone(settings.tombstoneKey, name)), until: untilDay };
    };
    // A row may have only one of several equal marks: if records of a call are erased together, the mark with the last day. A damaged mark
    // applies to every day from now on, so that nothing erased comes back because of it.
    await ask(
      `INSERT INTO tombstone (mark, until_day, erasure)
       SELECT decode(mark, 'hex'), CASE WHEN bool_or(until IS NULL) THEN NULL ELSE max(until) END, $2::int8
       FROM json_to_recordset($1::text::json) AS given (mark text, until int4) GROUP BY mark
       ON CONFLICT (mark) DO UPDATE SET erasure = ${isKept ? OF_EARLIER : "excluded.erasure"}, digest = NULL,
         until_day = CASE WHEN NOT ${isWhole("tombstone")} OR tombstone.until_day IS NULL THEN NULL WHEN excluded.until_day IS NULL THEN NULL
           ELSE greatest(tombstone.until_day, excluded.until_day) END`,
      [JSON.stringify(marks.map(toMark)), erasure],
    );
  };

  /** Runs in a transaction during which no hold can be added, so everything that was planned is still valid. */
  const transact = <T>({ holdsMark }: Doomed, work: (transaction: Transaction) => Promise<T>) =>
    write.transact(
      async (transaction) => {
        await lockHolds(transaction, false);
        if (toHoldsMark(await readHolds(transaction.ask)) !== holdsMark) throw new HoldsChanged();
        return await work(transaction);
      },
      { isLong: true },
    );

  /** Removes these messages, and all messages of the calls with these names. */
  const eraseChats = async (
    transaction: Transaction,
    { values }: Doomed,
    names?: Iterable<string>,
  ): Promise<readonly ErasedMessage[]> => {
    const doomedChats = (rest: string) => `SELECT id FROM chat WHERE ${IS_DOOMED_CHAT} ${rest}`;
    // Never only a part of a call: a hold that is added between two batches keeps all of it or nothing.
    const [which, of] =
      names === undefined
        ? [
            `WITH found AS (SELECT id, call_name FROM chat WHERE ${IS_DOOMED_CHAT} LIMIT ${BATCH_CHATS})
             SELECT id FROM found UNION ${doomedChats("AND call_name IN (SELECT call_name FROM found)")}`,
            [],
          ]
        : [doomedChats("AND chat.call_name = ANY($9::uuid[])"), [toList(names)]];
    const rows = await transaction.ask<ErasedMessage>(
      `DELETE FROM chat WHERE id IN (${which})
           RETURNING call_name AS name, replace(digest::text, '-', '') AS digest, octet_length(record) AS bytes`,
      [...values, ...of],
    );
    if (rows.length === 0) return rows;
    // Until its call is erased, too, a search by words has to match what is left of it.
    const talked = new Set(rows.flatMap(({ name }) => name ?? []));
    await transaction.ask(
      "DELETE FROM call_words WHERE id IN (SELECT id FROM call_name WHERE name = ANY($1::uuid[]) AND kind = 'c')",
      [toList(talked)],
    );
    await saveWords(transaction, { written: [], talked }, { form, listTerms });
    await bury(
      transaction,
      rows.flatMap(({ digest, name }) =>
        burial.ofMessage(Buffer.from(digest, "hex"), name?.replaceAll("-", "")),
      ),
    );
    return rows;
  };

  /** Removes what other tables have of these calls. */
  const forget = async (
    transaction: Transaction,
    rows: readonly CallRow[],
    doomed: Doomed,
  ): Promise<readonly ErasedMessage[]> => {
    const { values } = doomed;
    const read = (await readItems(transaction.ask, rows, form)).map(readCall);
    const callIds = read.flatMap(({ call }) => call?.record.call_id ?? []);
    const chats = await eraseChats(transaction, doomed, new Set(callIds.map(toName)));
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
    const isGone = (name: string) => isForEver && known.get(name)?.stays !== true;
    const own = [...names].flatMap((name) => (isGone(name) ? (doomed.named.get(name) ?? []) : []));
    await bury(transaction, [...marks, ...toOwnMarks(own)]);
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
      await bury(transaction, calls.flatMap(toMarks));
      return toGone(rows, []);
    });

  /** The tables are dropped at the end, because readers wait while that happens. */
  const eraseMonth = (month: number, doomed: Doomed) =>
    transact(doomed, async (transaction) => {
      const gone: Gone[] = [];
      for await (const rows of readRange(transaction.ask, toIdRange(month)))
        gone.push(toGone(rows, await forget(transaction, rows, doomed)));
      await lockSchema(transaction);
      await transaction.ask("DELETE FROM segment WHERE month = $1::int4", [month]);
      await transaction.ask("DELETE FROM month WHERE number = $1::int4", [month]);
      const tables = MONTHLY_TABLES.map((table) => `${table}_${toSuffix(month)}`);
      const counted = MONTHLY_TABLES.filter(isPartitioned);
      const forgotten = counted.map((name) => toForgotten(name, `${name}_${toSuffix(month)}`));
      await transaction.run(`${forgotten.join("")} DROP TABLE ${tables.join(", ")}`);
      return gone;
    });

  /** Removes what was owed and is erased now, or does not exist. */
  const settle = (doomed: Doomed, isOwed: boolean) =>
    transact(doomed, async (transaction) => {
      // What is not there any more was removed by an earlier erasure, which its mark names.
      if (isOwed) await bury(transaction, toOwnMarks(doomed.settled), true);
      if (isForEver) await forgetOwed(transaction.ask, doomed.settled);
    });

  /** The other records of these calls that are erased: a hold that is added between two batches keeps no half of a call. */
  const createLegReader = (doomed: Doomed) => {
    const isDoomed = createDoomedTest(doomed);
    return async (rows: readonly CallRow[]): Promise<readonly CallRow[]> => {
      const ids = await listOtherLegs(write.ask, rows, form);
      return await readCalls(write.ask, ids.filter(isDoomed));
    };
  };

  async function* readWholeCalls(doomed: Doomed): AsyncGenerator<readonly CallRow[]> {
    const readOthers = createLegReader(doomed);
    // Sound leaves its calls, which are found again by their other records.
    const done = new Set<string>();
    for await (const found of readDoomedCalls(write.ask, doomed)) {
      const rows = found.filter(({ id }) => !done.has(id));
      const others = await readOthers(rows);
      for (const { id } of others) done.add(id);
      if (rows.length > 0) yield [...rows, ...others];
    }
  }

  return {
    /** Throws `HoldsChanged`. */
    erase: async (doomed: Doomed, { isOwed, gone, onErased }: Work): Promise<void> => {
      const tell = ({ calls, chats, bytes }: Gone) => {
        gone.calls += calls;
        gone.chats += chats;
        onErased(bytes);
      };
      if (isSound) {
        for await (const rows of readWholeCalls(doomed)) tell(await eraseSoundOf(rows, doomed));
        return;
      }
      await transact(doomed, ({ ask }) => saveOwed(ask, doomed.owed));
      const { calls, kept } = doomed;
      if ("fromId" in calls) {
        const months = (await listMonths(write)).filter(
          (month) => isWithin(toIdRange(month), calls) && !holdsAny(toIdRange(month), kept),
        );
        const readOthers = createLegReader(doomed);
        for await (const rows of readCrossing(write.ask, { range: calls, kept, months }))
          tell(await eraseCalls([...rows, ...(await readOthers(rows))], doomed));
        for (const month of months) for (const one of await eraseMonth(month, doomed)) tell(one);
      }
      for await (const rows of readWholeCalls(doomed)) tell(await eraseCalls(rows, doomed));
      const eraseSome = () => transact(doomed, (transaction) => eraseChats(transaction, doomed));
      for (let chats = await eraseSome(); chats.length > 0; chats = await eraseSome())
        tell(toGone([], chats));
      await settle(doomed, isOwed);
    },
  };
}

async function listOtherLegs(
  ask: Ask,
  rows: readonly CallRow[],
  form: RecordForm,
): Promise<readonly bigint[]> {
  const read = rows.map((row) => ({ row, names: form.readNames(row) }));
  const damaged = read.flatMap(({ row, names }) => (names === undefined ? [row] : []));
  // No index leads to the names of damaged records, and there are few.
  const ofDamaged =
    damaged.length === 0
      ? []
      : await ask<{ name: string }>(
          "SELECT name FROM call_name WHERE kind = 'c' AND id = ANY($1::int8[])",
          [toIds(damaged)],
        );
  const names = read.flatMap(({ names: found }) => found?.call_id ?? []).map(toName);
  const legs = await ask<{ id: string }>(
    "SELECT DISTINCT id FROM call_name WHERE kind = 'c' AND name = ANY($1::uuid[])",
    [toList(new Set([...names, ...ofDamaged.map(({ name }) => toPlain(name))]))],
  );
  const own = new Set(rows.map(({ id }) => id));
  return legs.flatMap(({ id }) => (own.has(id) ? [] : BigInt(id)));
}

function createDoomedTest({ calls, kept }: Doomed): (id: bigint) => boolean {
  if ("fromId" in calls) return (id) => id >= calls.fromId && id < calls.untilId && !kept.has(id);
  const listed = new Set(calls);
  return (id) => listed.has(id) && !kept.has(id);
}

interface Crossing {
  readonly range: IdRange;
  readonly kept: ReadonlySet<bigint>;
  /** Those whose tables are dropped. */
  readonly months: readonly number[];
}

/** The records of calls that have others in another month. */
async function* readCrossing(
  ask: Ask,
  { range, kept, months }: Crossing,
): AsyncGenerator<readonly CallRow[]> {
  if (months.length === 0) return;
  const bounds = months.map(toIdRange).flatMap(({ fromId, untilId }) => [fromId, untilId]);
  const rows = await ask<{ id: string }>(
    `SELECT first AS id FROM (SELECT min(id) AS first, max(id) AS last FROM call_name
       WHERE kind = 'c' AND id >= $1::int8 AND id < $2::int8 GROUP BY name HAVING count(*) > 1) AS one
     WHERE EXISTS (SELECT FROM unnest($3::int8[]) AS bound WHERE first < bound AND last >= bound)`,
    [range.fromId, range.untilId, toList(bounds)],
  );
  const ids = rows.map(({ id }) => BigInt(id)).filter((id) => !kept.has(id));
  for (let at = 0; at < ids.length; at += BATCH_ROWS)
    yield await readCalls(ask, ids.slice(at, at + BATCH_ROWS));
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

const toPlain = (uuid: string) => uuid.replaceAll("-", "");

const holdsAny = ({ fromId, untilId }: IdRange, ids: ReadonlySet<bigint>) =>
  [...ids].some((id) => id >= fromId && id < untilId);

const isWithin = (inner: IdRange, outer: IdRange) =>
  inner.fromId >= outer.fromId && inner.untilId <= outer.untilId;

const toIds = (rows: readonly CallRow[]) => toList(rows.map(({ id }) => BigInt(id)));

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
