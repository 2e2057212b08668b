// Stores the words for searches: of calls that a batch has written, and of those with new chat messages.
import { toSearched } from "@call-media/words";
import type { MetadataRecord } from "../../port/index.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { type CallRow, readCalls, readItems, type RecordForm } from "../call-rows.ts";
import { type ChatOf, readChats } from "../chats.ts";
import type { Ask, Transaction } from "../connection.ts";
import { toCopyRow, toList } from "../values.ts";
import { byMonth, toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import { PLACES } from "../terms.ts";
import { toVector } from "../words.ts";

interface Call {
  readonly id: bigint;
  readonly record: MetadataRecord;
}

export interface WordMeans {
  readonly form: Pick<RecordForm, "toItem" | "toMessage">;
  readonly listTerms: (record: MetadataRecord) => readonly bigint[];
}

interface Changed {
  /** Calls that this batch wrote, and that have no words yet. */
  readonly written: readonly Call[];
  /** The names of the calls whose chats have changed. */
  readonly talked: ReadonlySet<string>;
}

/** The calls and chats must be locked: no other session may add a call or message to them. */
export async function saveWords(
  transaction: Transaction,
  changed: Changed,
  means: WordMeans,
): Promise<void> {
  const { ask } = transaction;
  const known = changed.written.flatMap(({ record: { call_id } }) => call_id ?? []);
  const { toMessage } = means.form;
  const chatOf = await readChats(ask, [...changed.talked, ...known.map(toName)], toMessage);
  const toLine = ({ id, record }: Call) => ({ id, line: toRow({ id, record }, chatOf, means) });
  // A damaged call keeps its words until it is replaced or erased.
  const read = await readItems(ask, await readOthers(ask, changed), means.form);
  const others = read.flatMap(
    ({ row, toItem }) =>
      readWhole(() => toLine({ id: BigInt(row.id), record: toItem().record })) ?? [],
  );
  const stale = new Set(others.map(({ id }) => id));
  // If the chat of a new call is damaged, the call is searchable without it.
  const written = changed.written.map(
    (call) => readWhole(() => toLine(call)) ?? { id: call.id, line: toRow(call, () => [], means) },
  );
  const lines = [...written, ...others];
  for (const [month, own] of byMonth(lines, ({ id }) => id)) {
    const table = `call_words_${toSuffix(month)}`;
    const gone = own.flatMap(({ id }) => (stale.has(id) ? [id] : []));
    if (gone.length > 0)
      await ask(`DELETE FROM ${table} WHERE id = ANY($1::int8[])`, [toList(gone)]);
    await transaction.copy(
      `${table} (id, seen, words)`,
      own.map(({ line }) => line),
    );
  }
}

/** The other calls whose chats have changed. */
async function readOthers(ask: Ask, { written, talked }: Changed): Promise<readonly CallRow[]> {
  if (talked.size === 0) return [];
  const rows = await ask<{ id: string }>(
    "SELECT id FROM call_name WHERE name = ANY($1::uuid[]) AND kind = 'c'",
    [toList(talked)],
  );
  const known = new Set(written.map(({ id }) => String(id)));
  return await readCalls(
    ask,
    rows.flatMap(({ id }) => (known.has(id) ? [] : [BigInt(id)])),
  );
}

function toRow(call: Call, chatOf: ChatOf, { listTerms }: WordMeans): string {
  const { id, seen, words } = toWordRow(call, chatOf, listTerms);
  return toCopyRow([id, seen, words]);
}

/** The row of `call_words`, with values in PostgreSQL's syntax. Throws `StoreFault` for a damaged chat. */
export function toWordRow(
  { id, record }: Call,
  chatOf: ChatOf,
  listTerms: WordMeans["listTerms"],
): { readonly id: bigint; readonly seen: string; readonly words: string } {
  const seen = listTerms(record)
    .slice(0, PLACES.length)
    .filter((term) => term !== 0n);
  const searched = toSearched(record, chatOf(record.call_id));
  return { id, seen: `{${seen.join(",")}}`, words: toVector(searched) };
}
