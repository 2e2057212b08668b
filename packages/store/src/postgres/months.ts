// The partitions of the archive: one for each month, in UTC, and one for calls without a datetime. Readers visit them one by one,
// newest first, so the planner never plans over all of them.
import type { Transaction } from "./connection.ts";
import { isWhole, type Judged, toWhole } from "./digested.ts";
import { lockSchema } from "./locks.ts";
import { isPartitioned } from "./row-sums.ts";
import { toFirstId, toInstantMs } from "../values/order-key.ts";

/** The tables that have a partition for each month. */
export const MONTHLY_TABLES = ["call", "call_key", "call_words", "recording"] as const;

/** Whole months since January 1970; undefined for calls without a datetime. */
export type Month = number | undefined;

export interface IdRange {
  readonly fromId: bigint;
  /** Without it. */
  readonly untilId: bigint;
}

const MONTHS = 12;
const FIRST_YEAR = 1970;

export function toMonth(id: bigint): Month {
  const instantMs = toInstantMs(id);
  if (instantMs === undefined) return undefined;
  const date = new Date(instantMs);
  return (date.getUTCFullYear() - FIRST_YEAR) * MONTHS + date.getUTCMonth();
}

/** The suffix of its tables' names: `call_2026_09`. */
export function toSuffix(month: Month): string {
  if (month === undefined) return "undated";
  const [year, index] = toParts(month);
  return `${year}_${String(index + 1).padStart(2, "0")}`;
}

export function toIdRange(month: number): IdRange {
  return { fromId: toFirstId(toStartMs(month)), untilId: toFirstId(toStartMs(month + 1)) };
}

const toStartMs = (month: number) => Date.UTC(...toParts(month));

function toParts(month: number): [year: number, index: number] {
  const year = Math.floor(month / MONTHS);
  return [FIRST_YEAR + year, month - year * MONTHS];
}

/** The indexes by terms and by words. */
export const toSearchIndexes = (month: number): readonly string[] => [
  `call_key_${toSuffix(month)}_terms_idx`,
  `call_words_${toSuffix(month)}_seen_words_idx`,
];

/** The ids of each month, the newest month first; within a month in the given order. */
export function byMonth<T>(items: Iterable<T>, toId: (item: T) => bigint): [Month, T[]][] {
  const months = Map.groupBy(items, (item) => toMonth(toId(item)));
  return [...months].toSorted(([a = -Infinity], [b = -Infinity]) => b - a);
}

/** The months that the archive has calls of, newest first. Throws `StoreFault` for a damaged row. */
export async function listMonths({ ask }: Pick<Transaction, "ask">): Promise<readonly number[]> {
  const rows = await ask<{ number: number } & Judged>(
    `SELECT number, ${isWhole("month")} AS whole FROM month ORDER BY number DESC`,
  );
  return toWhole("month", rows).map(({ number }) => number);
}

// Searches scan the new entries one by one until a vacuum, or the end of an import, moves them into the index.
const PENDING_KIB = 16 * 1024;

/** Creates the missing tables of months. They are attached afterwards, which does not block readers. */
export async function makeMonths(
  transaction: Transaction,
  months: Iterable<number>,
): Promise<void> {
  await lockSchema(transaction);
  const known = new Set(await listMonths(transaction));
  for (const month of new Set(months)) {
    if (known.has(month)) continue;
    const suffix = toSuffix(month);
    const { fromId, untilId } = toIdRange(month);
    const toTable = (name: string) => `
      CREATE TABLE ${name}_${suffix} (LIKE ${name} INCLUDING ALL);
      ALTER TABLE ${name} ATTACH PARTITION ${name}_${suffix} FOR VALUES FROM (${fromId}) TO (${untilId});
      ${isPartitioned(name) ? `SELECT count_rows('${name}_${suffix}', '${name}');` : ""}`;
    await transaction.run(`
      ${MONTHLY_TABLES.map(toTable).join("")}
      ${toSearchIndexes(month)
        .map((index) => `ALTER INDEX ${index} SET (gin_pending_list_limit = ${PENDING_KIB});`)
        .join("")}
      INSERT INTO month (number) VALUES (${month});`);
  }
}
