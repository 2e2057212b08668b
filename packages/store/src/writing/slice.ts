// The part of an archive that rows of an import may change, in memory: all of it, or what concerns a batch. It can undo a row that
// fails.
import type { CallItem } from "../port/index.ts";
import type { Marks } from "../values/call-digest.ts";
import { isUndeclared } from "../values/identity.ts";
import type { StoredVersion } from "../values/versions.ts";

/** A row that a command has written. */
interface Brought {
  /** The act that added it; null or absent if unknown. */
  readonly act?: number | null;
}

/** A stored record of a call. A damaged one throws only when its record is read, because it may well be replaced. */
export interface StoredCall extends CallItem, Brought {
  readonly marks: Marks;
  /** Undefined for a call without a datetime. */
  readonly instantMs: number | undefined;
  /** False if the row of a recording is damaged, whatever the state of the record. */
  readonly hasWholeRecordings?: boolean;
  /** The import order of equal instants (D09). */
  readonly order: number;
}

export interface StoredChat extends Brought {
  readonly callId: string | null;
  readonly instantMs: number;
  readonly order: number;
  /** The message, JSON. */
  readonly text: string;
}

/** A stored user or flag. */
interface StoredPerson extends Brought {
  /** JSON. */
  readonly text: string;
  /** True if it is damaged: any new one replaces it. */
  readonly isDamaged?: boolean | undefined;
}

export interface StoredUser extends StoredPerson {
  readonly username: string;
}

export interface StoredFlag extends StoredPerson {
  readonly userId: number | undefined;
}

export interface Tombstone {
  /** See `Mark`. */
  readonly untilDay: number | null;
  /** The row of the access log that says who erased it; null if an earlier version did. */
  readonly erasure: number | null;
}

export interface Pin {
  readonly hold: string;
  readonly callId: string;
}

/** The functions that an archive provides. */
export interface SliceMeans {
  /** See `toCallDigest`. */
  readonly toDigest: (call: CallItem) => Uint8Array;
  /** The order of one more call in the instant: after all existing ones. Throws `RowRejected` if the instant is full. */
  readonly nextOrder: (instantMs: number | undefined) => number;
  /** The order of one more message: after all existing ones. */
  readonly nextChat: () => number;
  /** The writing act: see port/history.ts. */
  readonly act: () => number;
  /** The names of the holds whose query matches the call in its current state. */
  readonly listHolds: (call: StoredCall) => readonly string[];
}

export type Slice = ReturnType<typeof createSlice>;

export function createSlice(means: SliceMeans) {
  const journal = createJournal();
  const versions = createTable<number, StoredVersion>(journal);
  let lastVersion = 0;
  return {
    ...means,
    journal,
    calls: createCallTable(journal),
    chats: createChatTable(journal),
    /** By their ids; the same for flags. */
    users: createTable<number, StoredUser>(journal),
    flags: createTable<number, StoredFlag>(journal),
    /** When sources last changed their calls, ms since 1970, by call_id. */
    revisions: createTable<string, number>(journal),
    /** Replaced states, in this order. */
    versions,
    addVersion: (version: StoredVersion) => versions.set((lastVersion += 1), version),
    /** Calls that were replaced while they matched the query of a hold: it keeps them whatever their current state. */
    pins: createTable<string, Pin>(journal),
    /** The tombstones of purges, by their marks, hexadecimal. */
    tombstones: new Map<string, Tombstone>(),
  };
}

/** The changes of an import row, so that they can be undone. */
export interface Journal {
  note(undo: () => void): void;
  /** All or nothing: the changes of `write` are undone if it throws. */
  attempt<T>(write: () => T): T;
}

function createJournal(): Journal {
  const undos: (() => void)[] = [];
  return {
    note: (undo) => void undos.push(undo),
    attempt: (write) => {
      undos.length = 0;
      try {
        return write();
      } catch (error) {
        for (const undo of undos.toReversed()) undo();
        throw error;
      }
    },
  };
}

function createTable<Key, Value>(journal: Journal) {
  const rows = new Map<Key, Value>();
  const put = (key: Key, value: Value | undefined) =>
    value === undefined ? void rows.delete(key) : void rows.set(key, value);
  const change = (key: Key, value: Value | undefined) => {
    const before = rows.get(key);
    journal.note(() => put(key, before));
    put(key, value);
  };
  return {
    get: (key: Key) => rows.get(key),
    set: (key: Key, value: Value) => change(key, value),
    delete: (key: Key) => change(key, undefined),
    entries: () => [...rows],
    values: () => [...rows.values()],
  };
}

/** Messages by their order; several may have the same text. */
function createChatTable(journal: Journal) {
  const table = createTable<number, StoredChat>(journal);
  const texts = createLists<StoredChat>(journal);
  return {
    values: table.values,
    ofText: texts.of,
    add: (chat: StoredChat) => {
      table.set(chat.order, chat);
      texts.add(chat.text, chat);
    },
    remove: (chat: StoredChat) => {
      table.delete(chat.order);
      texts.remove(chat.text, chat);
    },
  };
}

