// What a transaction of an erasure removes of calls and messages, with the tombstones that it leaves (D33). The chat of a call is removed
// right before the call: afterwards nothing would show that the chat belongs to it.
import { readWhole } from "../../values/damaged-records.ts";
import { toOwnMarks } from "../../values/erasure-entry.ts";
import { toInstantMs } from "../../values/order-key.ts";
import type { createBurial, ErasedCall } from "../../values/tombstones.ts";
import { type CallRow, type ReadCall, readItems, type RecordForm } from "../call-rows.ts";
import { toName } from "../names.ts";
import type { createTermLister } from "../terms.ts";
import { toList } from "../values.ts";
import { saveWords } from "../writing/save-words.ts";
import { eraseVersions } from "../writing/versions.ts";
import { CALL_VALUES, IS_DOOMED_CHAT, isDoomedCall } from "./doomed.ts";
import { toIds, toPlain } from "./doomed-calls.ts";
import type { Batch } from "./erase-batches.ts";

const BATCH_CHATS = 2_000;

/** What the transactions of one erasure have in common. */
export interface Erasing {
  readonly burial: ReturnType<typeof createBurial>;
  readonly form: RecordForm;
  readonly listTerms: ReturnType<typeof createTermLister>;
  /** See `Erased`. */
  readonly isForEver: boolean;
}

export interface Which {
  readonly names?: Iterable<string>;
  readonly ids?: Iterable<bigint>;
}

export interface ErasedMessage {
  readonly name: string | null;
  readonly digest: string;
  readonly bytes: number;
}

/** The call_ids of what the erasure names, and of what is owed, by their names in the database. */
function toNamed(
  { isForEver }: Erasing,
  { doomed: { named, debt } }: Batch,
): ReadonlyMap<string, string> {
  const owed = Array.from(debt.callIds.keys(), (one) => [toName(one), one] as const);
  return new Map([...(isForEver ? named : []), ...owed]);
}

/** Leaves the marks of calls that had only messages, none of which stays. */
export async function buryTalked(
  erasing: Erasing,
  transaction: Batch,
  chats: readonly ErasedMessage[],
): Promise<void> {
  const named = toNamed(erasing, transaction);
  const names = chats.flatMap(({ name }) => name ?? []).map(toPlain);
  const known = [...new Set(names)].filter((name) => named.has(name));
  if (known.length === 0) return;
  const rows = await transaction.ask<{ name: string }>(
    `SELECT replace(name::text, '-', '') AS name FROM unnest($1::uuid[]) AS one (name)
     WHERE NOT EXISTS (SELECT FROM chat WHERE call_name = one.name)
       AND NOT EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c')`,
    [toList(known)],
  );
  transaction.addMarks(toOwnMarks(rows.flatMap(({ name }) => named.get(name) ?? [])));
}

/** Removes some of the messages, those of the calls with these names, or those with these ids. */
export async function eraseChats(
  { burial, form, listTerms }: Erasing,
  transaction: Batch,
  which: Which = {},
): Promise<readonly ErasedMessage[]> {
  const { values } = transaction.doomed;
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
}

/** Removes what other tables have of these calls. */
export async function forget(
  erasing: Erasing,
  transaction: Batch,
  rows: readonly CallRow[],
): Promise<readonly ErasedMessage[]> {
  const { burial, form, isForEver } = erasing;
  const { values } = transaction.doomed;
  await transaction.addSounds(rows);
  const read = (await readItems(transaction.ask, rows, form)).map(readCall);
  const callIds = read.flatMap(({ call }) => call?.record.call_id ?? []);
  const chats = await eraseChats(erasing, transaction, { names: new Set(callIds.map(toName)) });
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
  const named = toNamed(erasing, transaction);
  const isGone = (name: string) => known.get(name)?.stays !== true;
  const own = [...names].flatMap((name) => (isGone(name) ? (named.get(name) ?? []) : []));
  transaction.addMarks([...marks, ...toOwnMarks(own)]);
  await transaction.ask(
    `DELETE FROM call_revision WHERE name = ANY($1::uuid[])
       AND NOT EXISTS (SELECT FROM call_name WHERE call_name.name = call_revision.name AND kind = 'c')`,
    [toList(names)],
  );
  return chats;
}

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
export function readCall({ row, toItem }: ReadCall): ErasedRow {
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
