// The calls that an erasure names or that are old enough for it, whatever holds keep.
import type { DueCalls, ErasureFilter } from "../../port/index.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { toBeforeMs } from "../../values/days.ts";
import { type Named, toNamed } from "../../values/erasure-entry.ts";
import { FIRST_DATED_ID, toFirstId, toInstantMs } from "../../values/order-key.ts";
import type { OwedCases } from "../../values/owed-marks.ts";
import { readCalls, readItems, type RecordForm } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { type Leg, readLegs, toLegKey, toLegs } from "../holds.ts";
import type { IdRange } from "../months.ts";
import { toName } from "../names.ts";
import { toList } from "../values.ts";
import { EVERY_ID, readRange } from "./id-ranges.ts";

/** Ids, or a range of them. */
export type Calls = IdRange | readonly bigint[];

export interface Searched {
  readonly ask: Ask;
  readonly timeZone: string;
  readonly tombstoneKey: string;
  readonly form: RecordForm;
}

export interface Wanted {
  readonly calls: Calls;
  /** Names of calls; undefined if only their records decide. */
  readonly names: readonly string[] | undefined;
  readonly beforeMs: number | null;
  readonly callIds: readonly string[];
  /** The ids of calls without a call_id that an identifier finds. */
  readonly anonymous: readonly bigint[];
  /** What a filter by identifier names. */
  readonly asked: Named | undefined;
}

/** Those of the calls that have recordings, now or in an earlier state. */
export async function keepWithSound(ask: Ask, calls: Calls): Promise<readonly bigint[]> {
  return Array.from(await findWithSound(ask, calls), (id) => BigInt(id));
}

const NONE: ReadonlySet<string> = new Set();

async function findWithSound(ask: Ask, calls: Calls): Promise<ReadonlySet<string>> {
  const toCondition = (id: string) =>
    "fromId" in calls ? `${id} >= $1::int8 AND ${id} < $2::int8` : `${id} = ANY($1::int8[])`;
  const rows = await ask<{ id: string }>(
    `SELECT call AS id FROM recording WHERE ${toCondition("call")}
     UNION SELECT call_name.id FROM version_recording JOIN version ON version.id = version_recording.version AND version.kind = 'call'
       JOIN call_name ON call_name.kind = 'c' AND call_name.name = version.name WHERE ${toCondition("call_name.id")}`,
    "fromId" in calls ? [calls.fromId, calls.untilId] : [toList(calls)],
  );
  return new Set(rows.map(({ id }) => id));
}

export const OF_NO_NAME = { names: undefined, callIds: [], anonymous: [], asked: undefined };

export async function findWanted(
  archive: Searched,
  filter: ErasureFilter,
  owed: OwedCases,
): Promise<Wanted> {
  const { timeZone } = archive;
  if ("before" in filter) {
    const beforeMs = toBeforeMs(filter.before, timeZone);
    const range = { fromId: FIRST_DATED_ID, untilId: toFirstId(beforeMs) };
    return { ...OF_NO_NAME, calls: range, beforeMs };
  }
  if ("isUndated" in filter) {
    const range = { fromId: EVERY_ID.fromId, untilId: FIRST_DATED_ID };
    return { ...OF_NO_NAME, calls: range, beforeMs: null };
  }
  if ("due" in filter) return await findDue(archive, filter.due, filter.isSound === true);
  return await findNamed(archive, filter, owed);
}

async function findNamed(
  { ask, form }: Searched,
  filter: ErasureFilter,
  owed: OwedCases,
): Promise<Wanted> {
  const asked = toNamed(filter, {
    callIds: new Set(owed.callIds.keys()),
    references: new Set(owed.references.keys()),
  });
  const { callIds = [], references = [] } = asked ?? {};
  const find = async (kind: "c" | "r", texts: Iterable<string>) => {
    const rows = await ask<{ id: string }>(
      `SELECT DISTINCT id FROM call_name WHERE name = ANY($1::uuid[]) AND kind = $2::text::"char"`,
      [toList(Array.from(texts, toName)), kind],
    );
    return rows.map(({ id }) => BigInt(id));
  };
  const referenced = await find("r", references);
  const calls = [...new Set([...(await find("c", callIds)), ...referenced])];
  const found = await readItems(ask, await readCalls(ask, referenced), form);
  // A damaged record is erased as well; the rest of its call is found by the call_id.
  const read = found.map(({ row, toItem }) => ({
    id: BigInt(row.id),
    record: readWhole(() => toItem().record),
  }));
  const known = await leaveUnknown(ask, filter, [...callIds]);
  const own = new Set([...known, ...read.flatMap(({ record }) => record?.call_id ?? [])]);
  // All recordings of a call go at once.
  const others = filter.isSound ? await find("c", own) : [];
  return {
    calls: [...new Set([...calls, ...others])],
    names: [...callIds, ...own].map(toName),
    beforeMs: null,
    callIds: [...own],
    anonymous: read.flatMap(({ id, record }) => (record?.call_id === null ? [id] : [])),
    asked,
  };
}

async function findDue(
  archive: Searched,
  { untilMs, messagesUntilMs, isDue }: DueCalls,
  isSound: boolean,
): Promise<Wanted> {
  const { ask, form } = archive;
  const ids: bigint[] = [];
  const judged = new Set<string>();
  const until = untilMs === -Infinity ? FIRST_DATED_ID : toFirstId(untilMs);
  for await (const rows of readRange(ask, { fromId: FIRST_DATED_ID, untilId: until })) {
    const read = await toLegs(ask, await readItems(ask, rows, form));
    const own = read.filter(({ name }) => name === null || !judged.has(name));
    const names = [...new Set(own.flatMap(({ name }) => name ?? []))];
    const others = await readLegs(archive, names, own);
    for (const { name } of others) if (name !== null) judged.add(name);
    const all = [...own, ...others];
    const calls = Map.groupBy(all, toLegKey);
    const heard = isSound
      ? await findWithSound(
          ask,
          all.map(({ row }) => BigInt(row.id)),
        )
      : NONE;
    const isListed = ([key, legs]: readonly [string, readonly Leg[]]) => {
      if (!isSound) return isDue(legs.map(toDated), key);
      const records = legs.map((leg) => ({ ...toDated(leg), hasSound: heard.has(leg.row.id) }));
      return records.some(({ hasSound }) => hasSound) && isDue(records, key);
    };
    for (const [key, legs] of calls)
      if (readWhole(() => isListed([key, legs])) === true)
        ids.push(...legs.map(({ row }) => BigInt(row.id)));
  }
  const beforeMs = messagesUntilMs === -Infinity ? null : messagesUntilMs;
  return { ...OF_NO_NAME, calls: ids, beforeMs };
}

const toDated = ({ row, toItem }: Leg) => ({
  record: toItem().record,
  instantMs: toInstantMs(BigInt(row.id)),
});

/** An identifier that does not exist leaves no mark, unless it is owed. */
async function leaveUnknown(
  ask: Ask,
  filter: ErasureFilter,
  callIds: readonly string[],
): Promise<readonly string[]> {
  if ("isOwed" in filter) return callIds;
  const rows = await ask<{ name: string }>(
    `SELECT replace(name::text, '-', '') AS name FROM unnest($1::uuid[]) AS one (name)
     WHERE EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c')
       OR EXISTS (SELECT FROM chat WHERE call_name = one.name)`,
    [toList(callIds.map(toName))],
  );
  const known = new Set(rows.map(({ name }) => name));
  return callIds.filter((callId) => known.has(toName(callId)));
}
