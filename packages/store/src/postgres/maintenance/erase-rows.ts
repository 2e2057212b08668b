// Taking rows out, in transactions each of which leaves an archive that fits together, and leaving tombstones (D33). Chats go first:
// once its call is gone, nothing would tell that a chat belongs to it.
import { toInstantMs } from "../../values/order-key.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { createBurial, type ErasedCall, type Mark, toTombstone } from "../../values/tombstones.ts";
import { toHex } from "../../writing/row-writer.ts";
import type { Archive } from "../archive.ts";
import { type CallRow, createRecordForm, type ReadCall, readItems } from "../call-rows.ts";
import type { Transaction } from "../connection.ts";
import { toList } from "../values.ts";
import { isWhole } from "../digested.ts";
import { lockSchema } from "../locks.ts";
import { type IdRange, listMonths, MONTHLY_TABLES, toIdRange, toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import { isPartitioned, toForgotten } from "../row-sums.ts";
import { forgetSegments } from "../search/segments.ts";
import { createTermLister } from "../terms.ts";
import { saveWords } from "../writing/save-words.ts";
import { eraseVersions } from "../writing/versions.ts";
import { readRange } from "./id-ranges.ts";
import { type Doomed, IS_DOOMED_CHAT, isDoomedCall, readDoomedCalls } from "./doomed.ts";

const BATCH_CHATS = 2_000;

type OnErased = (bytes: number) => void;

interface Erasure {
  /** The row of the access log. */
  readonly erasure: number | null;
  /** See `Erased`. */
  readonly isForEver: boolean;
}

export function createRowEraser({ write, settings }: Archive, { erasure, isForEver }: Erasure) {
  const burial = createBurial(settings.timeZone);
  const form = createRecordForm(settings);
  const listTerms = createTermLister(settings.indexSeed);
  const bury = async ({ ask }: Pick<Transaction, "ask">, marks: readonly Mark[]) => {
    const toMark = ({ name, untilDay }: Mark) => {
      return { mark: toHex(toTombstone(settings.tombstoneKey, name)), until: untilDay };
    };
    // A row may have only one of equal marks: of a call whose records go together, that of the last day. One that is damaged is of every
    // day from now on: nothing that was erased comes back by it.
    await ask(
      `INSERT INTO tombstone (mark, until_day, erasure)
       SELECT decode(mark, 'hex'), CASE WHEN bool_or(until IS NULL) THEN NULL ELSE max(until) END, $2::int8
       FROM json_to_recordset($1::text::json) AS given (mark text, until int4) GROUP BY mark
       ON CONFLICT (mark) DO UPDATE SET erasure = excluded.erasure, digest = NULL,
         until_day = CASE WHEN NOT ${isWhole("tombstone")} OR tombstone.until_day IS NULL THEN NULL WHEN excluded.until_day IS NULL THEN NULL
           ELSE greatest(tombstone.until_day, excluded.until_day) END`,
      [JSON.stringify(marks.map(toMark)), erasure],
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
        await saveWords(transaction, { written: [], talked }, { form, listTerms });
        await bury(
          transaction,
          rows.flatMap(({ digest, name }) =>
            burial.ofMessage(Buffer.from(digest, "hex"), name?.replaceAll("-", "")),
          ),
        );
        return rows.reduce((sum, { bytes }) => sum + bytes, 0);
      },
      { isLong: true },
    );

  /** What other tables have of these calls. */
  const forget = async (
    transaction: Transaction,
    rows: readonly CallRow[],
    { values }: Doomed,
  ): Promise<void> => {
    const read = (await readItems(transaction.ask, rows, form)).map(readCall);
    const forgotten = await transaction.ask<Named>(
      "DELETE FROM call_name WHERE name = ANY($1::uuid[]) AND id = ANY($2::int8[]) RETURNING name, kind",
      [toList(new Set(read.flatMap(({ names }) => names))), toIds(rows)],
    );
    // What a damaged one was named nobody knows: no index leads there, and there are few.
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
    const names = new Set(read.flatMap(({ call }) => call?.record.call_id ?? []).map(toName));
    const ofCalls = await transaction.ask<{ name: string; stays: boolean; dated: boolean }>(
      `SELECT replace(name::text, '-', '') AS name,
         EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c' AND NOT ${isDoomedCall("call_name.id")}) AS stays,
         EXISTS (SELECT FROM call_revision WHERE call_revision.name = one.name) AS dated
       FROM unnest($4::uuid[]) AS one (name)`,
      [...values.slice(0, 3), toList(names)],
    );
    const known = new Map(ofCalls.map((one) => [one.name, one]));
    const marks = read.flatMap(({ call }) => {
      if (call === undefined) return [];
      const { stays = false, dated = false } = known.get(toName(call.record.call_id ?? "")) ?? {};
      return burial.ofCall(call, { isLast: !stays, isForEver: isForEver || dated });
    });
    await bury(transaction, marks);
    await transaction.ask(
      `DELETE FROM call_revision WHERE name = ANY($1::uuid[])
         AND NOT EXISTS (SELECT FROM call_name WHERE call_name.name = call_revision.name AND kind = 'c')`,
      [toList(names)],
    );
  };

  const eraseCalls = (rows: readonly CallRow[], doomed: Doomed): Promise<void> =>
    write.transact(
      async (transaction) => {
        await forget(transaction, rows, doomed);
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
  const eraseMonth = (month: number, doomed: Doomed, onErased: OnErased): Promise<void> =>
    write.transact(
      async (transaction) => {
        for await (const rows of readRange(transaction.ask, toIdRange(month))) {
          await forget(transaction, rows, doomed);
          onErased(toBytes(rows));
        }
        await lockSchema(transaction);
        await transaction.ask("DELETE FROM segment WHERE month = $1::int4", [month]);
        await transaction.ask("DELETE FROM month WHERE number = $1::int4", [month]);
        const tables = MONTHLY_TABLES.map((table) => `${table}_${toSuffix(month)}`);
        const counted = MONTHLY_TABLES.filter(isPartitioned);
        const forgotten = counted.map((name) => toForgotten(name, `${name}_${toSuffix(month)}`));
        await transaction.run(`${forgotten.join("")} DROP TABLE ${tables.join(", ")}`);
      },
      { isLong: true },
    );

  return {
    /** Leaves marks beyond those of rows. */
    bury: (marks: readonly Mark[]) => write.transact((transaction) => bury(transaction, marks)),
    erase: async (doomed: Doomed, onErased: OnErased): Promise<void> => {
      for (let bytes = await eraseChats(doomed); bytes > 0; bytes = await eraseChats(doomed))
        onErased(bytes);
      if ("fromId" in doomed.calls)
        for (const month of await listMonths(write))
          if (isWithin(toIdRange(month), doomed.calls)) await eraseMonth(month, doomed, onErased);
      for await (const rows of readDoomedCalls(write.ask, doomed.calls)) {
        await eraseCalls(rows, doomed);
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

/** A row of `call_name`. */
interface Named {
  readonly name: string;
  readonly kind: string;
}

interface ErasedRow {
  /** All that `call_name` has of it. */
  readonly names: readonly string[];
  readonly call: ErasedCall | undefined;
}

/** What is not what was written is erased all the same. */
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
