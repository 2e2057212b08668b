// Segments: parts of months whose calls have not changed since they were sealed. For each common value a bitmap in the order of the
// ids marks its calls, so calls are counted a thousand at a time.
import { lockMonth } from "../locks.ts";
import type { Ask, Pool, Transaction } from "../connection.ts";
import { toCopyRow, toList } from "../values.ts";
import { isWhole, toWhole } from "../digested.ts";
import { byMonth, type IdRange, listMonths, toIdRange, toSuffix } from "../months.ts";
import { PLACES } from "../terms.ts";

export interface Segment extends IdRange {
  readonly id: number;
  readonly month: number;
  readonly calls: number;
  /** The places of rights whose rare values have no bits. Elsewhere, a value without bits occurs in no call of the segment. */
  readonly partial: readonly number[];
}

/** The sizes of segments; tests use smaller ones. */
export interface SegmentSizes {
  /** Its approximate number of calls. */
  readonly calls: number;
  /** Fewer calls than this are not sealed. */
  readonly fewest: number;
  /** A value is left to the index if fewer than one in this number of calls have it, except in fields of rights. */
  readonly oneOf: number;
  /** The maximum number of values of a field of rights; beyond it, rare values are left to the index too. */
  readonly values: number;
}

const SIZES: SegmentSizes = { calls: 65_536, fewest: 4_096, oneOf: 400, values: 2_000 };

/** The segments of these months, newest first. */
export async function listSegments(
  ask: Ask,
  months: Iterable<number>,
): Promise<readonly Segment[]> {
  const rows = await ask<{
    id: number;
    month: number;
    first_id: string;
    until_id: string;
    calls: number;
    partial: string;
    whole: boolean;
  }>(
    `SELECT id, month, first_id, until_id, calls, partial::text, ${isWhole("segment")} AS whole FROM segment
     WHERE month = ANY($1::int4[]) ORDER BY first_id DESC`,
    [toList(months)],
  );
  return toWhole("segment", rows).map(({ id, month, first_id, until_id, calls, partial }) => ({
    id,
    month,
    calls,
    fromId: BigInt(first_id),
    untilId: BigInt(until_id),
    partial: partial === "{}" ? [] : partial.slice(1, -1).split(",").map(Number),
  }));
}

/** The parts of a range that are in no segment. The segments must be within the range, newest first. */
export function listGaps({ fromId, untilId }: IdRange, segments: readonly IdRange[]): IdRange[] {
  const untils = [untilId, ...segments.map((segment) => segment.fromId)];
  const froms = [...segments.map((segment) => segment.untilId), fromId];
  return untils
    .map((until, index) => ({ fromId: froms[index] ?? fromId, untilId: until }))
    .filter((gap) => gap.fromId < gap.untilId);
}

/** Must be called in each transaction that adds or removes these calls: their segments are open from then on. */
export async function forgetSegments(
  transaction: Transaction,
  ids: Iterable<bigint>,
): Promise<void> {
  for (const [month, own] of byMonth(ids, (id) => id).toReversed()) {
    if (month === undefined) continue;
    await lockMonth(transaction, month);
    await transaction.ask(
      `DELETE FROM segment WHERE month = $1::int4
       AND EXISTS (SELECT FROM unnest($2::int8[]) AS id WHERE id >= first_id AND id < until_id)`,
      [month, toList(own)],
    );
  }
}

// Some calls arrive late, but few later than a week.
const CLOSED_MS = 7 * 86_400_000;

/** Seals the open parts of months that ended at least a week ago. The caller must hold the gate. */
export async function sealMonths(
  pool: Pool,
  nowMs: number,
  sizes: SegmentSizes = SIZES,
): Promise<void> {
  for (const month of await listMonths(pool)) {
    const range = toIdRange(month);
    if (range.untilId > BigInt(nowMs - CLOSED_MS) << 20n) continue;
    for (const gap of listGaps(range, await listSegments(pool.ask, [month])))
      for (const part of await cutGap(pool.ask, month, { gap, sizes }))
        await pool.transact((transaction) => seal(transaction, { ...part, month }, sizes), {
          isLong: true,
        });
  }
}

