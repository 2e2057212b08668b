// Counts the matching calls exactly (D10): segments by their bits, where these suffice, and everything else by the index.
import { notWritten } from "../../values/damaged-records.ts";
import type { Ask } from "../connection.ts";
import type { Value } from "../values.ts";
import { toList } from "../values.ts";
import { type IdRange, toIdRange, toSuffix } from "../months.ts";
import type { Query } from "../terms.ts";
import { toIndexed } from "./conditions.ts";
import { listGaps, listSegments, type Segment } from "./segments.ts";
import type { MonthRange } from "./walk.ts";

/** A part of a month whose calls are counted together. */
export interface Part extends MonthRange {
  readonly segment?: Segment;
}

/** Cuts the ranges where segments begin and end. A segment that is completely inside becomes a part of its own. Newest first. */
export async function cutToParts(
  ask: Ask,
  ranges: readonly MonthRange[],
): Promise<readonly Part[]> {
  const segments = await listSegments(
    ask,
    ranges.map(({ month }) => month),
  );
  return ranges.flatMap((range) => {
    const { month, fromId, untilId } = range;
    const own = segments.filter(
      (segment) =>
        segment.month === month && segment.fromId >= fromId && segment.untilId <= untilId,
    );
    const gaps = listGaps(range, own).map((gap): Part => ({ ...gap, month }));
    const sealed = own.map((segment): Part => ({ ...segment, segment }));
    return [...gaps, ...sealed].toSorted((a, b) => (a.fromId < b.fromId ? 1 : -1));
  });
}

export async function countCalls(ask: Ask, parts: readonly Part[], query: Query): Promise<number> {
  const known = await countByBits(ask, parts, query);
  let count = [...known.values()].reduce((sum, calls) => sum + calls, 0);
  const open = parts.filter(({ segment }) => segment === undefined || !known.has(segment.id));
  for (const [month, own] of Map.groupBy(open, (part) => part.month))
    count += await countByIndex(ask, month, { ranges: own, query });
  return count;
}

export interface Skipped {
  /** The part with the next call, and the parts after it. */
  readonly parts: readonly Part[];
  /** Calls of the first part that are still to be skipped. */
  readonly left: number;
  /** The number of its calls that match. */
  readonly matching: number;
}

/** Skips the parts before a page. */
export async function skipParts(
  ask: Ask,
  parts: readonly Part[],
  { query, skipped }: { readonly query: Query; readonly skipped: number },
): Promise<Skipped> {
  const known = await countByBits(ask, parts, query);
  let left = skipped;
  for (const [index, part] of parts.entries()) {
    const { month, segment } = part;
    const matching =
      (segment && known.get(segment.id)) ??
      (await countByIndex(ask, month, { ranges: [part], query }));
    if (matching > left) return { parts: parts.slice(index), left, matching };
    left -= matching;
  }
  return { parts: [], left, matching: 0 };
}

/** Counts by segment id, from the bits. Segments whose bits do not suffice are left out. */
async function countByBits(
  ask: Ask,
  parts: readonly Part[],
  query: Query,
): Promise<ReadonlyMap<number, number>> {
  const segments = parts.flatMap(({ segment }) => segment ?? []);
  const { terms, rights } = query;
  if (segments.length === 0 || rights.some(({ place }) => place === undefined)) return new Map();
  if (terms.length + rights.length === 0)
    return new Map(segments.map(({ id, calls }) => [id, calls]));
  const { text, values } = toBitsQuery(query);
  const rows = await ask<{ segment: number; calls: string; found: string; whole: boolean }>(text, [
    toList(segments.map(({ id }) => id)),
    ...values,
  ]);
  if (!rows.every(({ whole }) => whole)) throw notWritten("the search index");
  const isWhole = (segment: Segment, found: readonly number[]) =>
    rights.every(
      ({ place, terms: list }, index) =>
        found[index] === list.length || !segment.partial.includes(place ?? 0),
    );
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  return new Map(
    rows.flatMap(({ segment: id, calls, found }) => {
      const segment = byId.get(id);
      const numbers = found.slice(1, -1).split(",").map(Number);
      return segment && isWhole(segment, numbers) ? [[id, Number(calls)]] : [];
    }),
  );
}

/** Selects, for the segments that have bits of all terms: the number of matching calls, and the number of each right's values with bits. */
function toBitsQuery({ terms, rights }: Query): { text: string; values: readonly Value[] } {
  const joins = terms.map(
    (_, index) =>
      `JOIN segment_bits AS t${index} ON t${index}.segment = s.id AND t${index}.term = $${index + 2}::int8`,
  );
  const lists = rights.map(
    (_, index) => `CROSS JOIN LATERAL (
       SELECT bit_or(bits) AS bits, count(*) AS found, coalesce(bool_and(bit_count(bits) = ones), true) AS whole FROM segment_bits
       WHERE term = ANY($${terms.length + index + 2}::int8[]) AND segment = s.id) AS r${index}`,
  );
  const bits = [
    ...terms.map((_, index) => `t${index}.bits`),
    ...rights.map((_, index) => `r${index}.bits`),
  ];
  const found = rights.map((_, index) => `r${index}.found`);
  const whole = [
    ...terms.map((_, index) => `bit_count(t${index}.bits) = t${index}.ones`),
    ...rights.map((_, index) => `r${index}.whole`),
  ];
  return {
    text: `SELECT s.id AS segment, coalesce(bit_count(${bits.join(" & ")}), 0) AS calls,
        ARRAY[${found.join(", ")}]::int8[]::text AS found, ${whole.join(" AND ")} AS whole
      FROM unnest($1::int4[]) AS s (id) ${joins.join(" ")} ${lists.join(" ")}`,
    values: [...terms, ...rights.map((right) => toList(right.terms))],
  };
}

async function countByIndex(
  ask: Ask,
  month: number,
  { ranges, query }: { readonly ranges: readonly IdRange[]; readonly query: Query },
): Promise<number> {
  const { where, values } = toIndexed(query);
  const whole = toIdRange(month);
  const merged = merge(ranges);
  const isWhole = merged.some(
    ({ fromId, untilId }) => fromId === whole.fromId && untilId === whole.untilId,
  );
  const within = merged.map(({ fromId, untilId }) => `id >= ${fromId} AND id < ${untilId}`);
  const [row] = await ask<{ calls: string }>(
    `SELECT count(*) AS calls FROM call_key_${toSuffix(month)}
     WHERE ${where} ${isWhole ? "" : `AND (${within.join(" OR ")})`}`,
    values,
  );
  return Number(row?.calls);
}

/** Merges adjacent ranges; newest first. */
function merge(ranges: readonly IdRange[]): IdRange[] {
  const merged: IdRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last?.fromId === range.untilId) merged.splice(-1, 1, { ...last, fromId: range.fromId });
    else merged.push(range);
  }
  return merged;
}
