// Compares the search and lookup tables with the records they were made from. Where they differ, results silently lack calls or count
// them wrongly.
import type { Finding } from "../../port/index.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { isFault } from "../../port/faults.ts";
import type { Archive } from "../archive.ts";
import {
  type CallRow,
  createRecordForm,
  nameCall,
  type ReadCall,
  readItems,
} from "../call-rows.ts";
import { readChats } from "../chats.ts";
import type { Ask } from "../connection.ts";
import { toList } from "../values.ts";
import { toName } from "../names.ts";
import { createTermLister } from "../terms.ts";
import { listCallNames } from "../writing/save-slice.ts";
import { toWordRow } from "../writing/save-words.ts";
import { EVERY_ID, readRange } from "./id-ranges.ts";

type Table = "call_key" | "call_words" | "call_name";

/** Reads one state of the archive. Leaves out damaged calls: their original terms are unknown. */
export async function examineIndex({ settings }: Archive, ask: Ask): Promise<Finding[]> {
  const form = createRecordForm(settings);
  const listTerms = createTermLister(settings.indexSeed);
  const found: { readonly table: Table; readonly name: string }[] = [];
  for await (const rows of readRange(ask, EVERY_ID)) {
    const names = new Map(rows.map((row) => [row.id, nameCall(row, form.readNames(row))]));
    const add = (table: Table, ids: Iterable<{ readonly id: string }>) => {
      for (const { id } of ids) found.push({ table, name: names.get(id) ?? `the call ${id}` });
    };
    const calls = (await readItems(ask, rows, form)).flatMap(toWhole);
    add("call_key", await findOtherTerms(ask, calls, listTerms));
    add("call_name", await findOtherNames(ask, calls));
    const callIds = calls.flatMap(({ item }) => item.record.call_id ?? []);
    const chatOf = await readChats(ask, callIds.map(toName), form.toMessage);
    const words = calls.flatMap(
      ({ row, item: { record } }) =>
        readWhole(() => [toWordRow({ id: BigInt(row.id), record }, chatOf, listTerms)]) ?? [],
    );
    add("call_words", await findOtherWords(ask, words));
  }
  for (const table of ["call_key", "call_words", "call_name"] as const)
    for (const { id } of await ask<{ id: string }>(
      `SELECT id FROM ${table} AS kept WHERE NOT EXISTS (SELECT FROM call WHERE call.id = kept.id)`,
    ))
      found.push({ table, name: `the call ${id}, which is not there,` });
  return [...Map.groupBy(found, ({ table }) => table)].map(([table, rows]) => ({
    level: "error",
    what: `the search index does not fit the calls: ${rows.length} rows, that of ${rows[0]?.name} for one`,
    where: `table ${table}`,
    todo: "restore the database as it was before, and look for what changed it: a disk, memory, a person",
  }));
}

type WholeCall = { readonly row: CallRow; readonly item: ReturnType<ReadCall["toItem"]> };

function toWhole({ row, toItem }: ReadCall): WholeCall[] {
  try {
    return [{ row, item: toItem() }];
  } catch (error) {
    if (isFault(error, "damaged")) return [];
    throw error;
  }
}

type Found = Promise<readonly { readonly id: string }[]>;

const findOtherTerms = (
  ask: Ask,
  calls: readonly WholeCall[],
  listTerms: ReturnType<typeof createTermLister>,
): Found =>
  ask(
    `SELECT given.id FROM unnest($1::int8[], $2::text[]) AS given (id, terms) LEFT JOIN call_key AS kept USING (id)
     WHERE kept.terms IS DISTINCT FROM given.terms::int8[]`,
    [
      toList(calls.map(({ row }) => BigInt(row.id))),
      toList(calls.map(({ item }) => `{${listTerms(item.record).join(",")}}`)),
    ],
  );

const findOtherWords = (ask: Ask, rows: readonly ReturnType<typeof toWordRow>[]): Found =>
  ask(
    `SELECT given.id FROM unnest($1::int8[], $2::text[], $3::text[]) AS given (id, seen, words) LEFT JOIN call_words AS kept USING (id)
     WHERE kept.seen IS DISTINCT FROM given.seen::int8[] OR kept.words IS DISTINCT FROM given.words::tsvector`,
    [
      toList(rows.map(({ id }) => id)),
      toList(rows.map(({ seen }) => seen)),
      toList(rows.map(({ words }) => words)),
    ],
  );

/** Each call must have all its names, and no others. */
function findOtherNames(ask: Ask, calls: readonly WholeCall[]): Found {
  const names = calls.flatMap(({ row, item }) => listCallNames(BigInt(row.id), item, row.digest));
  return ask(
    `SELECT DISTINCT coalesce(given.id, kept.id) AS id
     FROM unnest($1::uuid[], $2::text[], $3::int8[]) AS given (name, kind, id)
       FULL JOIN (SELECT name, kind::text AS kind, id FROM call_name WHERE id = ANY($4::int8[])) AS kept
         ON kept.name = given.name AND kept.kind = given.kind AND kept.id = given.id
     WHERE given.id IS NULL OR kept.id IS NULL`,
    [
      toList(names.map(([name]) => name)),
      toList(names.map(([, kind]) => kind)),
      toList(names.map(([, , id]) => id)),
      toList(calls.map(({ row }) => BigInt(row.id))),
    ],
  );
}
