// An import into memory: each row whole or not at all, and nothing twice.
import type {
  ArchiveItem,
  CallItem,
  ImportSession,
  ImportSessionOptions,
  Outcome,
  UserRecord,
} from "../port/index.ts";
import { parseDatetime } from "../values/instant.ts";
import { RowRejected } from "../values/row-rejected.ts";
import { createItemNamer, leaveOutErased, toTombstone } from "../values/tombstones.ts";
import { createCallWriter, type Written } from "./call-writer.ts";
import { type Tables, toStored } from "./tables.ts";

export function createImportSession(
  tables: Tables,
  timeZone: string,
  { restoresErased = false }: ImportSessionOptions,
): ImportSession {
  const writeCall = createCallWriter(tables, timeZone);
  const writeChat = createChatWriter(tables, timeZone);
  const writeItem = (item: ArchiveItem, row: readonly ArchiveItem[]): Written => {
    if (item.kind === "call") return writeCall(item, listOthers(item, row));
    if (item.kind === "chat") return writeChat(item.record);
    return item.kind === "user" ? writeUser(tables, item) : writeFlag(tables, item);
  };

  const toNames = createItemNamer(timeZone, toStored);
  const toMarks = (item: ArchiveItem) =>
    toNames(item).map((name) => toHex(toTombstone(tables.tombstoneKey, name)));
  const leaveOut = (row: readonly ArchiveItem[]) =>
    restoresErased
      ? row
      : leaveOutErased(row, (item) => toMarks(item).some((mark) => tables.tombstones.has(mark)));

  const writeRow = (row: readonly ArchiveItem[]): Outcome => {
    const left = leaveOut(row);
    if (left.length === 0 && row.length > 0) return "erased";
    try {
      const written = tables.journal.attempt(
        () => new Set(left.map((item) => writeItem(item, left))),
      );
      if (restoresErased) for (const mark of row.flatMap(toMarks)) tables.tombstones.delete(mark);
      return (["replaced", "imported"] as const).find((one) => written.has(one)) ?? "unchanged";
    } catch (error) {
      if (error instanceof RowRejected) return { rejected: error.message };
      throw error;
    }
  };

  return {
    leaveOutErased: leaveOut,
    write: async (rows, refused = 0) => {
      const outcomes = rows.map(writeRow);
      tables.imported.rejected += refused;
      for (const outcome of outcomes)
        tables.imported[typeof outcome === "string" ? outcome : "rejected"] += 1;
      return outcomes;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function listOthers(item: CallItem, row: readonly ArchiveItem[]): readonly CallItem[] {
  return row.filter((other): other is CallItem => other.kind === "call" && other !== item);
}

/** A chat may well say "Yes." twice in a second: a message is unchanged once for every equal message there is. */
function createChatWriter(tables: Tables, timeZone: string) {
  const seen = new Set<number>();
  return (record: Extract<ArchiveItem, { kind: "chat" }>["record"]): Written => {
    const text = JSON.stringify(record);
    const known = tables.chats.values().find((chat) => chat.text === text && !seen.has(chat.order));
    const order = known?.order ?? tables.nextOrder();
    if (known === undefined) {
      const parsed = parseDatetime(record.datetime, timeZone);
      if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
      const { instantMs } = parsed;
      tables.chats.set(order, { callId: record.call_id, instantMs, order, text });
    }
    tables.journal.note(() => void seen.delete(order));
    seen.add(order);
    return known === undefined ? "imported" : "unchanged";
  };
}

function writeUser(
  { users }: Tables,
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
  { flags }: Tables,
  { record, userId }: Extract<ArchiveItem, { kind: "flag" }>,
): Written {
  const text = JSON.stringify(record);
  const known = flags.get(record.Id);
  if (known?.text === text && known.userId === userId) return "unchanged";
  flags.set(record.Id, { userId, text });
  return known === undefined ? "imported" : "replaced";
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
