// Searches by words (D30), month by month: in the index over words and rights, or in the words of each call that the caller sees. For a
// phrase both yield candidates, whose records are then read and tested.
import { type Query as Words, toSearched } from "@call-media/words";
import { isFault, StoreFault } from "../../port/index.ts";
import { checkSeen, hasBeginning, MAX_CALLS_READ, readsRecords } from "../../values/beginnings.ts";
import { notWritten } from "../../values/damaged-records.ts";
import { createWordTest } from "../../values/word-test.ts";
import { readCalls, readItems, type RecordForm } from "../call-rows.ts";
import { readChats } from "../chats.ts";
import type { Ask, Transaction } from "../connection.ts";
import { hasCode } from "../faults.ts";
import { toList, type Value } from "../values.ts";
import { toSuffix } from "../months.ts";
import { toName } from "../names.ts";
import type { Query } from "../terms.ts";
import { IS_TOO_LONG, isExact, toTsQuery } from "../words.ts";
import type { MonthRange } from "./walk.ts";

export interface WordSearch {
  readonly words: Words;
  /** Newest first. */
  readonly ranges: readonly MonthRange[];
  readonly query: Query;
  readonly form: RecordForm;
}

interface Found {
  /** The ids of a page, newest first. */
  readonly find: (page: {
    readonly skipped: number;
    readonly limit: number;
  }) => Promise<readonly bigint[]>;
  readonly count: () => Promise<number>;
}

// Less than the limit of any statement.
const LIMIT_MS = 8_000;

// After these three seconds there is still time to read the words of `MAX_CALLS_READ` calls.
const INDEX_LIMIT_MS = 3_000;

// The number of calls that are tested together.
const JUDGED = 200;

// Each statement expands the prefix to all its words again. So each requests more candidates than the one before, up to some megabytes.
const GROWTH = 4;
const MAX_LISTED = 50_000;

/** `countAll` counts the calls that match the days, the filter and the rights, without the words. Throws `BeginningTooBroad`. */
export async function openWordSearch(
  transaction: Transaction,
  search: WordSearch,
  countAll: () => Promise<number>,
): Promise<Found> {
  const { ask } = transaction;
  const toByIndex = (inner: Ask, limitMs: number) =>
    searchBy(inner, search, { by: "index", limitMs });
  if (!hasBeginning(search.words)) return toByIndex(ask, LIMIT_MS);
  const calls = await countAll();
  const toByCalls = () => searchBy(ask, search, { by: "calls", limitMs: LIMIT_MS });
  if (readsRecords(search.words, calls)) return toByCalls();
  if (search.query.rights.length > 0) checkSeen(calls);
  else if (calls > MAX_CALLS_READ) return toByIndex(ask, LIMIT_MS);
  let slow: Found | undefined;
  /** The index expands a prefix to the words of all calls. If that takes too long, the calls that the caller sees are read. */
  const attempt = async <T>(work: (found: Found) => Promise<T>): Promise<T> => {
    if (slow !== undefined) return await work(slow);
    try {
      return await transaction.attempt(
        (inner) => work(toByIndex(inner.ask, INDEX_LIMIT_MS)),
        INDEX_LIMIT_MS,
      );
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      return await work((slow = toByCalls()));
    }
  };
  return {
    find: (page) => attempt(({ find }) => find(page)),
    count: () => attempt(({ count }) => count()),
  };
}

const STATEMENT_TIMEOUT = "57014";

const isTooSlow = (error: unknown) => isFault(error, "busy") || hasCode(error, STATEMENT_TIMEOUT);

interface Way {
  /** `index` also has the words of hidden calls; `calls` reads only those that the caller sees. */
  readonly by: "index" | "calls";
  readonly limitMs: number;
}

