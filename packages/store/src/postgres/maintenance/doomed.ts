// What an erasure removes: conditions on the ids of calls, on chats and on contents, which stay valid until the rows are gone; and what
// holds keep.
import type { DueCalls, ErasureFilter, HeldBack } from "../../port/index.ts";
import { toBeforeMs } from "../../values/days.ts";
import { type Named, toNamed } from "../../values/erasure-entry.ts";
import { toHeldBack } from "../../values/holds.ts";
import { filterOwed, NOTHING_OWED, type OwedCases } from "../../values/owed-marks.ts";
import { FIRST_DATED_ID, toFirstId, toInstantMs } from "../../values/order-key.ts";
import { type CallRow, readCalls, readItems, type RecordForm } from "../call-rows.ts";
import { readWhole } from "../../values/damaged-records.ts";
import type { Ask } from "../connection.ts";
import {
  createHoldWatch,
  type Leg,
  type LoneMessage,
  toLegKey,
  readLegs,
  selectLone,
  toHoldsMark,
  toLegs,
} from "../holds.ts";
import { toList, type Value } from "../values.ts";
import type { IdRange } from "../months.ts";
import { toName } from "../names.ts";
import { BATCH_ROWS, EVERY_ID, readRange } from "./id-ranges.ts";
import { findOwed } from "./owed.ts";

export interface Doomed {
  readonly calls: IdRange | readonly bigint[];
  /** The ids that are held, or belong to a call that is not erased. */
  readonly kept: ReadonlySet<bigint>;
  /**
   * Values for `IS_DOOMED_CHAT`: ids, range of ids, ids that are held, names of calls, instant, held names, held messages. A null value
   * matches nothing.
   */
  readonly values: readonly Value[];
  /** The identifiers of the calls to erase that are named or found by a reference, by their names. */
  readonly named: ReadonlyMap<string, string>;
  /** The call_ids that the erasure names and that are erased, or that are owed and do not exist. */
  readonly settled: readonly string[];
  /** What the erasure names and holds keep. */
  readonly owed: OwedCases;
  /** The marks of what is owed by its mark alone, and can no longer be held: no hold is left. */
  readonly unknown: OwedCases;
  /** What is owed and may be erased now, whatever the filter. */
  readonly debt: OwedCases;
  /** The contents that no other call has. */
  readonly contents: ReadonlySet<string>;
  /** Messages that are erased whatever their calls. */
  readonly chats: readonly bigint[];
  /** The cases of what was owed and is erased. */
  readonly cases: OwedCases;
  /** For an erasure by identifier: the number of calls that are erased; one without a call_id counts as one. */
  readonly count: number;
  /** See `ErasurePlan`. */
  readonly soundless: number;
  readonly held: HeldBack | undefined;
  /** The holds that were read here; see `toHoldsMark`. */
  readonly holdsMark: string;
}

/** SQL: true if the call with the id in this column is erased. Uses the first four values. */
export const isDoomedCall = (id: string) =>
  `((coalesce(${id} = ANY($1::int8[]), false) OR coalesce(${id} >= $2::int8 AND ${id} < $3::int8, false)) AND ${id} <> ALL($4::int8[]))`;

/** The number of leading values that `isDoomedCall` needs. */
export const CALL_VALUES = 4;

const OF_CALL = "call_name.kind = 'c' AND call_name.name = chat.call_name";
const LEFT = `EXISTS (SELECT FROM call_name WHERE ${OF_CALL} AND NOT ${isDoomedCall("call_name.id")})`;
const TAKEN = `EXISTS (SELECT FROM call_name WHERE ${OF_CALL} AND ${isDoomedCall("call_name.id")})`;

/** SQL: true if a row of `chat` is erased. The chat of a call is erased with the last of its records, other messages by their own time. */
export const IS_DOOMED_CHAT = `((
  (chat.call_name = ANY($5::uuid[]) OR ($5::uuid[] IS NULL AND ${TAKEN})) AND NOT ${LEFT}
  OR chat.instant_ms < $6::float8 AND NOT EXISTS (SELECT FROM call_name WHERE ${OF_CALL}))
  AND coalesce(chat.call_name <> ALL($7::uuid[]), true) AND chat.id <> ALL($8::int8[]))`;

