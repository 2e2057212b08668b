// The holds of an archive in memory.
import type { ErasureEntry } from "../port/access-log.ts";
import type { Act } from "../port/history.ts";
import type { ChatMessageRecord, InternalRow, Writer } from "../port/index.ts";
import type { Holds, NewHold } from "../port/holds.ts";
import type { KeptHold } from "../port/internals.ts";
import { listMarkNames, parseErasure } from "../values/erasure-entry.ts";
import { type TombstoneName, toTombstone } from "../values/tombstones.ts";
import { toHex } from "../writing/row-writer.ts";
import {
  checkNewName,
  createHeldCalls,
  createHoldJudge,
  type HeldCalls,
  refuseTaken,
  inBytes,
  toListedHold,
  toStoredHold,
} from "../values/holds.ts";
import type { Pin, SliceMeans, StoredCall, StoredChat } from "../writing/slice.ts";
import { listStatesOfCall } from "./history.ts";
import type { Tables } from "./tables.ts";

/** `countOwed`: the number of calls that are owed an erasure and not held. */
export function createHolds(tables: Tables, timeZone: string, countOwed: () => number): Holds {
  const list = (names: Iterable<string>) => {
    const all = { calls: tables.calls.all(), chats: tables.chats.values() };
    const held = findHeld(tables, all, timeZone);
    return Array.from(names).flatMap((name) => {
      const stored = tables.holds.get(name);
      if (stored === undefined) return [];
      const added = tables.acts.get(stored.act);
      const pinned = inBytes(tables.held.get(name) ?? []);
      const missing = pinned.filter((callId) => !isThere(tables, callId));
      const erasures = findErased(tables, missing);
      const owed = tables.owed.callIds;
      return [toListedHold(stored, { added, pinned, missing, held, toKey, owed, erasures })];
    });
  };
  return {
    add: async (given, by) => {
      checkNewName(given.name, [...tables.holds.values()]);
      const stored = toStoredHold(given, tables.acts.size + 1);
      const { judgePast } = createHoldJudge([stored], timeZone);
      addAct(tables, by);
      tables.holds.set(given.name, stored);
      for (const callId of listCallIds(given)) hold(tables, { hold: given.name, callId });
      for (const callId of new Set(tables.versions.values().flatMap(toCallId)))
        for (const { state } of listStatesOfCall(tables, callId))
          for (const name of judgePast(state, toChat(tables, callId)))
            hold(tables, { hold: name, callId });
      const [listed] = list([given.name]);
      return listed ?? refuseTaken(given.name);
    },
    list: async () => list([...tables.holds.keys()].toSorted()),
    release: async (name) => {
      if (!tables.holds.delete(name)) return undefined;
      tables.held.delete(name);
      return countOwed();
    },
  };
}

/** The newest erasures of those of these call_ids that have a mark. */
function findErased(
  { tombstones, tombstoneKey, access }: Tables,
  callIds: readonly string[],
): ReadonlyMap<string, ErasureEntry | undefined> {
  const toMark = (name: TombstoneName) => toHex(toTombstone(tombstoneKey, name));
  const found = callIds.flatMap((callId) => {
    const marks = listMarkNames({ callId }).flatMap((name) => tombstones.get(toMark(name)) ?? []);
    if (marks.length === 0) return [];
    const seq = Math.max(...marks.map(({ erasure }) => erasure ?? 0));
    return [[callId, parseErasure(access.find((row) => row.seq === seq)?.entry)] as const];
  });
  return new Map(found);
}

export const isThere = ({ calls, chats }: Tables, callId: string): boolean =>
  calls.ofCallId(callId).length > 0 || chats.values().some((chat) => chat.callId === callId);

const listCallIds = ({ holds }: NewHold) => ("callIds" in holds ? holds.callIds : []);

const toCallId = ({ kind, name }: { readonly kind: string; readonly name: string }) =>
  kind === "call" ? [name] : [];

