// Holds in PostgreSQL: finds what they keep among the calls that are to be erased, or among all calls.
import type { ChatMessageRecord } from "../port/index.ts";
import { readWhole } from "../values/damaged-records.ts";
import {
  createHeldCalls,
  createHoldJudge,
  type HeldCalls,
  type StoredHold,
} from "../values/holds.ts";
import { toInstantMs } from "../values/order-key.ts";
import type { StoredCall } from "../writing/slice.ts";
import { type CallRow, type ReadCall, readCalls, readItems, type RecordForm } from "./call-rows.ts";
import { MESSAGE_COLUMNS, type MessageRow, readChats } from "./chats.ts";
import type { Ask } from "./connection.ts";
import { isWhole, type Judged, toWhole } from "./digested.ts";
import { toName } from "./names.ts";
import { checkTables } from "./row-sums.ts";
import { toList } from "./values.ts";

/** Ordered by name. Throws `StoreFault` if one is damaged. */
export async function readHolds(ask: Ask): Promise<readonly StoredHold[]> {
  const rows = await ask<StoredHold & Judged>(
    `SELECT name, reason, asked, act::float8, ${isWhole("hold")} AS whole FROM hold ORDER BY name`,
  );
  return toWhole("hold", rows).map((row) => ({ ...row, reason: JSON.parse(row.reason) }));
}

/** A text that changes with the holds. */
export const toHoldsMark = (holds: readonly StoredHold[]): string =>
  JSON.stringify(holds.map(({ name, act }) => [name, act]));

export interface Pin {
  readonly hold: string;
  readonly callId: string;
}

/** Holds calls by their call_ids, whatever their records say. */
export async function savePins(ask: Ask, pins: readonly Pin[]): Promise<void> {
  if (pins.length === 0) return;
  await ask(
    `INSERT INTO held (hold, name, call_id) SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[]) ON CONFLICT DO NOTHING`,
    [
      toList(pins.map(({ hold }) => hold)),
      toList(pins.map(({ callId }) => toName(callId))),
      toList(pins.map(({ callId }) => JSON.stringify(callId))),
    ],
  );
}

interface Archive {
  readonly ask: Ask;
  readonly timeZone: string;
  readonly form: RecordForm;
}

/** Makes the judge for the calls of a batch that are replaced. */
export async function createReplacedJudge(
  { ask, timeZone, form }: Archive,
  callIds: Iterable<string>,
): Promise<(call: StoredCall) => readonly string[]> {
  const { hasQueries, hasWords, judge } = createHoldJudge(await readHolds(ask), timeZone);
  if (!hasQueries) return () => [];
  const chatOf = await readChats(ask, hasWords ? [...callIds] : [], form.toMessage);
  return (call) =>
    judge(
      () => call,
      () => chatOf(call.marks.callId),
    );
}

/** Those of the judged rows that are held. */
export interface Held {
  readonly found: HeldCalls;
  /** The ids of the rows of calls, and of messages that belong to no record. */
  readonly ids: readonly bigint[];
  readonly chats: readonly bigint[];
  /** The names of the calls. */
  readonly names: ReadonlySet<string>;
}