function searchBy(ask: Ask, search: WordSearch, { by, limitMs }: Way): Found {
  const { words, ranges } = search;
  const exact = isExact(words);
  const judge = createJudge(ask, search);
  const checkTime = createTimer(limitMs);

  const isUnsure = ({ isTooLong }: Row) => !exact || isTooLong;

  /** The matching calls, newest first. `wanted`: the number of them that are read together. */
  async function* list(range: MonthRange, of: Indexed, wanted: number): AsyncGenerator<bigint> {
    const where = toConditions(search, range, { of, by });
    let limit = exact ? wanted : JUDGED;
    for (let { untilId } = range; ; limit = Math.min(limit * GROWTH, MAX_LISTED)) {
      checkTime();
      const rows = await ask<Row>(
        `SELECT id, ${IS_TOO_LONG} AS "isTooLong" FROM ${toTable(range)} WHERE ${where.text}
         AND id + 0 >= ${range.fromId} AND id + 0 < ${untilId} ORDER BY id + 0 DESC LIMIT ${limit}`,
        where.values,
      );
      for (const some of toParts(rows)) {
        checkTime();
        const found = await judge(some.filter(isUnsure).map(({ id }) => BigInt(id)));
        yield* some
          .filter((row) => !isUnsure(row) || found.has(row.id))
          .map(({ id }) => BigInt(id));
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      untilId = BigInt(last.id);
    }
  }

  return {
    find: async ({ skipped, limit }) => {
      const ids: bigint[] = [];
      let left = skipped;
      for (const range of ranges)
        for await (const id of list(range, "all", left + limit - ids.length)) {
          if (left > 0) left -= 1;
          else ids.push(id);
          if (ids.length === limit) return ids;
        }
      return ids;
    },
    count: async () => {
      let count = 0;
      for (const range of ranges) {
        checkTime();
        for await (const _ of list(range, exact ? "too long" : "all", JUDGED)) count += 1;
        if (exact)
          count += await countIndexed(
            ask,
            range,
            toConditions(search, range, { of: "indexed", by }),
          );
      }
      return count;
    },
  };
}

interface Row {
  readonly id: string;
  readonly isTooLong: boolean;
}

/** Parts of the size that is judged together. */
const toParts = (rows: readonly Row[]): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / JUDGED) }, (_, part) =>
    rows.slice(part * JUDGED, (part + 1) * JUDGED),
  );

const toTable = ({ month }: MonthRange) => `call_words_${toSuffix(month)} AS w`;

function createTimer(limitMs: number): () => void {
  const until = performance.now() + limitMs;
  return () => {
    if (performance.now() > until)
      throw new StoreFault(
        "busy",
        "this search takes too long: ask for fewer days, or for words that are less common",
      );
  };
}

async function countIndexed(ask: Ask, range: MonthRange, where: Conditions): Promise<number> {
  const [row] = await ask<{ calls: string }>(
    `SELECT count(*) AS calls FROM ${toTable(range)} WHERE ${where.text}
     AND id + 0 >= ${range.fromId} AND id + 0 < ${range.untilId}`,
    where.values,
  );
  return Number(row?.calls);
}

interface Conditions {
  readonly text: string;
  readonly values: readonly Value[];
}

/** `indexed`: the index shows that the calls have the words. `too long`: the index does not cover these calls. */
type Indexed = "indexed" | "too long" | "all";

function toConditions(
  { words, query: { terms, rights } }: WordSearch,
  { month }: MonthRange,
  { of, by }: { readonly of: Indexed; readonly by: Way["by"] },
): Conditions {
  const values: Value[] = [];
  const bind = (value: Value, type: string) => `$${values.push(value)}::${type}`;
  const indexed = () => `words @@ ${bind(toTsQuery(words), "tsquery")}`;
  const parts =
    of === "indexed"
      ? [indexed()]
      : of === "too long"
        ? [IS_TOO_LONG]
        : [`(${indexed()} OR ${IS_TOO_LONG})`];
  const keyed: string[] = terms.length > 0 ? [`k.terms @> ${bind(toList(terms), "int8[]")}`] : [];
  for (const { place, terms: list } of rights)
    if (place === undefined) keyed.push(`k.terms && ${bind(toList(list), "int8[]")}`);
    else parts.push(`seen && ${bind(toList(list), "int8[]")}`);
  // No index supports IS TRUE. A single lexeme is tested quickly.
  if (by === "calls" && of !== "too long") parts[0] = `(${parts[0]}) IS TRUE`;
  if (keyed.length > 0)
    parts.push(
      `EXISTS (SELECT FROM call_key_${toSuffix(month)} AS k WHERE k.id = w.id AND ${keyed.join(" AND ")})`,
    );
  return { text: parts.join(" AND "), values };
}

/** The function returns the ids of the calls whose record or chat matches. */
function createJudge(ask: Ask, { words, form }: WordSearch) {
  const test = createWordTest(words);
  return async (ids: readonly bigint[]): Promise<ReadonlySet<string>> => {
    if (ids.length === 0) return new Set();
    const rows = await readCalls(ask, ids);
    if (rows.length < ids.length) throw notWritten("the search index");
    const calls = (await readItems(ask, rows, form)).map((call) => ({
      id: call.row.id,
      record: call.toItem().record,
    }));
    const isFound = new Set<string>();
    const callIds: string[] = [];
    for (const { id, record } of calls)
      if (test(toSearched(record))) isFound.add(id);
      else if (record.call_id !== null) callIds.push(record.call_id);
    const chatOf = await readChats(ask, callIds.map(toName), form.toMessage);
    for (const { id, record } of calls)
      if (!isFound.has(id) && test(toSearched(record, chatOf(record.call_id)))) isFound.add(id);
    return isFound;
  };
}
