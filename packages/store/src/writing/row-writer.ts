// Writes rows of an import into a slice of an archive: each completely or not at all, and nothing twice.
import type { ArchiveItem, CallItem, LeftRow, Outcome, UserRecord } from "../port/index.ts";
import { type DueMeans, type LeaveOutDue, NONE, toWholeRow } from "../values/import-policy.ts";
import { parseDatetime } from "../values/instant.ts";
import { createStateMemory } from "../values/kept-recordings.ts";
import { RowRejected } from "../values/row-rejected.ts";
import {
  createItemNamer,
  isOf,
  leaveOutErased as leaveOutErasedItems,
  type Sought,
  toTombstone,
} from "../values/tombstones.ts";
import { toPersonVersion } from "../values/versions.ts";
import { createCallWriter, type States, type Written } from "./call-writer.ts";
import type { Slice, StoredUser, Tombstone } from "./slice.ts";

/** The memory of an import run from one batch to the next. */
export interface RunMemory {
  readonly states: States;
  /** The messages that it has seen, by their orders. */
  readonly seenChats: Set<number>;
}

export const createRunMemory = (): RunMemory => ({
  states: createStateMemory(),
  seenChats: new Set(),
});

interface Run {
  readonly timeZone: string;
  readonly toMarks: Marker;
  readonly restoresErased: boolean;
  readonly memory: RunMemory;
  /** Undefined if the import obeys no policy. */
  readonly due: DueRules | undefined;
}

/** What it knows is from before the batch. */
export interface DueRules extends DueMeans {
  readonly leaveOut: LeaveOutDue;
}

export interface RowWriter {
  /** See `ImportSession.leaveOutErased`. */
  readonly leaveOut: (row: readonly ArchiveItem[]) => LeftRow;
  readonly write: (row: readonly ArchiveItem[]) => Outcome;
}

export function createRowWriter(slice: Slice, run: Run): RowWriter {
  const { timeZone, toMarks, restoresErased, memory, due } = run;
  const writeCall = createCallWriter(slice, timeZone, memory.states);
  const writeChat = createChatWriter(slice, timeZone, memory.seenChats);
  const writeItem = (item: ArchiveItem, { items, soundless }: LeftRow): Written => {
    if (item.kind === "call") return writeCall(item, listOthers(item, items), soundless.has(item));
    if (item.kind === "chat") return writeChat(item.record);
    return item.kind === "user" ? writeUser(slice, item) : writeFlag(slice, item);
  };

  const { tombstones } = slice;
  const find = (mark: string) => tombstones.get(mark);
  const means = due && {
    find: createFinder(slice, due),
    chatOf: createChatFinder(slice, due),
    holds: due.holds,
  };
  const leaveOutDue = (row: LeftRow): LeftRow =>
    due === undefined || means === undefined ? row : withDue(row, due.leaveOut(row.items, means));
  const leaveOutErased = (row: readonly ArchiveItem[]) =>
    tombstones.size === 0 ? toWholeRow(row) : leaveOutMarked(row, toMarks, find);
  const leaveOut = (row: readonly ArchiveItem[]) =>
    toNeeded(leaveOutErased(row), leaveOutDue, restoresErased ? row : undefined);
  const toWritten = (row: readonly ArchiveItem[]) =>
    leaveOutDue(restoresErased ? restore(row, leaveOutErased(row)) : leaveOutErased(row));

  const write = (row: readonly ArchiveItem[]): Outcome => {
    const left = toWritten(row);
    if (left.items.length === 0 && row.length > 0) return left.due.size > 0 ? "due" : "erased";
    try {
      const written = slice.journal.attempt(
        () => new Set(left.items.map((item) => writeItem(item, left))),
      );
      if (restoresErased && tombstones.size > 0)
        for (const mark of listMarksOf(left.items, toMarks, find)) tombstones.delete(mark);
      return (["replaced", "imported"] as const).find((one) => written.has(one)) ?? "unchanged";
    } catch (error) {
      if (error instanceof RowRejected) return { rejected: error.message };
      throw error;
    }
  };
  return { leaveOut, write };
}

interface SoughtMark extends Omit<Sought, "name"> {
  /** Hexadecimal. */
  readonly mark: string;
}

/** Returns the tombstones that an item may have, and its day. */
export type Marker = (item: ArchiveItem) => readonly SoughtMark[];

/** Makes one that caches its results. */
export function createMarker(archive: { timeZone: string; tombstoneKey: string }): Marker {
  const toNames = createItemNamer(archive.timeZone);
  const toMark = ({ name, ...sought }: Sought): SoughtMark => ({
    mark: toHex(toTombstone(archive.tombstoneKey, name)),
    ...sought,
  });
  const given = new WeakMap<ArchiveItem, readonly SoughtMark[]>();
  return (item) => {
    const marks = given.get(item) ?? toNames(item).map(toMark);
    given.set(item, marks);
    return marks;
  };
}

type FindTombstone = (mark: string) => Pick<Tombstone, "untilDay"> | undefined;

const isMarked = ({ mark, day }: SoughtMark, find: FindTombstone) =>
  isOf(find(mark)?.untilDay, day);

// The slice has only the calls that its batch brings records of.
const createFinder =
  ({ calls }: Slice, { find }: DueRules): DueMeans["find"] =>
  (callId) => {
    const known = find(callId);
    const legs = calls.ofCallId(callId);
    return {
      ...known,
      isThere: known.isThere || legs.length > 0,
      hasSound: known.hasSound || legs.some(({ recordings }) => recordings.length > 0),
      records: () => (legs.length > 0 ? legs : known.records()),
    };
  };