/** Makes a judge of rows, batch by batch: if one leg of a call is held, all are. */
export async function createHoldWatch(archive: Archive) {
  const { ask, timeZone, form } = archive;
  const holds = await readHolds(ask);
  // If a name was changed, its hold would have no effect.
  if (holds.length > 0) await checkTables(ask, ["hold", "held"]);
  const judge = createHoldJudge(holds, timeZone);
  const found = createHeldCalls(holds);
  const kept = { ids: [] as bigint[], chats: [] as bigint[], names: new Set<string>() };

  const holdNames = async (names: readonly string[]) => {
    const pins = await ask<{ hold: string; name: string }>(
      "SELECT hold, replace(name::text, '-', '') AS name FROM held WHERE name = ANY($1::uuid[])",
      [toList(names)],
    );
    for (const { hold, name } of pins) {
      found.add(hold, toKey(name));
      kept.names.add(name);
    }
  };
  const judgeLegs = async (read: readonly Leg[], names: readonly string[]) => {
    if (!judge.hasQueries) return;
    const legs = [...read, ...(await readLegs(archive, names, read))];
    const chatOf = await readChats(ask, judge.hasWords ? names : [], form.toMessage);
    for (const { row, toItem, name } of legs) {
      const toState = () => ({ record: toItem().record, instantMs: toInstantMs(BigInt(row.id)) });
      const toChat = () => chatOf(toItem().record.call_id);
      for (const hold of judge.judge(toState, toChat)) {
        found.add(hold, toLegKey({ row, name }));
        if (name !== null) kept.names.add(name);
      }
    }
  };
  const take = async (rows: readonly CallRow[]): Promise<void> => {
    if (holds.length === 0) return;
    const legs = await toLegs(ask, await readItems(ask, rows, form));
    const names = [...new Set(legs.flatMap(({ name }) => name ?? []))];
    await holdNames(names);
    await judgeLegs(legs, names);
    for (const leg of legs) if (found.has(toLegKey(leg))) kept.ids.push(BigInt(leg.row.id));
  };
  /** `rows`: messages of calls that have no record. */
  const takeMessages = async (rows: readonly LoneMessage[]): Promise<void> => {
    if (holds.length === 0) return;
    await holdNames(rows.flatMap(({ name }) => name ?? []));
    for (const { id, ...row } of rows) {
      const key = row.name === null ? toRowKey("chat", id) : toKey(row.name);
      const read = (): ChatMessageRecord => form.toMessage(row);
      const names = judge.judgeMessage(() => ({ message: read(), instantMs: row.instant_ms }));
      for (const hold of names) found.add(hold, key);
      if (!found.has(key)) continue;
      if (row.name !== null) kept.names.add(row.name);
      kept.chats.push(BigInt(id));
    }
  };
  return {
    holds,
    take,
    takeMessages,
    end: (): Held => ({ found, ...kept }),
  };
}

/** SQL for the rows of `takeMessages`. */
export const selectLone = (where: string): string =>
  `SELECT chat.id, ${MESSAGE_COLUMNS} FROM chat WHERE ${where} AND NOT EXISTS
     (SELECT FROM call_name WHERE call_name.kind = 'c' AND call_name.name = chat.call_name)`;

export interface LoneMessage extends MessageRow {
  readonly id: string;
}

export const toKey = (name: string): string => `of ${name}`;

/** The key of its call. */
export const toLegKey = ({ row, name }: Pick<Leg, "row" | "name">): string =>
  name === null ? toRowKey("call", row.id) : toKey(name);

const toRowKey = (kind: "call" | "chat", id: string) => `${kind} ${id}`;

export interface Leg extends ReadCall {
  /** The digest of the call_id; null without one. */
  readonly name: string | null;
}

export async function toLegs(ask: Ask, read: readonly ReadCall[]): Promise<readonly Leg[]> {
  const legs = read.map((one) => {
    const record = readWhole(() => one.toItem().record);
    const callId = record?.call_id ?? undefined;
    return {
      ...one,
      isDamaged: record === undefined,
      name: callId === undefined ? null : toName(callId),
    };
  });
  const damaged = legs.filter(({ isDamaged }) => isDamaged);
  if (damaged.length === 0) return legs;
  // No index leads to these, and there are few.
  const found = await ask<{ id: string; name: string }>(
    `SELECT id, replace(name::text, '-', '') AS name FROM call_name WHERE kind = 'c' AND id = ANY($1::int8[])`,
    [toList(damaged.map(({ row }) => BigInt(row.id)))],
  );
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return legs.map((leg) => ({ ...leg, name: leg.name ?? names.get(leg.row.id) ?? null }));
}

/** The other legs of these calls. */
export async function readLegs(
  { ask, form }: Archive,
  names: readonly string[],
  read: readonly Leg[],
): Promise<readonly Leg[]> {
  const known = new Set(read.map(({ row }) => row.id));
  const rows = await ask<{ id: string; name: string }>(
    `SELECT id, replace(name::text, '-', '') AS name FROM call_name WHERE kind = 'c' AND name = ANY($1::uuid[])`,
    [toList(names)],
  );
  const named = new Map(rows.map(({ id, name }) => [id, name]));
  const others = rows.filter(({ id }) => !known.has(id)).map(({ id }) => BigInt(id));
  const items = await readItems(ask, await readCalls(ask, others), form);
  return items.map((one) => ({ ...one, name: named.get(one.row.id) ?? null }));
}
