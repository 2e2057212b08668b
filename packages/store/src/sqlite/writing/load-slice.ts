// Loads the archive's rows about the same records as a batch, so that the batch can be merged into them.
import type { DatabaseSync } from "node:sqlite";
import type { ArchiveItem, CallItem } from "../../port/index.ts";
import { toCallDigest } from "../../values/call-digest.ts";
import { nameDigested, notAsWritten } from "../../values/damaged-records.ts";
import { toTextDigest } from "../../values/row-digest.ts";
import type { Marker } from "../../writing/row-writer.ts";
import {
  createSlice,
  lacksRevision,
  type Slice,
  type SliceMeans,
  type StoredCall,
  type StoredChat,
  type StoredFlag,
  type StoredUser,
} from "../../writing/slice.ts";
import { createListReader, prepareRows } from "../files/connection.ts";
import { checkTables } from "../digested-rows.ts";
import { isWhole } from "../schema/digested.ts";
import type { createTombstones } from "../tombstones.ts";
import { isWholePerson, selectPersons } from "../users.ts";
import { createCallLoader, type Form } from "./load-calls.ts";
import { createOrderSource } from "./orders.ts";

export type Rows = readonly (readonly ArchiveItem[])[];

/** A slice, and its content before a batch was written. */
export interface LoadedSlice {
  readonly slice: Slice;
  readonly calls: readonly StoredCall[];
  readonly chats: ReadonlySet<StoredChat>;
  readonly users: ReadonlyMap<number, StoredUser>;
  readonly flags: ReadonlyMap<number, StoredFlag>;
  /** Their marks. */
  readonly tombstones: readonly string[];
}

interface Means {
  readonly timeZone: string;
  readonly toMarks: Marker;
  readonly tombstones: ReturnType<typeof createTombstones>;
  readonly form: Form;
  readonly act: () => number;
  readonly toHoldsJudge: () => SliceMeans["listHolds"];
}

type ItemOf<Kind extends ArchiveItem["kind"]> = Extract<ArchiveItem, { kind: Kind }>;

const listOf = <Kind extends ArchiveItem["kind"]>(items: readonly ArchiveItem[], kind: Kind) =>
  items.filter((item): item is ItemOf<Kind> => item.kind === kind);

export function createSliceLoader(
  database: DatabaseSync,
  { timeZone, toMarks, tombstones, form, act, toHoldsJudge }: Means,
): (rows: Rows) => LoadedSlice {
  const toDigest = (call: CallItem) => toCallDigest(call, form.toStored(call.record));
  const loadCalls = createCallLoader(database, { timeZone, form, toDigest });
  const loadChats = createChatLoader(database);
  const loadPersons = createPersonLoader(database);
  const createOrders = createOrderSource(database);
  const readRevisions = createListReader<{ call_id: string; revised_ms: bigint; whole: bigint }>(
    database,
    (list) =>
      `SELECT call_id, revised_ms, ${isWhole("call_revision")} AS whole FROM call_revision WHERE call_id IN ${list}`,
  );
  let areChecked = false;
  const checkRevisions = () => {
    if (!areChecked) checkTables(database, ["call_revision"]);
    areChecked = true;
  };
  return (rows) => {
    const items = rows.flat();
    const slice = createSlice({ toDigest, act, listHolds: toHoldsJudge(), ...createOrders() });
    const calls = loadCalls(listOf(items, "call"));
    slice.calls.load(calls);
    // The time when a source changed a call is deleted with the last record of the call.
    const named = new Set(calls.flatMap(({ marks }) => marks.callId ?? []));
    for (const { call_id, revised_ms, whole } of readRevisions([...named])) {
      if (whole === 0n) throw notAsWritten(nameDigested("call_revision", { call_id }));
      slice.revisions.set(call_id, Number(revised_ms));
    }
    // A damaged call_id would hide a revision, and an older state would replace a newer one.
    if (listOf(items, "call").some((one) => lacksRevision(slice, named, one))) checkRevisions();
    const chats = loadChats(listOf(items, "chat"));
    for (const chat of chats) slice.chats.add(chat);
    loadPersons(slice, items);
    for (const { mark } of items.flatMap(toMarks)) {
      const tombstone = tombstones.find(mark);
      if (tombstone !== undefined) slice.tombstones.set(mark, tombstone);
    }
    return {
      slice,
      calls,
      chats: new Set(chats),
      users: new Map(slice.users.entries()),
      flags: new Map(slice.flags.entries()),
      tombstones: [...slice.tombstones.keys()],
    };
  };
}

interface ChatColumns {
  readonly id: bigint;
  readonly call_id: string | null;
  readonly instant_ms: bigint;
  readonly record: string;
}

function createChatLoader(database: DatabaseSync) {
  const read = createListReader<ChatColumns>(
    database,
    (list) =>
      `SELECT id, call_id, instant_ms, record FROM chat WHERE digest IN ${list} ORDER BY id`,
  );
  return (chats: readonly ItemOf<"chat">[]): StoredChat[] => {
    const texts = new Set(chats.map(({ record }) => JSON.stringify(record)));
    return read(Array.from(texts, toTextDigest)).map(
      ({ id, call_id: callId, instant_ms, record: text }) => ({
        callId,
        instantMs: Number(instant_ms),
        order: Number(id),
        text,
      }),
    );
  };
}

function createPersonLoader(database: DatabaseSync) {
  const users = prepareRows<{
    id: number;
    username: string;
    record: string;
    act: number | null;
  }>(database, selectPersons("user", "WHERE id = ? OR username = ?", ", act"));
  const flags = prepareRows<{ user_id: number | null; record: string; act: number | null }>(
    database,
    selectPersons("flag", "WHERE id = ?", ", act"),
  );
  return (slice: Slice, items: readonly ArchiveItem[]): void => {
    for (const { record } of listOf(items, "user"))
      for (const row of users.all(record.id, record.username)) {
        const { id, username, record: text, act } = row;
        const isDamaged = !isWholePerson("user", { ...row });
        slice.users.set(id, { username, text, act, isDamaged });
      }
    for (const { record } of listOf(items, "flag")) {
      const row = flags.get(record.Id);
      if (row === undefined) continue;
      const { user_id, record: text, act } = row;
      const isDamaged = !isWholePerson("flag", { ...row });
      slice.flags.set(record.Id, { userId: user_id ?? undefined, text, act, isDamaged });
    }
  };
}