const createChatFinder =
  ({ chats }: Slice, { chatOf }: DueRules): DueMeans["chatOf"] =>
  (callId) => {
    const brought = chats.values().filter((chat) => chat.callId === callId);
    return [...chatOf(callId), ...brought.map(({ text }) => JSON.parse(text))];
  };

/** See `ImportSession.leaveOutErased`. `restored`: the whole row, if the session restores what was erased. */
export function toNeeded(
  erased: LeftRow,
  leaveOutDue: (row: LeftRow) => LeftRow,
  restored: readonly ArchiveItem[] | undefined,
): LeftRow {
  if (restored === undefined) return leaveOutDue(erased);
  const { due, dueSound } = leaveOutDue(toWholeRow(restored));
  return { ...erased, items: erased.items.filter((item) => !due.has(item)), due, dueSound };
}

/** A row without what was erased, and then without what is due. */
export const withDue = (erased: LeftRow, left: LeftRow): LeftRow => ({
  ...left,
  soundless: new Set([...erased.soundless, ...left.soundless]),
});

/** The items of a row without a tombstone. */
export function leaveOutMarked(
  row: readonly ArchiveItem[],
  toMarks: Marker,
  find: FindTombstone,
): LeftRow {
  const has = (item: ArchiveItem, isSound: boolean) =>
    toMarks(item).some((one) => (one.isSound ?? false) === isSound && isMarked(one, find));
  const items = leaveOutErasedItems(row, (item) => has(item, false));
  return {
    items,
    soundless: new Set(items.filter((item) => has(item, true))),
    due: NONE,
    dueSound: NONE,
  };
}

/** Erased recordings come back with a row that brings them. */
const restore = (items: readonly ArchiveItem[], { soundless }: LeftRow): LeftRow => ({
  items,
  due: NONE,
  dueSound: NONE,
  soundless: new Set([...soundless].filter((item) => !hasRecordings(item))),
});

const hasRecordings = (item: ArchiveItem) => item.kind === "call" && item.recordings.length > 0;

/**
 * The tombstones of a row that an import removes if it restores erased records. Those of erased recordings stay until the recordings come.
 */
export function listMarksOf(
  row: readonly ArchiveItem[],
  toMarks: Marker,
  find: FindTombstone,
): readonly string[] {
  const sought = row.flatMap((item) =>
    toMarks(item).filter(({ isSound = false }) => hasRecordings(item) || !isSound),
  );
  return [...new Set(sought.filter((one) => isMarked(one, find)).map(({ mark }) => mark))];
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function listOthers(item: CallItem, row: readonly ArchiveItem[]): readonly CallItem[] {
  return row.filter((other): other is CallItem => other.kind === "call" && other !== item);
}

/** A chat may well contain "Yes." twice within a second: a stored message makes only one equal message count as unchanged. */
function createChatWriter(slice: Slice, timeZone: string, seen: Set<number>) {
  return (record: Extract<ArchiveItem, { kind: "chat" }>["record"]): Written => {
    const text = JSON.stringify(record);
    const known = slice.chats.ofText(text).find(({ order }) => !seen.has(order));
    const order = known?.order ?? slice.nextChat();
    if (known === undefined) {
      const parsed = parseDatetime(record.datetime, timeZone);
      if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
      const { instantMs } = parsed;
      slice.chats.add({ callId: record.call_id, instantMs, order, text, act: slice.act() });
    }
    slice.journal.note(() => void seen.delete(order));
    seen.add(order);
    return known === undefined ? "imported" : "unchanged";
  };
}

function writeUser(
  slice: Slice,
  { record, before }: Extract<ArchiveItem, { kind: "user" }>,
): Written {
  const { users } = slice;
  const { id, username } = record;
  const known = users.get(id);
  if (before !== undefined) checkBefore(id, known, before);
  const owner = users.entries().find(([other, user]) => user.username === username && other !== id);
  if (owner !== undefined)
    throw new RowRejected(`username: "${username}" is the user ${owner[0]} already`);
  const text = JSON.stringify(record);
  if (known?.text === text && known.isDamaged !== true) return "unchanged";
  if (known !== undefined)
    slice.addVersion(toPersonVersion({ kind: "user", id }, known, slice.act()));
  users.set(id, { username, text, act: slice.act() });
  return known === undefined ? "imported" : "replaced";
}

function checkBefore(id: number, known: StoredUser | undefined, before: UserRecord | null): void {
  if (known?.text !== (before === null ? undefined : JSON.stringify(before)))
    throw new RowRejected(`id: somebody else has added or changed the user ${id} meanwhile`);
  // The damaged value would pass for the value that was requested.
  if (known?.isDamaged === true)
    throw new RowRejected(
      `id: the user ${id} is not what was written: restore the last backup into another folder, or import the user`,
    );
}

function writeFlag(
  slice: Slice,
  { record, userId }: Extract<ArchiveItem, { kind: "flag" }>,
): Written {
  const { flags } = slice;
  const text = JSON.stringify(record);
  const known = flags.get(record.Id);
  const isSame = known?.text === text && known.userId === userId;
  if (isSame && known.isDamaged !== true) return "unchanged";
  if (known !== undefined)
    slice.addVersion(toPersonVersion({ kind: "flag", id: record.Id }, known, slice.act()));
  flags.set(record.Id, { userId, text, act: slice.act() });
  return known === undefined ? "imported" : "replaced";
}
