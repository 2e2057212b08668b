// Keeps what searches by words read: of calls that a batch has written, and of those whose chat has grown.
import { toSearched } from "@call-media/words";
import type { MetadataRecord } from "../../port/index.ts";
import { readCalls, type RecordForm } from "../call-rows.ts";
import { type Ask, toCopyRow, toList, type Transaction } from "../connection.ts";
import { byMonth, toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import { type ChatOf, readChats } from "../search/by-words.ts";
import { PLACES } from "../terms.ts";
import { toVector } from "../words.ts";

interface Call {
  readonly id: bigint;
  readonly record: MetadataRecord;
}

export interface WordMeans extends Pick<RecordForm, "toRecord"> {
  readonly listTerms: (record: MetadataRecord) => readonly bigint[];
}

/**
 * `written`: the calls that have rows since this batch, and no words yet; `talked`: the call_ids of its messages, which are
 * written. Both are locked: nobody else adds a call or a message of theirs.
 */
export async function saveWords(
  transaction: Transaction,
  { written, talked }: { readonly written: readonly Call[]; readonly talked: ReadonlySet<string> },
  means: WordMeans,
): Promise<void> {
  const others = await readOthers(transaction.ask, { written, talked }, means);
  const calls = [...written, ...others];
  const chatOf = await readChats(
    transaction.ask,
    calls.flatMap(({ record }) => record.call_id ?? []),
  );
  for (const [month, own] of byMonth(calls, ({ id }) => id)) {
    const table = `call_words_${toSuffix(month)}`;
    const stale = own.filter((call) => others.includes(call));
    if (stale.length > 0)
      await transaction.ask(`DELETE FROM ${table} WHERE id = ANY($1::int8[])`, [
        toList(stale.map(({ id }) => id)),
      ]);
    await transaction.copy(
      `${table} (id, seen, words)`,
      own.map((call) => toRow(call, chatOf, means)),
    );
  }
}

/** The other calls that were talked in. */
async function readOthers(
  ask: Ask,
  { written, talked }: { readonly written: readonly Call[]; readonly talked: ReadonlySet<string> },
  { toRecord }: WordMeans,
): Promise<readonly Call[]> {
  if (talked.size === 0) return [];
  const rows = await ask<{ id: string }>(
    "SELECT id FROM call_name WHERE name = ANY($1::uuid[]) AND kind = 'c'",
    [toList(Array.from(talked, toName))],
  );
  const known = new Set(written.map(({ id }) => String(id)));
  const ids = rows.flatMap(({ id }) => (known.has(id) ? [] : [BigInt(id)]));
  return (await readCalls(ask, ids)).map(({ id, record }) => ({
    id: BigInt(id),
    record: toRecord(record),
  }));
}

function toRow({ id, record }: Call, chatOf: ChatOf, { listTerms }: WordMeans): string {
  const seen = listTerms(record)
    .slice(0, PLACES.length)
    .filter((term) => term !== 0n);
  const searched = toSearched(record, chatOf(record.call_id));
  return toCopyRow([id, `{${seen.join(",")}}`, toVector(searched)]);
}