function createCallTable(journal: Journal) {
  const all = new Set<StoredCall>();
  const lists = createLists<StoredCall>(journal, compareCalls);
  return {
    /** Newest first (D09), like all lists of calls. */
    ofCallId: (callId: string) => lists.of(KEYS.callId(callId)),
    ofIdentity: (callId: string, stored: Uint8Array) => lists.of(KEYS.identity(callId, stored)),
    ofMoment: (callId: string, instantMs: number | undefined) =>
      lists.of(KEYS.moment(callId, instantMs)),
    ofDigest: (digest: Uint8Array) => lists.of(KEYS.digest(digest)),
    /** Unordered. */
    all: (): StoredCall[] => [...all],
    /** Adds the calls of an archive, once: adding thousands of records of one call one by one takes long. */
    load: (calls: readonly StoredCall[]): void => {
      for (const call of calls) all.add(call);
      lists.load(calls.flatMap((call) => listKeys(call).map((key) => [key, call] as const)));
    },
    add: (call: StoredCall) => {
      journal.note(() => void all.delete(call));
      all.add(call);
      for (const key of listKeys(call)) lists.add(key, call);
    },
    remove: (call: StoredCall) => {
      journal.note(() => void all.add(call));
      all.delete(call);
      for (const key of listKeys(call)) lists.remove(key, call);
    },
  };
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

const KEYS = {
  callId: (callId: string) => `c${callId}`,
  digest: (digest: Uint8Array) => `d${toText(digest)}`,
  identity: (callId: string, stored: Uint8Array) => `i${stored.length} ${toText(stored)}${callId}`,
  moment: (callId: string, instantMs: number | undefined) => `m${instantMs} ${callId}`,
};

/** The keys by which a call is found. */
function listKeys({ marks, instantMs }: StoredCall): string[] {
  const { callId, identity, digest } = marks;
  if (callId === null || identity === null) return [KEYS.digest(digest)];
  const keys = [KEYS.callId(callId), KEYS.digest(digest), KEYS.identity(callId, identity)];
  if (isUndeclared(identity)) keys.push(KEYS.moment(callId, instantMs));
  return keys;
}

/** Lists by key. A returned list never changes. With `compare` they are sorted. */
function createLists<Value>(journal: Journal, compare?: (a: Value, b: Value) => number) {
  const lists = new Map<string, readonly Value[]>();
  const of = (key: string): readonly Value[] => lists.get(key) ?? [];
  const change = (key: string, list: readonly Value[]) => {
    const before = of(key);
    const put = (one: readonly Value[]) =>
      one.length === 0 ? void lists.delete(key) : void lists.set(key, one);
    journal.note(() => put(before));
    put(list);
  };
  return {
    of,
    load: (given: readonly (readonly [key: string, value: Value])[]): void => {
      for (const [key, some] of Map.groupBy(given, ([one]) => one)) {
        const list = some.map(([, value]) => value);
        lists.set(key, compare === undefined ? list : list.toSorted(compare));
      }
    },
    add: (key: string, value: Value) => {
      const list = of(key);
      const at =
        compare === undefined ? list.length : findPlace(list, (one) => compare(one, value));
      change(key, list.toSpliced(at, 0, value));
    },
    remove: (key: string, value: Value) =>
      change(
        key,
        of(key).filter((one) => one !== value),
      ),
  };
}

/** After all that do not come later: most values are the last. */
function findPlace<Value>(list: readonly Value[], compare: (one: Value) => number): number {
  return list.findLastIndex((one) => compare(one) <= 0) + 1;
}

/** Must be called before a call is replaced. */
export function pinHeld(slice: Slice, call: StoredCall): void {
  const { callId } = call.marks;
  if (callId === null) return;
  for (const hold of slice.listHolds(call))
    slice.pins.set(JSON.stringify([hold, callId]), { hold, callId });
}

/** The time when its source changed the call is removed with the last record of the call. */
export function removeCall({ calls, revisions }: Slice, call: StoredCall): void {
  const { callId } = call.marks;
  calls.remove(call);
  if (callId !== null && calls.ofCallId(callId).length === 0) revisions.delete(callId);
}

/** D09: newest first, equal instants in the order of import, calls without a datetime last. */
export function compareCalls(a: StoredCall, b: StoredCall): number {
  const [first, second] = [a.instantMs ?? -Infinity, b.instantMs ?? -Infinity];
  return first === second ? a.order - b.order : second - first;
}

/** True if the archive has the call without a time of change, and the source now gives one. */
export const lacksRevision = (
  { revisions }: Slice,
  named: ReadonlySet<string>,
  { record: { call_id: callId }, revisedMs }: CallItem,
): boolean =>
  revisedMs !== undefined &&
  callId !== null &&
  named.has(callId) &&
  revisions.get(callId) === undefined;
