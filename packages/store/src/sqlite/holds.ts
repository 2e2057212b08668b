// Holds in SQLite: finds what they keep among the calls that are listed for erasure, or among all calls.
import type { DatabaseSync } from "node:sqlite";
import type { ChatMessageRecord } from "../port/index.ts";
import { notAsWritten, nameDigested } from "../values/damaged-records.ts";
import {
  createHeldCalls,
  createHoldJudge,
  type HeldCalls,
  type HoldJudge,
  type StoredHold,
} from "../values/holds.ts";
import { toInstantMs } from "../values/order-key.ts";
import type { SliceMeans } from "../writing/slice.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import {
  createChatReader,
  createMessageReader,
  MESSAGE_COLUMNS,
  type MessageRow,
} from "./chats.ts";
import { checkTables } from "./digested-rows.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { isWholeIn, toInsert } from "./schema/digested.ts";
import { readTimeZone } from "./settings.ts";

/** Ordered by name. Throws `StoreFault` if one is damaged. */
export function readHolds(database: DatabaseSync): readonly StoredHold[] {
  const rows = prepareRows<StoredHold & { readonly whole: number }>(
    database,
    `SELECT name, reason, asked, act, ${isWholeIn(database, "hold")} AS whole FROM hold ORDER BY name`,
  );
  return rows.all().map(({ whole, ...hold }) => {
    if (whole === 0) throw notAsWritten(nameDigested("hold", hold));
    return hold;
  });
}

/** Makes a function that holds a call by its call_id, whatever its records say. */
export function createPinWriter(database: DatabaseSync) {
  const insert = database.prepare(toInsert("held", "ON CONFLICT DO NOTHING"));
  return ({ hold, callId }: { readonly hold: string; readonly callId: string }) =>
    void insert.run({ hold, call_id: callId });
}

/** The call_ids that are held whether they are there or not. */
export const listPinned = (database: DatabaseSync): ReadonlySet<string> =>
  new Set(
    prepareRows<Pick<Pin, "call_id">>(database, "SELECT DISTINCT call_id FROM held")
      .all()
      .map(({ call_id }) => call_id),
  );

/** Makes a function that returns the judge for replaced calls, using the current holds. */
export function createReplacedJudge(database: DatabaseSync): () => SliceMeans["listHolds"] {
  const timeZone = readTimeZone(database);
  const toChat = createChatReader(database);
  return () => {
    const { hasQueries, judge } = createHoldJudge(readHolds(database), timeZone);
    if (!hasQueries) return () => [];
    return (call) =>
      judge(
        () => call,
        () => (call.marks.callId === null ? [] : toChat(call.marks.callId)),
      );
  };
}

/** A text that changes with the holds. */
export const toHoldsMark = (database: DatabaseSync): string =>
  JSON.stringify(readHolds(database).map(({ name, act }) => [name, act]));

const LEGS = `SELECT id FROM doomed_call UNION
  SELECT leg.id FROM doomed_call JOIN call AS own USING (id) JOIN call AS leg ON leg.call_id = own.call_id`;

const EXTENTS = {
  all: {
    pins: `SELECT hold, call_id FROM held WHERE EXISTS (SELECT 1 FROM call WHERE call.call_id = held.call_id)
      OR EXISTS (SELECT 1 FROM chat WHERE chat.call_id = held.call_id)`,
    calls: `SELECT ${CALL_COLUMNS} FROM call`,
    messages: "chat",
  },
  doomed: {
    pins: `SELECT hold, call_id FROM held WHERE call_id IN
      (SELECT call_id FROM call JOIN doomed_call USING (id) UNION SELECT call_id FROM chat JOIN doomed_chat USING (id))`,
    calls: `SELECT ${CALL_COLUMNS} FROM call WHERE id IN (${LEGS})`,
    messages: "chat JOIN doomed_chat USING (id)",
  },
} as const;

/** Judges all calls and messages, or those that are listed for erasure with all legs of their calls. */
export function findHeld(database: DatabaseSync, extent: keyof typeof EXTENTS): HeldCalls {
  const holds = readHolds(database);
  const found = createHeldCalls(holds);
  if (holds.length === 0) return found;
  // If a call_id was changed, its hold would have no effect.
  checkTables(database, ["hold", "held"]);
  const { pins, calls, messages } = EXTENTS[extent];
  for (const { hold, call_id } of prepareRows<Pin>(database, pins).iterate())
    found.add(hold, toCallKey(call_id));
  const judge = createHoldJudge(holds, readTimeZone(database));
  if (!judge.hasQueries) return found;
  judgeCalls(database, { judge, found, sql: calls });
  judgeMessages(database, { judge, found, from: messages });
  return found;
}

interface Pin {
  readonly hold: string;
  readonly call_id: string;
}

interface Judging {
  readonly judge: HoldJudge;
  readonly found: HeldCalls;
}

function judgeCalls(
  database: DatabaseSync,
  { judge, found, sql }: Judging & { readonly sql: string },
): void {
  const { toRecord } = createRecordForm(database);
  const toChat = createChatReader(database);
  for (const row of prepareBig<CallRow>(database, sql).iterate()) {
    const { id, call_id: callId } = row;
    const toState = () => ({ record: toRecord(row), instantMs: toInstantMs(id) });
    const names = judge.judge(toState, () => (callId === null ? [] : toChat(callId)));
    for (const name of names) found.add(name, toKey("call", { callId, id }));
  }
}

/** Judges the messages of calls that have no record. */
function judgeMessages(
  database: DatabaseSync,
  { judge, found, from }: Judging & { readonly from: string },
): void {
  const select = prepareRows<MessageRow & { readonly id: number }>(
    database,
    `SELECT id, ${MESSAGE_COLUMNS} FROM ${from} WHERE NOT EXISTS (SELECT 1 FROM call WHERE call.call_id = chat.call_id)`,
  );
  const read = createMessageReader(database);
  for (const { id, ...row } of select.iterate()) {
    const toMessage = (): { message: ChatMessageRecord; instantMs: number } => ({
      message: read(row),
      instantMs: Number(row.instant_ms),
    });
    for (const name of judge.judgeMessage(toMessage))
      found.add(name, toKey("chat", { callId: row.call_id, id: BigInt(id) }));
  }
}

interface Listed {
  readonly callId: string | null;
  readonly id: bigint;
}

export const toKey = (kind: "call" | "chat", { callId, id }: Listed): string =>
  callId === null ? `${kind} ${id}` : `of ${callId}`;

export const toCallKey = (callId: string): string => toKey("call", { callId, id: 0n });

/** Removes what is held from the lists. */
export function keepHeld(database: DatabaseSync, held: HeldCalls): void {
  if (held.all().size === 0) return;
  for (const kind of ["call", "chat"] as const) {
    const list = prepareBig<Listed>(
      database,
      `SELECT id, call_id AS callId FROM ${kind} JOIN doomed_${kind} USING (id)`,
    );
    const remove = database.prepare(`DELETE FROM doomed_${kind} WHERE id = ?`);
    for (const row of list.all()) if (held.has(toKey(kind, row))) remove.run(row.id);
  }
}

/** The call_ids that an erasure has named and that are held. */
export const listHeldCallIds = (held: HeldCalls): readonly string[] =>
  [...held.all()].flatMap((key) => (key.startsWith("of ") ? [key.slice(3)] : []));
