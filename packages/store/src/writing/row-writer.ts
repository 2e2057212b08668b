// Writing rows of an import into a slice of an archive: each whole or not at all, and nothing twice.
import type { ArchiveItem, CallItem, Outcome, UserRecord } from "../port/index.ts";
import { parseDatetime } from "../values/instant.ts";
import { createStateMemory } from "../values/kept-recordings.ts";
import { RowRejected } from "../values/row-rejected.ts";
import { createItemNamer, isOf, leaveOutErased, toTombstone } from "../values/tombstones.ts";
import { createCallWriter, type States, type Written } from "./call-writer.ts";
import type { Slice } from "./slice.ts";

/** What a run of an import remembers from one batch to the next. */
export interface RunMemory {
  readonly states: States;
  /** The messages that it has met, by their orders. */
  readonly seenChats: Set<number>;
}

export const createRunMemory = (): RunMemory => ({
  states: createStateMemory(),
  seenChats: new Set(),
});

interface Run {
  readonly timeZone: string;
  readonly tombstoneKey: string;
  readonly restoresErased: boolean;
  readonly memory: RunMemory;
}

export interface RowWriter {
  /** See `ImportSession.leaveOutErased`. */
  readonly leaveOut: (row: readonly ArchiveItem[]) => readonly ArchiveItem[];
  readonly write: (row: readonly ArchiveItem[]) => Outcome;
}

export function createRowWriter(slice: Slice, run: Run): RowWriter {
  const { timeZone, restoresErased, memory } = run;
  const writeCall = createCallWriter(slice, timeZone, memory.states);
  const writeChat = createChatWriter(slice, timeZone, memory.seenChats);
  const writeItem = (item: ArchiveItem, row: readonly ArchiveItem[]): Written => {
    if (item.kind === "call") return writeCall(item, listOthers(item, row));
    if (item.kind === "chat") return writeChat(item.record);
    return item.kind === "user" ? writeUser(slice, item) : writeFlag(slice, item);
  };

  const toMarks = createMarker(run);
  const isMarked = ({ mark, day }: SoughtMark) => isOf(slice.tombstones.get(mark)?.untilDay, day);
  const isErased = (item: ArchiveItem) => toMarks(item).some(isMarked);
  const leaveOut = (row: readonly ArchiveItem[]) => leaveOutErased(row, isErased);

  const write = (row: readonly ArchiveItem[]): Outcome => {
    const left = restoresErased ? row : leaveOut(row);
    if (left.length === 0 && row.length > 0) return "erased";
    try {
      const written = slice.journal.attempt(
        () => new Set(left.map((item) => writeItem(item, left))),
      );
      if (restoresErased)
        for (const sought of row.flatMap(toMarks))
          if (isMarked(sought)) slice.tombstones.delete(sought.mark);
      return (["replaced", "imported"] as const).find((one) => written.has(one)) ?? "unchanged";
    } catch (error) {
      if (error instanceof RowRejected) return { rejected: error.message };
      throw error;
    }
  };
  return { leaveOut, write };
}

interface SoughtMark {
  /** Hexadecimal. */
  readonly mark: string;
  readonly day: number;
}

/** Makes a function that gives the tombstones that an item may have, and its day. */
export function createMarker({
  timeZone,
  tombstoneKey,
}: Pick<Run, "timeZone" | "tombstoneKey">): (item: ArchiveItem) => SoughtMark[] {
  const toNames = createItemNamer(timeZone);
  return (item) =>
    toNames(item).map(({ name, day }) => ({ mark: toHex(toTombstone(tombstoneKey, name)), day }));
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function listOthers(item: CallItem, row: readonly ArchiveItem[]): readonly CallItem[] {
  return row.filter((other): other is CallItem => other.kind === "call" && other !== item);
}

/** A chat may well say "Yes." twice in a second: a message is unchanged once for every equal message there is. */
function createChatWriter(slice: Slice, timeZone: string, seen: Set<number>) {
  return (record: Extract<ArchiveItem, { kind: "chat" }>["record"]): Written => {
    const text = JSON.stringify(record);
    const known = slice.chats.values().find((chat) => chat.text === text && !seen.has(chat.order));
    const order = known?.order ?? slice.nextOrder();
    if (known === undefined) {
      const parsed = parseDatetime(record.datetime, timeZone);
      if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
      const { instantMs } = parsed;
      slice.chats.set(order, { callId: record.call_id, instantMs, order, text });
    }
    slice.journal.note(() => void seen.delete(order));
    seen.add(order);
    return known === undefined ? "imported" : "unchanged";
  };
}

function writeUser(
  { users }: Slice,
  { record, before }: Extract<ArchiveItem, { kind: "user" }>,
): Written {
  const { id, username } = record;
  const known = users.get(id);
  if (before !== undefined && known !== (before === null ? undefined : JSON.stringify(before)))
    throw new RowRejected(`id: somebody else has added or changed the user ${id} meanwhile`);
  const others = users.values().map((text): UserRecord => JSON.parse(text));
  const owner = others.find((other) => other.username === username && other.id !== id);
  if (owner !== undefined)
    throw new RowRejected(`username: "${username}" is the user ${owner.id} already`);
  const text = JSON.stringify(record);
  if (text === known) return "unchanged";
  users.set(id, text);
  return known === undefined ? "imported" : "replaced";
}

function writeFlag(
  { flags }: Slice,
  { record, userId }: Extract<ArchiveItem, { kind: "flag" }>,
): Written {
  const text = JSON.stringify(record);
  const known = flags.get(record.Id);
  if (known?.text === text && known.userId === userId) return "unchanged";
  flags.set(record.Id, { userId, text });
  return known === undefined ? "imported" : "replaced";
}
