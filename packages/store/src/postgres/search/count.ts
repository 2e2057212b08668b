// How many calls match: exact (D10).
import type { Ask } from "../connection.ts";
import { toIdRange, toSuffix } from "../months.ts";
import type { Query } from "../terms.ts";
import { toIndexed } from "./conditions.ts";
import type { MonthRange } from "./walk.ts";

export async function countCalls(
  ask: Ask,
  ranges: readonly MonthRange[],
  query: Query,
): Promise<number> {
  let count = 0;
  for (const range of ranges) count += await countByIndex(ask, range, query);
  return count;
}

async function countByIndex(
  ask: Ask,
  { month, fromId, untilId }: MonthRange,
  query: Query,
): Promise<number> {
  const { where, values } = toIndexed(query);
  const whole = toIdRange(month);
  const isWhole = fromId === whole.fromId && untilId === whole.untilId;
  const within = isWhole ? "" : `AND id >= ${fromId} AND id < ${untilId}`;
  const [row] = await ask<{ calls: string }>(
    `SELECT count(*) AS calls FROM call_key_${toSuffix(month)} WHERE ${where} ${within}`,
    values,
  );
  return Number(row?.calls);
}