interface Archive {
  readonly ask: Ask;
  readonly timeZone: string;
  readonly tombstoneKey: string;
  readonly form: RecordForm;
}

const NOTHING_FOUND = { here: NOTHING_OWED, unknown: NOTHING_OWED };

/** These calls, with their chats, and these messages, whatever holds them. */
export const toGiven = (calls: readonly bigint[], chats: readonly bigint[]): Doomed => ({
  calls,
  chats,
  kept: new Set(),
  values: toValues({ ...OF_NO_NAME, calls, beforeMs: null }, NOTHING),
  named: new Map(),
  settled: [],
  owed: NOTHING_OWED,
  unknown: NOTHING_OWED,
  debt: NOTHING_OWED,
  contents: new Set(),
  cases: NOTHING_OWED,
  count: 0,
  soundless: 0,
  held: undefined,
  holdsMark: "",
});

/** Throws `ArchiveError` for an invalid day. */
export async function findDoomed(
  archive: Archive,
  filter: ErasureFilter,
  ofCase: string | null = null,
): Promise<Doomed> {
  const { ask } = archive;
  const isOwed = "isOwed" in filter;
  const found = filter.isSound ? NOTHING_FOUND : await findOwed(archive);
  const known = found.here;
  const whole = await findWanted(archive, filter, known);
  const wanted = filter.isSound
    ? { ...whole, calls: await keepWithSound(ask, whole.calls), names: [], beforeMs: null }
    : whole;
  const parted = new Set("fromId" in whole.calls ? await findParted(ask, whole.calls) : []);
  const watch = await createHoldWatch(archive);
  if (watch.holds.length > 0) {
    for await (const rows of readDoomedCalls(ask, { calls: wanted.calls, kept: parted }))
      await watch.take(rows);
    const lone = await ask<LoneMessage>(
      selectLone(IS_DOOMED_CHAT),
      toValues(wanted, { ...NOTHING, ids: [...parted] }),
    );
    await watch.takeMessages(lone);
  }
  const { found: held, ids, chats, names } = watch.end();
  const kept = new Set([...parted, ...ids]);
  const isAwaited = await findPinned(ask, wanted);
  const named = new Map(
    wanted.callIds
      .map((one) => [toName(one), one] as const)
      .filter(([name]) => !names.has(name) && !isAwaited.has(name)),
  );
  const { asked } = wanted;
  const values = toValues(wanted, { ids: [...kept], chats, names });
  const isErased = await createErasedTest(ask, known, values);
  const isOwing = asked !== undefined && filter.isSound !== true;
  const isHeld = (callId: string) => names.has(toName(callId));
  const toOwed = (kind: keyof OwedCases, owed: Iterable<string>) =>
    new Map(Array.from(owed, (one) => [one, known[kind].get(one) ?? ofCase]));
  return {
    calls: wanted.calls,
    kept,
    values,
    named,
    settled: [...named.values()].filter((callId) => asked?.callIds.has(callId)),
    owed: {
      callIds: toOwed("callIds", isOwing ? [...asked.callIds].filter(isHeld) : []),
      // If a call is held, a purge by reference has named only some of its records.
      references: toOwed("references", isOwing && held.all().size > 0 ? asked.references : []),
    },
    unknown: isOwed && watch.holds.length === 0 ? found.unknown : NOTHING_OWED,
    debt: known,
    contents: new Set(),
    chats: [],
    cases: filterOwed(known, (name, kind) => {
      const isNamed = kind === "callIds" && asked?.callIds.has(name) === true;
      return isOwed || isNamed ? !isHeld(name) : isErased[kind](name);
    }),
    soundless:
      asked === undefined || "fromId" in whole.calls || "fromId" in wanted.calls
        ? 0
        : whole.calls.length - wanted.calls.length,
    count: named.size + wanted.anonymous.filter((id) => !kept.has(id)).length,
    held: toHeldBack(held, isOwing),
    holdsMark: toHoldsMark(watch.holds),
  };
}

