// Finds the calls of a page month by month, newest first. It first looks at a limited number of the newest calls, then chooses the
// faster method by the result. It does not rely on statistics: with those PostgreSQL now and then reads a whole month for one page.
import type { Ask } from "../connection.ts";
import { type IdRange, toIdRange, toSuffix } from "../months.ts";
import type { Query } from "../terms.ts";
import { toIndexed, toJudged } from "./conditions.ts";

/** Ids within a month. */
export interface MonthRange extends IdRange {
  readonly month: number;
}

/** The parts of the range that lie in these months, in their order. */
export function cutToMonths(months: readonly number[], { fromId, untilId }: IdRange): MonthRange[] {
  return months
    .map((month) => {
      const own = toIdRange(month);
      return {
        month,
        fromId: own.fromId > fromId ? own.fromId : fromId,
        untilId: own.untilId < untilId ? own.untilId : untilId,
      };
    })
    .filter((range) => range.fromId < range.untilId);
}

interface Wanted {
  /** The calls of the pages before. */
  readonly skipped: number;
  /** The maximum number of ids. */
  readonly limit: number;
  /** True if enough calls match that scanning by id is faster than the index; undefined: a first look decides. */
  readonly isFrequent?: boolean | undefined;
}

// A page without rights has its calls among the newest 50; most searches find theirs among this number.
const LOOK = 4_000;

// Scanning by id is faster than the index and a sort if at least one in this number of calls matches.
const ONE_OF = 100;

/** Finds the ids of a page, newest first. `ranges`: newest first. */
export async function findIds(
  ask: Ask,
  ranges: readonly MonthRange[],
  { query, skipped, limit, ...wanted }: Wanted & { readonly query: Query },
): Promise<readonly bigint[]> {
  const ids: bigint[] = [];
  let left = skipped;
  const take = (found: readonly bigint[]) => {
    ids.push(...found.slice(left));
    left -= Math.min(left, found.length);
  };
  const missing = () => left + limit - ids.length;
  let { isFrequent } = wanted;
  for (const range of ranges) {
    let { untilId } = range;
    if (isFrequent === undefined) {
      const look = await lookAtNewest(ask, range, query);
      take(look.ids.slice(0, missing()));
      if (missing() === 0) break;
      if (look.lastId === undefined) continue;
      untilId = look.lastId;
      isFrequent = look.ids.length * ONE_OF >= LOOK;
    }
    take(await findInMonth(ask, { ...range, untilId }, { query, isFrequent, limit: missing() }));
    if (missing() === 0) break;
  }
  return ids;
}

interface Look {
  readonly ids: readonly bigint[];
  /** The oldest call that was examined; undefined if none is older. */
  readonly lastId: bigint | undefined;
}

async function lookAtNewest(ask: Ask, range: MonthRange, query: Query): Promise<Look> {
  const { where, values } = toJudged(query);
  const [row] = await ask<{ ids: string | null; last: string | null; looked: string }>(
    `SELECT array_agg(id ORDER BY id DESC) FILTER (WHERE ${where})::text AS ids, min(id) AS last, count(*) AS looked
     FROM (SELECT id, terms FROM call_key_${toSuffix(range.month)}
           WHERE id >= ${range.fromId} AND id < ${range.untilId} ORDER BY id DESC LIMIT ${LOOK}) AS newest`,
    values,
  );
  const { ids = null, last = null, looked = "0" } = row ?? {};
  return {
    ids: ids === null ? [] : ids.slice(1, -1).split(",").map(BigInt),
    lastId: Number(looked) < LOOK || last === null ? undefined : BigInt(last),
  };
}

interface InMonth {
  readonly query: Query;
  readonly isFrequent: boolean;
  readonly limit: number;
}

async function findInMonth(
  ask: Ask,
  { month, fromId, untilId }: MonthRange,
  { query, isFrequent, limit }: InMonth,
): Promise<readonly bigint[]> {
  const { where, values } = isFrequent ? toJudged(query) : toIndexed(query);
  // Keeps the planner from using the key instead of the index.
  const id = isFrequent ? "id" : "id + 0";
  const rows = await ask<{ id: string }>(
    `SELECT id FROM call_key_${toSuffix(month)}
     WHERE ${where} AND ${id} >= ${fromId} AND ${id} < ${untilId} ORDER BY ${id} DESC LIMIT ${limit}`,
    values,
  );
  return rows.map((row) => BigInt(row.id));
}
