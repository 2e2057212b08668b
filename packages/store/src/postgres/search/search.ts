// One search in one state of the archive: the records of a page, whether more follow, and the total number.
import type { CallPage, Calls, CallSearch } from "../../port/index.ts";
import { toDayRange } from "../../values/instant.ts";
import { notWritten } from "../../values/damaged-records.ts";
import { createTurns } from "../../values/turns.ts";
import { toFirstId } from "../../values/order-key.ts";
import { PAGE_SIZE } from "../../values/page-size.ts";
import type { Archive } from "../archive.ts";
import { createAccessFilters } from "../../values/visibility.ts";
import { createRecordForm, readCalls, readItems } from "../call-rows.ts";
import { readAtOnce } from "../at-once.ts";
import type { Ask, Transaction } from "../connection.ts";
import { tooMuchAtOnce } from "../slots.ts";
import { listMonths } from "../months.ts";
import { createQueries, type Query } from "../terms.ts";
import { openWordSearch } from "./by-words.ts";
import { countCalls, cutToParts, skipParts } from "./count.ts";
import { cutToMonths, findIds, type MonthRange } from "./walk.ts";

// The planner considers comparing lists of terms free; for a whole month it takes twenty times as long as the index.
const BY_INDEX = "SET LOCAL enable_seqscan = off";

export function createSearch({ read, settings }: Archive): Calls["search"] {
  const form = createRecordForm(settings);
  const toQuery = createQueries(settings.indexSeed);
  const toFilter = createAccessFilters();
  const find = async (transaction: Transaction, search: CallSearch): Promise<CallPage> => {
    const { ask } = transaction;
    const query = toQuery(search.filter, search.visibility);
    const { fromMs, untilMs } = toDayRange(search.startDate, search.endDate, settings.timeZone);
    const range = { fromId: toFirstId(fromMs), untilId: toFirstId(untilMs) };
    const ranges = query === undefined ? [] : cutToMonths(await listMonths({ ask }), range);
    const asked = { ranges, query: query ?? { terms: [], rights: [] } };
    const skipped = search.pageIndex * PAGE_SIZE;
    const { words } = search;
    const countAll = async () => countCalls(ask, await cutToParts(ask, ranges), asked.query);
    const byWords =
      words && (await openWordSearch(transaction, { ...asked, words, form }, countAll));
    const ids = byWords
      ? await byWords.find({ skipped, limit: LIMIT })
      : await (skipped < FAR ? findNear : findFar)(ask, { ...asked, skipped });
    const count = byWords ? byWords.count : countAll;
    const page = ids.slice(0, PAGE_SIZE);
    const rows = await readCalls(ask, page);
    if (rows.length < page.length) throw notWritten("the search index");
    const calls = await readItems(ask, rows, form);
    const records = calls.map((call) => call.toItem().record);
    // The index has no digest, so the right to see a record is checked on the record itself.
    if (!records.every(toFilter(search.visibility))) throw notWritten("the search index");
    return {
      records,
      hasNext: ids.length > PAGE_SIZE,
      pageSize: PAGE_SIZE,
      ...(search.isCounted && { recordCount: await count() }),
    };
  };
  const inTurn = createTurnTaker();
  return (search) =>
    inTurn(search.by, () =>
      readAtOnce(read, async (transaction) => {
        await transaction.run(BY_INDEX);
        return await find(transaction, search);
      }),
    );
}

// A search for words may take seconds and a core of the server. With more of them in parallel, lookups would get no connection, and all
// would become slower.
const AT_ONCE = 4;

const WAIT_MS = 8_000;

interface Turn {
  readonly by: string | undefined;
  readonly start: () => void;
}

/** Makes a function that does the work when it is its caller's turn, or throws `StoreFault`. */
function createTurnTaker() {
  const turns = createTurns<Turn>({ places: AT_ONCE, start: ({ start }) => start() });
  return async <T>(by: string | undefined, work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn = { by, start: resolve };
    const timer = setTimeout(() => turns.remove(turn) && reject(tooMuchAtOnce()), WAIT_MS);
    turns.add(turn);
    await promise.finally(() => clearTimeout(timer));
    try {
      return await work();
    } finally {
      turns.end(turn);
    }
  };
}

interface Asked {
  readonly ranges: readonly MonthRange[];
  readonly query: Query;
  readonly skipped: number;
}

const LIMIT = PAGE_SIZE + 1;

// Up to this number, skipped calls are found one by one; beyond it, whole parts of the archive are counted.
const FAR = 1_000;

const findNear = (ask: Ask, { ranges, query, skipped }: Asked) =>
  findIds(ask, ranges, { query, skipped, limit: LIMIT });

// Scanning by id is faster if at least one in this number of a segment's calls matches.
const ONE_OF = 20;

async function findFar(ask: Ask, { ranges, query, skipped }: Asked) {
  const { parts, left, matching } = await skipParts(ask, await cutToParts(ask, ranges), {
    query,
    skipped,
  });
  const segment = parts[0]?.segment;
  const isFrequent = segment && matching * ONE_OF >= segment.calls;
  return await findIds(ask, parts, { query, skipped: left, limit: LIMIT, isFrequent });
}