function addAct({ acts }: Tables, { operation, operator, run }: Writer): void {
  const act: Act = { atMs: Date.now(), operation, operator, ...(run !== undefined && { run }) };
  acts.set(acts.size + 1, act);
}

const toChat = (tables: Tables, callId: string | null) => (): readonly ChatMessageRecord[] =>
  tables.chats
    .values()
    .filter((chat) => callId !== null && chat.callId === callId)
    .map(({ text }): ChatMessageRecord => JSON.parse(text));

export const createJudge = (tables: Tables, timeZone: string): SliceMeans["listHolds"] => {
  const { judge } = createHoldJudge([...tables.holds.values()], timeZone);
  return (call) => judge(() => call, toChat(tables, call.marks.callId));
};

/** A call with a call_id is identified by it, since it may be written again; others by their order. */
export const toKey = (callId: string | null, order = 0): string => JSON.stringify(callId ?? order);

interface Wanted {
  readonly calls: readonly StoredCall[];
  readonly chats: readonly StoredChat[];
}

/** Finds which of these calls and messages are held, with all legs of their calls. */
export function findHeld(tables: Tables, { calls, chats }: Wanted, timeZone: string): HeldCalls {
  const found = createHeldCalls([...tables.holds.values()]);
  const listHolds = createJudge(tables, timeZone);
  const named = new Set([...calls.map(({ marks }) => marks.callId), ...chats.map(toOwner)]);
  named.delete(null);
  for (const callId of named)
    for (const [name, callIds] of tables.held)
      if (callId !== null && callIds.has(callId)) found.add(name, toKey(callId));
  const legs = [
    ...calls.filter(({ marks }) => marks.callId === null),
    ...[...named].flatMap((callId) => (callId === null ? [] : tables.calls.ofCallId(callId))),
  ];
  for (const call of legs)
    for (const name of listHolds(call)) found.add(name, toKey(call.marks.callId, call.order));
  const { judgeMessage } = createHoldJudge([...tables.holds.values()], timeZone);
  for (const { callId, order, instantMs, text } of chats)
    if (callId === null || tables.calls.ofCallId(callId).length === 0)
      for (const name of judgeMessage(() => ({ message: JSON.parse(text), instantMs })))
        found.add(name, toKey(callId, order));
  return found;
}

const toOwner = ({ callId }: StoredChat) => callId;

export function hold({ held }: Tables, pin: Pin): void {
  held.set(pin.hold, (held.get(pin.hold) ?? new Set()).add(pin.callId));
}

/** Stores the holds' call_ids that the rows of an import have brought. */
export function keepPins(tables: Tables): void {
  for (const pin of tables.pins.values()) hold(tables, pin);
  // A hold that gets the name of a released one has none of its calls.
  for (const [key] of tables.pins.entries()) tables.pins.delete(key);
}

export function putHold(tables: Tables, { name, reason, asked, added }: KeptHold): void {
  const act = tables.holds.get(name)?.act ?? tables.acts.size + 1;
  tables.acts.set(act, added);
  tables.holds.set(name, { name, reason, asked, act });
}

export function* listKept({ holds, held, owed, acts }: Tables): Generator<InternalRow> {
  for (const { act, ...one } of inOrder(holds).map(([, stored]) => stored)) {
    const added = acts.get(act);
    if (added !== undefined) yield { kind: "hold", ...one, added };
  }
  for (const [name, callIds] of inOrder(held))
    for (const callId of inBytes(callIds)) yield { kind: "held", hold: name, callId };
  for (const callId of inBytes(owed.callIds.keys()))
    yield { kind: "owed", callId, ...toReason(owed.callIds.get(callId)) };
  for (const reference of inBytes(owed.references.keys()))
    yield { kind: "owed_reference", reference, ...toReason(owed.references.get(reference)) };
}

const toReason = (reason: string | null = null) => (reason === null ? {} : { reason });

const inOrder = <Value>(rows: ReadonlyMap<string, Value>) =>
  [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