/** Makes functions that are true if a record of this call, or with this reference, is erased. */
async function createErasedTest(ask: Ask, known: OwedCases, values: readonly Value[]) {
  const test = async (kind: keyof OwedCases) => {
    const names = new Map(Array.from(known[kind].keys(), (one) => [toName(one), one]));
    if (names.size === 0) return () => false;
    const rows = await ask<{ name: string }>(
      `SELECT DISTINCT replace(name::text, '-', '') AS name FROM call_name
       WHERE name = ANY($5::uuid[]) AND kind = $6::text::"char" AND ${isDoomedCall("call_name.id")}`,
      [...values.slice(0, CALL_VALUES), toList(names.keys()), KINDS[kind]],
    );
    const erased = new Set(rows.map(({ name }) => names.get(name)));
    return (name: string) => erased.has(name);
  };
  return { callIds: await test("callIds"), references: await test("references") };
}

const KINDS = { callIds: "c", references: "r" } as const;

/** The names of those that are held whether they are there or not. */
async function findPinned(ask: Ask, { names = [] }: Wanted): Promise<ReadonlySet<string>> {
  const rows = await ask<{ name: string }>(
    "SELECT replace(name::text, '-', '') AS name FROM held WHERE name = ANY($1::uuid[])",
    [toList(names)],
  );
  return new Set(rows.map(({ name }) => name));
}

/** The records of calls that have others outside the range: a call is erased whole, when its last record is old enough. */
async function findParted(ask: Ask, { fromId, untilId }: IdRange): Promise<readonly bigint[]> {
  // Records without a datetime are erased with all others of that kind, without regard to those with one.
  if (fromId !== FIRST_DATED_ID) return [];
  const rows = await ask<{ id: string }>(
    `SELECT id FROM call_name AS own WHERE kind = 'c' AND id >= $1::int8 AND id < $2::int8 AND EXISTS (SELECT FROM call_name AS other
       WHERE other.kind = 'c' AND other.name = own.name AND (other.id < $1::int8 OR other.id >= $2::int8))`,
    [fromId, untilId],
  );
  return rows.map(({ id }) => BigInt(id));
}

interface Wanted {
  readonly calls: Doomed["calls"];
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
export async function keepWithSound(ask: Ask, calls: Doomed["calls"]): Promise<readonly bigint[]> {
  return Array.from(await findWithSound(ask, calls), (id) => BigInt(id));
}

const NONE: ReadonlySet<string> = new Set();

async function findWithSound(ask: Ask, calls: Doomed["calls"]): Promise<ReadonlySet<string>> {
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

const OF_NO_NAME = { names: undefined, callIds: [], anonymous: [], asked: undefined };

interface Kept {
  readonly ids: readonly bigint[];
  readonly chats: readonly bigint[];
  readonly names: ReadonlySet<string>;
}

const NOTHING: Kept = { ids: [], chats: [], names: new Set() };

function toValues({ calls, names, beforeMs }: Wanted, kept: Kept): readonly Value[] {
  const isRange = "fromId" in calls;
  return [
    isRange ? null : toList(calls),
    isRange ? calls.fromId : null,
    isRange ? calls.untilId : null,
    toList(kept.ids),
    names === undefined ? null : toList(names),
    beforeMs,
    toList(kept.names),
    toList(kept.chats),
  ];
}

async function findWanted(
  archive: Archive,
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
  { ask, form }: Archive,
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

/** The number of calls that are owed an erasure and not held; one without a call_id counts as one. */
export async function countOwed(archive: Archive): Promise<number> {
  const { count, unknown } = await findDoomed(archive, { isOwed: true });
  return count + unknown.callIds.size;
}

async function findDue(
  archive: Archive,
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

/** The calls to erase, in batches. */
export async function* readDoomedCalls(
  ask: Ask,
  { calls, kept }: Pick<Doomed, "calls" | "kept">,
): AsyncGenerator<readonly CallRow[]> {
  for await (const rows of readWanted(ask, calls)) {
    const left = rows.filter(({ id }) => !kept.has(BigInt(id)));
    if (left.length > 0) yield left;
  }
}

async function* readWanted(ask: Ask, calls: Doomed["calls"]): AsyncGenerator<readonly CallRow[]> {
  if ("fromId" in calls) yield* readRange(ask, calls);
  else
    for (let at = 0; at < calls.length; at += BATCH_ROWS)
      yield await readCalls(ask, calls.slice(at, at + BATCH_ROWS));
}
