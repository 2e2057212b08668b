// What an erasure removes: conditions on the ids of calls, on chats and on contents, which stay valid until the rows are gone; and what
// holds keep.
import type { ErasureFilter, HeldBack } from "../../port/index.ts";
import { toHeldBack } from "../../values/holds.ts";
import { FIRST_DATED_ID } from "../../values/order-key.ts";
import { filterOwed, NOTHING_OWED, type OwedCases, toOwed } from "../../values/owed-marks.ts";
import { type CallRow, readCalls } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { createHoldWatch, type LoneMessage, selectLone, toHoldsMark } from "../holds.ts";
import type { IdRange } from "../months.ts";
import { toName } from "../names.ts";
import { toList, type Value } from "../values.ts";
import { BATCH_ROWS, readRange } from "./id-ranges.ts";
import { findOwed } from "./owed.ts";
import {
  type Calls,
  findWanted,
  keepWithSound,
  OF_NO_NAME,
  type Searched,
  type Wanted,
} from "./wanted.ts";

export interface Doomed {
  readonly calls: Calls;
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
  archive: Searched,
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
  const isAnyHeld = held.all().size > 0;
  const owing = isOwing ? asked : undefined;
  return {
    calls: wanted.calls,
    kept,
    values,
    named,
    settled: [...named.values()].filter((callId) => asked?.callIds.has(callId)),
    owed: toOwed(owing, { isHeld, isAnyHeld, known, ofCase }),
    unknown: isOwed && watch.holds.length === 0 ? found.unknown : NOTHING_OWED,
    debt: known,
    contents: new Set(),
    chats: [],
    cases: filterOwed(known, (name, kind) => (isOwed ? !isHeld(name) : isErased[kind](name))),
    soundless:
      asked === undefined || "fromId" in whole.calls || "fromId" in wanted.calls
        ? 0
        : whole.calls.length - wanted.calls.length,
    count: named.size + wanted.anonymous.filter((id) => !kept.has(id)).length,
    held: toHeldBack(held, isOwing),
    holdsMark: toHoldsMark(watch.holds),
  };
}

/** Makes functions that are true if a record or a message of this call, or a record with this reference, is erased. */
async function createErasedTest(ask: Ask, known: OwedCases, values: readonly Value[]) {
  const test = async (kind: keyof OwedCases, sql: string, given: readonly Value[]) => {
    const names = new Map(Array.from(known[kind].keys(), (one) => [toName(one), one]));
    if (names.size === 0) return () => false;
    const rows = await ask<{ name: string }>(
      `SELECT replace(name::text, '-', '') AS name FROM (${sql}) AS erased`,
      [...given, toList(names.keys())],
    );
    const erased = new Set(rows.map(({ name }) => names.get(name)));
    return (name: string) => erased.has(name);
  };
  const ofCalls = values.slice(0, CALL_VALUES);
  return {
    callIds: await test("callIds", ERASED_CALLS, values),
    references: await test("references", ERASED_REFERENCES, ofCalls),
  };
}

const ERASED_CALLS = `
  SELECT name FROM call_name WHERE name = ANY($9::uuid[]) AND kind = 'c' AND ${isDoomedCall("id")}
  UNION SELECT call_name FROM chat WHERE call_name = ANY($9::uuid[]) AND ${IS_DOOMED_CHAT}`;

const ERASED_REFERENCES = `
  SELECT DISTINCT name FROM call_name WHERE name = ANY($5::uuid[]) AND kind = 'r' AND ${isDoomedCall("id")}`;

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

/** The number of calls that are owed an erasure and not held; one without a call_id counts as one. */
export async function countOwed(archive: Searched): Promise<number> {
  const { count, unknown } = await findDoomed(archive, { isOwed: true });
  return count + unknown.callIds.size;
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

async function* readWanted(ask: Ask, calls: Calls): AsyncGenerator<readonly CallRow[]> {
  if ("fromId" in calls) yield* readRange(ask, calls);
  else
    for (let at = 0; at < calls.length; at += BATCH_ROWS)
      yield await readCalls(ask, calls.slice(at, at + BATCH_ROWS));
}
