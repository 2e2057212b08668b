// Reads the calls of an erasure, each with all its records that are erased: a hold that is added between two batches keeps no half of one.
import { type CallRow, readCalls, type RecordForm } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { type IdRange, toIdRange } from "../months.ts";
import { toName } from "../names.ts";
import { toList } from "../values.ts";
import { type Doomed, readDoomedCalls } from "./doomed.ts";
import { BATCH_ROWS } from "./id-ranges.ts";

/** Returns the other records of these calls that are erased. */
export function createLegReader(ask: Ask, form: RecordForm, doomed: Doomed) {
  const isDoomed = createDoomedTest(doomed);
  return async (rows: readonly CallRow[]): Promise<readonly CallRow[]> => {
    const ids = await listOtherLegs(ask, rows, form);
    return await readCalls(ask, ids.filter(isDoomed));
  };
}

export async function* readWholeCalls(
  ask: Ask,
  form: RecordForm,
  doomed: Doomed,
): AsyncGenerator<readonly CallRow[]> {
  const readOthers = createLegReader(ask, form, doomed);
  // Sound leaves its calls, which are found again by their other records.
  const done = new Set<string>();
  for await (const found of readDoomedCalls(ask, doomed)) {
    const rows = found.filter(({ id }) => !done.has(id));
    const others = await readOthers(rows);
    for (const { id } of others) done.add(id);
    if (rows.length > 0) yield [...rows, ...others];
  }
}

/** The months all of whose calls are erased. */
export const listWholeMonths = (
  months: readonly number[],
  range: IdRange,
  kept: ReadonlySet<bigint>,
): readonly number[] =>
  months.filter((month) => isWithin(toIdRange(month), range) && !holdsAny(toIdRange(month), kept));

async function listOtherLegs(
  ask: Ask,
  rows: readonly CallRow[],
  form: RecordForm,
): Promise<readonly bigint[]> {
  const read = rows.map((row) => ({ row, names: form.readNames(row) }));
  const damaged = read.flatMap(({ row, names }) => (names === undefined ? [row] : []));
  // No index leads to the names of damaged records, and there are few.
  const ofDamaged =
    damaged.length === 0
      ? []
      : await ask<{ name: string }>(
          "SELECT name FROM call_name WHERE kind = 'c' AND id = ANY($1::int8[])",
          [toIds(damaged)],
        );
  const names = read.flatMap(({ names: found }) => found?.call_id ?? []).map(toName);
  const legs = await ask<{ id: string }>(
    "SELECT DISTINCT id FROM call_name WHERE kind = 'c' AND name = ANY($1::uuid[])",
    [toList(new Set([...names, ...ofDamaged.map(({ name }) => toPlain(name))]))],
  );
  const own = new Set(rows.map(({ id }) => id));
  return legs.flatMap(({ id }) => (own.has(id) ? [] : BigInt(id)));
}

function createDoomedTest({ calls, kept }: Doomed): (id: bigint) => boolean {
  if ("fromId" in calls) return (id) => id >= calls.fromId && id < calls.untilId && !kept.has(id);
  const listed = new Set(calls);
  return (id) => listed.has(id) && !kept.has(id);
}

interface Crossing {
  readonly range: IdRange;
  readonly kept: ReadonlySet<bigint>;
  /** Those whose tables are dropped. */
  readonly months: readonly number[];
}

/** The records of calls that have others in another month. */
export async function* readCrossing(
  ask: Ask,
  { range, kept, months }: Crossing,
): AsyncGenerator<readonly CallRow[]> {
  if (months.length === 0) return;
  const bounds = months.map(toIdRange).flatMap(({ fromId, untilId }) => [fromId, untilId]);
  const rows = await ask<{ id: string }>(
    `SELECT first AS id FROM (SELECT min(id) AS first, max(id) AS last FROM call_name
       WHERE kind = 'c' AND id >= $1::int8 AND id < $2::int8 GROUP BY name HAVING count(*) > 1) AS one
     WHERE EXISTS (SELECT FROM unnest($3::int8[]) AS bound WHERE first < bound AND last >= bound)`,
    [range.fromId, range.untilId, toList(bounds)],
  );
  const ids = rows.map(({ id }) => BigInt(id)).filter((id) => !kept.has(id));
  for (let at = 0; at < ids.length; at += BATCH_ROWS)
    yield await readCalls(ask, ids.slice(at, at + BATCH_ROWS));
}

const holdsAny = ({ fromId, untilId }: IdRange, ids: ReadonlySet<bigint>) =>
  [...ids].some((id) => id >= fromId && id < untilId);

const isWithin = (inner: IdRange, outer: IdRange) =>
  inner.fromId >= outer.fromId && inner.untilId <= outer.untilId;

export const toIds = (rows: readonly CallRow[]): string => toList(rows.map(({ id }) => BigInt(id)));

export const toPlain = (uuid: string): string => uuid.replaceAll("-", "");
