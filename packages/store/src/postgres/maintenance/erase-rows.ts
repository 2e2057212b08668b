// Taking rows out, in transactions each of which leaves an archive that fits together, and leaving tombstones (D33). Chats go first:
// once its call is gone, nothing would tell that a chat belongs to it.
import { isFault } from "../../port/faults.ts";
import { toInstantMs } from "../../values/order-key.ts";
import {
  nameAnonymous,
  nameCall,
  nameMessage,
  nameStates,
  toTombstone,
  type TombstoneName,
} from "../../values/tombstones.ts";
import type { Archive } from "../archive.ts";
import { type CallRow, createRecordForm, type RecordForm, toLinked } from "../call-rows.ts";
import { toList, type Transaction } from "../connection.ts";
import { lockSchema } from "../locks.ts";
import { type IdRange, listMonths, MONTHLY_TABLES, toIdRange, toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import { forgetSegments } from "../search/segments.ts";
import { createTermLister } from "../terms.ts";
import { saveWords } from "../writing/save-words.ts";
import { readRange } from "./id-ranges.ts";
import { type Doomed, IS_DOOMED_CHAT, readDoomedCalls } from "./doomed.ts";

const BATCH_CHATS = 2_000;

type OnErased = (bytes: number) => void;

export function createRowEraser({ write, settings }: Archive) {
  const { toRecord } = createRecordForm(settings);
  const listTerms = createTermLister(settings.indexSeed);
  const bury = async ({ ask }: Transaction, names: readonly TombstoneName[]) => {
    const marks = names.map((name) => Buffer.from(toTombstone(settings.tombstoneKey, name)));
    await ask(
      "INSERT INTO tombstone SELECT decode(mark, 'hex') FROM unnest($1::text[]) AS mark ON CONFLICT DO NOTHING",
      [toList(marks.map((mark) => mark.toString("hex")))],
    );
  };

  const eraseChats = ({ values }: Doomed): Promise<number> =>
    write.transact(
      async (transaction) => {
        const rows = await transaction.ask<{ name: string | null; digest: string; bytes: number }>(
          `DELETE FROM chat WHERE id IN (SELECT id FROM chat WHERE ${IS_DOOMED_CHAT} LIMIT ${BATCH_CHATS})
           RETURNING call_name AS name, replace(digest::text, '-', '') AS digest, octet_length(record) AS bytes`,
          values,
        );
        // Until its call goes, too, a search by words has to fit what is left of it.
        const talked = new Set(rows.flatMap(({ name }) => name ?? []));
        await transaction.ask(
          "DELETE FROM call_words WHERE id IN (SELECT id FROM call_name WHERE name = ANY($1::uuid[]) AND kind = 'c')",
          [toList(talked)],
        );
        await saveWords(transaction, { written: [], talked }, { toRecord, listTerms });
        await bury(
          transaction,
          rows.map(({ digest }) => nameMessage(Buffer.from(digest, "hex"))),
        );
        return rows.reduce((sum, { bytes }) => sum + bytes, 0);
      },
      { isLong: true },
    );

  /** What other tables have of these calls. */
  const forget = async (transaction: Transaction, rows: readonly CallRow[]): Promise<void> => {
    const read = rows.map((row) => readCall(row, toRecord));
    await bury(
      transaction,
      read.flatMap(({ tombstone }) => (tombstone === undefined ? [] : [tombstone])),
    );
    await transaction.ask(
      "DELETE FROM call_name WHERE name = ANY($1::uuid[]) AND id = ANY($2::int8[])",
      [toList(new Set(read.flatMap(({ names }) => names))), toIds(rows)],
    );
    const callIds = new Map(
      read.flatMap(({ callId }) => (callId === null ? [] : [[toName(callId), callId]])),
    );
    const last = await transaction.ask<{ name: string }>(
      `DELETE FROM call_revision WHERE name = ANY($1::uuid[])
         AND NOT EXISTS (SELECT FROM call_name WHERE call_name.name = call_revision.name AND kind = 'c')
       RETURNING replace(name::text, '-', '') AS name`,
      [toList(callIds.keys())],
    );
    // All states of a call are named with the last record of it.
    await bury(
      transaction,
      last.map(({ name }) => nameStates(callIds.get(name) ?? "")),
    );
  };

  const eraseCalls = (rows: readonly CallRow[]): Promise<void> =>
    write.transact(
      async (transaction) => {
        await forget(transaction, rows);
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
      },
      { isLong: true },
    );

  /** All of it at the end: readers wait for the moment in which the tables go. */
  const eraseMonth = (month: number, onErased: OnErased): Promise<void> =>
    write.transact(
      async (transaction) => {
        for await (const rows of readRange(transaction.ask, toIdRange(month))) {
          await forget(transaction, rows);
          onErased(toBytes(rows));
        }
        await lockSchema(transaction);
        await transaction.ask("DELETE FROM segment WHERE month = $1::int4", [month]);
        await transaction.ask("DELETE FROM month WHERE number = $1::int4", [month]);
        const tables = MONTHLY_TABLES.map((table) => `${table}_${toSuffix(month)}`);
        await transaction.run(`DROP TABLE ${tables.join(", ")}`);
      },
      { isLong: true },
    );

  return {
    erase: async (doomed: Doomed, onErased: OnErased): Promise<void> => {
      for (let bytes = await eraseChats(doomed); bytes > 0; bytes = await eraseChats(doomed))
        onErased(bytes);
      if ("fromId" in doomed.calls)
        for (const month of await listMonths(write))
          if (isWithin(toIdRange(month), doomed.calls)) await eraseMonth(month, onErased);
      for await (const rows of readDoomedCalls(write.ask, doomed.calls)) {
        await eraseCalls(rows);
        onErased(toBytes(rows));
      }
    },
  };
}

const isWithin = (inner: IdRange, outer: IdRange) =>
  inner.fromId >= outer.fromId && inner.untilId <= outer.untilId;

const toIds = (rows: readonly CallRow[]) => toList(rows.map(({ id }) => BigInt(id)));

const toBytes = (rows: readonly CallRow[]) =>
  rows.reduce((sum, { record }) => sum + record.length, 0);

interface ReadCall {
  readonly callId: string | null;
  /** All that `call_name` has of it. */
  readonly names: readonly string[];
  readonly tombstone: TombstoneName | undefined;
}

function readCall(
  { id, identity, digest, linked, record: stored }: CallRow,
  toRecord: RecordForm["toRecord"],
): ReadCall {
  try {
    const record = toRecord(stored);
    const { call_id: callId, ref_id: refId } = record;
    const instantMs = toInstantMs(BigInt(id));
    const { sessionId, masterId } = toLinked(linked);
    const names = [callId, refId, sessionId, masterId].flatMap((name) =>
      typeof name === "string" ? toName(name) : [],
    );
    const tombstone =
      callId === null || identity === null
        ? nameAnonymous(record, instantMs)
        : nameCall(callId, identity, instantMs);
    return { callId, names: [...names, digest], tombstone };
  } catch (error) {
    // What cannot be read is erased all the same.
    if (!isFault(error, "damaged")) throw error;
    return { callId: null, names: [], tombstone: undefined };
  }
}