/** Cuts into parts of about the same number of calls; none if there are few calls. */
async function cutGap(
  ask: Ask,
  month: number,
  { gap, sizes }: { readonly gap: IdRange; readonly sizes: SegmentSizes },
): Promise<readonly IdRange[]> {
  const within = `FROM call_key_${toSuffix(month)} WHERE id >= ${gap.fromId} AND id < ${gap.untilId}`;
  const [row] = await ask<{ calls: string }>(`SELECT count(*) AS calls ${within}`);
  const calls = Number(row?.calls);
  if (calls < sizes.fewest) return [];
  const parts = Math.max(1, Math.round(calls / sizes.calls));
  const borders = await ask<{ id: string }>(
    `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS number ${within}) AS numbered
     WHERE number > 1 AND number % $1::int8 = 1 ORDER BY id`,
    [Math.ceil(calls / parts)],
  );
  const ids = [gap.fromId, ...borders.map(({ id }) => BigInt(id)), gap.untilId];
  return ids.slice(1).map((untilId, index) => ({ fromId: ids[index] ?? untilId, untilId }));
}

const ROWS = 8_192;

/** Skips the part while another process writes to the month: that process will seal it. */
async function seal(
  transaction: Transaction,
  { month, fromId, untilId }: IdRange & { readonly month: number },
  sizes: SegmentSizes,
): Promise<void> {
  if (!(await lockMonth(transaction, month, true))) return;
  const known = await transaction.ask(
    "SELECT FROM segment WHERE month = $1::int4 AND first_id < $3::int8 AND until_id > $2::int8",
    [month, fromId, untilId],
  );
  if (known.length > 0) return;
  const ordinals = new Map<string, number[]>();
  const values = new Map<number, Set<string>>(PLACES.map((place) => [place, new Set()]));
  let calls = 0;
  for await (const rows of transaction.cursor<{ terms: string }>(
    `SELECT terms::text FROM call_key_${toSuffix(month)} WHERE id >= $1::int8 AND id < $2::int8 ORDER BY id`,
    [fromId, untilId],
    ROWS,
  ))
    for (const { terms } of rows) {
      for (const [index, term] of terms.slice(1, -1).split(",").entries()) {
        if (term === NONE) continue;
        const own = ordinals.get(term);
        if (own === undefined) ordinals.set(term, [calls]);
        else own.push(calls);
        values.get(index + 1)?.add(term);
      }
      calls += 1;
    }
  const complete = [...values].filter(([, terms]) => terms.size <= sizes.values);
  const kept = new Set(complete.flatMap(([, terms]) => [...terms]));
  const partial = PLACES.filter((place) => !complete.some(([one]) => one === place));
  const [row] = await transaction.ask<{ id: number }>(
    `INSERT INTO segment (month, first_id, until_id, calls, partial)
     VALUES ($1::int4, $2::int8, $3::int8, $4::int4, $5::int4[]) RETURNING id`,
    [month, fromId, untilId, calls, toList(partial)],
  );
  const isKept = (term: string, own: readonly number[]) =>
    kept.has(term) || own.length * sizes.oneOf >= calls;
  await transaction.copy(
    "segment_bits (term, segment, bits, ones)",
    [...ordinals].flatMap(([term, own]) =>
      isKept(term, own) ? [toCopyRow([term, row?.id ?? null, toBits(own, calls), own.length])] : [],
    ),
  );
}

const NONE = "0";

/** Hexadecimal, in PostgreSQL's bit order; the first ordinal is the first bit. */
function toBits(ordinals: readonly number[], calls: number): string {
  const bytes = Buffer.alloc(Math.ceil(calls / 8));
  for (const ordinal of ordinals)
    bytes[ordinal >> 3] = (bytes[ordinal >> 3] ?? 0) | (0x80 >> (ordinal & 7));
  return `x${bytes.toString("hex")}`;
}
