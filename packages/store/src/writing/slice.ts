// What rows of an import may touch of an archive, in memory: all of it, or the part that a batch is about. Knows how a row that
// fails is undone.
import type { CallItem, MetadataRecord } from "../port/index.ts";
import type { Marks } from "../values/call-digest.ts";

/** A record of a call, as it is kept. One that is damaged throws when its record is read: it may well be replaced. */
export interface StoredCall extends CallItem {
  readonly marks: Marks;
  /** Undefined for a call without a datetime. */
  readonly instantMs: number | undefined;
  /** Counts up with each call that is written: the import order of equal instants (D09). */
  readonly order: number;
}

export interface StoredChat {
  readonly callId: string | null;
  readonly instantMs: number;
  readonly order: number;
  /** The message, JSON. */
  readonly text: string;
}

export interface StoredFlag {
  readonly userId: number | undefined;
  /** The flag, JSON. */
  readonly text: string;
}

export interface Tombstone {
  /** See `Mark`. */
  readonly untilDay: number | null;
  /** The row of the access log that says who erased it; null: of an earlier version. */
  readonly erasure: number | null;
}

/** What an archive brings along. */
export interface SliceMeans {
  /** The form in which a record is stored and digested. */
  readonly toStored: (record: MetadataRecord) => string;
  /** A number greater than those of all that is there. */
  readonly nextOrder: () => number;
}

export type Slice = ReturnType<typeof createSlice>;

export function createSlice(means: SliceMeans) {
  const journal = createJournal();
  return {
    ...means,
    journal,
    calls: createCallTable(journal),
    /** By their order. */
    chats: createTable<number, StoredChat>(journal),
    /** Users by their ids, JSON. */
    users: createTable<number, string>(journal),
    flags: createTable<number, StoredFlag>(journal),
    /** When sources last changed their calls, ms since 1970, by call_id. */
    revisions: createTable<string, number>(journal),
    /** What purges have erased, by their marks, hexadecimal. */
    tombstones: new Map<string, Tombstone>(),
  };
}

/** What a row of an import has changed, so that it can be undone. */
export interface Journal {
  note(undo: () => void): void;
  /** All or nothing: what `write` changed is undone when it throws. */
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

function createCallTable(journal: Journal) {
  const byCallId = new Map<string | null, Set<StoredCall>>();
  const listOf = (callId: string | null) => byCallId.get(callId) ?? new Set<StoredCall>();
  const insert = (call: StoredCall) => {
    const { callId } = call.marks;
    byCallId.set(callId, listOf(callId).add(call));
  };
  const remove = (call: StoredCall) => void listOf(call.marks.callId).delete(call);
  return {
    /** The newest first (D09). */
    ofCallId: (callId: string | null): StoredCall[] => [...listOf(callId)].toSorted(compareCalls),
    /** In no order. */
    all: (): StoredCall[] => [...byCallId.values()].flatMap((calls) => [...calls]),
    add: (call: StoredCall) => {
      journal.note(() => remove(call));
      insert(call);
    },
    remove: (call: StoredCall) => {
      journal.note(() => insert(call));
      remove(call);
    },
  };
}

/** What its source said of when it changed the call goes with the last record of the call. */
export function removeCall({ calls, revisions }: Slice, call: StoredCall): void {
  const { callId } = call.marks;
  calls.remove(call);
  if (callId !== null && calls.ofCallId(callId).length === 0) revisions.delete(callId);
}

/** D09: the newest first, equal instants as they were imported, those without a datetime at the end. */
export function compareCalls(a: StoredCall, b: StoredCall): number {
  const [first, second] = [a.instantMs ?? -Infinity, b.instantMs ?? -Infinity];
  return first === second ? a.order - b.order : second - first;
}
