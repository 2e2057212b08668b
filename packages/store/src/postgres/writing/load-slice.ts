// Loads the archive's rows about the same records as a batch, so that the batch can be merged into them.
import type { UserRecord } from "../../port/index.ts";
import { toCallDigest } from "../../values/call-digest.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { toDeclaredIdentity } from "../../values/identity.ts";
import { toInstantMs } from "../../values/order-key.ts";
import { parseStored } from "../../values/record-form.ts";
import type { Marker } from "../../writing/row-writer.ts";
import {
  createSlice,
  lacksRevision,
  type Slice,
  type StoredCall,
  type StoredUser,
  type Tombstone,
} from "../../writing/slice.ts";
import {
  type CallRow,
  readCalls,
  type RecordingsOf,
  readRecordings,
  type RecordForm,
  toLinked,
} from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { toList } from "../values.ts";
import { isWhole, type Judged, toWhole } from "../digested.ts";
import { toDigest, toName } from "../names.ts";
import { createReplacedJudge } from "../holds.ts";
import { isWholePerson, type PersonRow, selectPersons } from "../users.ts";
import type { Batch } from "./batch.ts";

/** A slice, and its content before a batch was written. */
export interface LoadedSlice {
  readonly slice: Slice;
  /** By their orders. */
  readonly calls: ReadonlyMap<number, { readonly id: bigint; readonly call: StoredCall }>;
  readonly chats: ReadonlySet<number>;
  readonly users: ReadonlyMap<number, StoredUser>;
  readonly flags: ReadonlyMap<number, string>;
  readonly revisions: ReadonlyMap<string, number>;
  readonly tombstones: ReadonlyMap<string, Tombstone>;
}

interface Means {
  readonly toMarks: Marker;
  readonly form: RecordForm;
  readonly act: () => number;
  readonly timeZone: string;
  /** Throws `StoreFault` if one is damaged. */
  readonly checkRevisions: (ask: Ask) => Promise<void>;
}

export async function loadSlice(
  ask: Ask,
  batch: Batch,
  { toMarks, form, act, timeZone, checkRevisions }: Means,
): Promise<LoadedSlice> {
  const nextOrder = await createNumbers(ask, batch.calls.length + batch.chats.length);
  const slice = createSlice({
    toDigest: (call) => toCallDigest(call, form.toStored(call.record)),
    act,
    listHolds: await createReplacedJudge({ ask, timeZone, form }, batch.callIds.keys()),
    nextOrder,
    nextChat: nextOrder,
  });
  const calls = await loadCalls(ask, batch, form);
  slice.calls.load(Array.from(calls.values(), ({ call }) => call));
  const chats = await loadChats(ask, batch, slice);
  await loadPersons(ask, batch, slice);
  const revisions = await ask<{ name: string; revised_ms: number } & Judged>(
    `SELECT name, revised_ms, ${isWhole("call_revision")} AS whole FROM call_revision WHERE name = ANY($1::uuid[])`,
    [toList(batch.callIds.keys())],
  );
  for (const { name, revised_ms } of toWhole("call_revision", revisions))
    slice.revisions.set(batch.callIds.get(toPlain(name)) ?? "", revised_ms);
  const named = new Set(Array.from(calls.values(), ({ call }) => call.marks.callId ?? ""));
  // A damaged name would hide a revision, and an older state would replace a newer one.
  if (batch.calls.some((one) => lacksRevision(slice, named, one))) await checkRevisions(ask);
  for (const { mark, ...one } of await loadTombstones(ask, batch, toMarks))
    slice.tombstones.set(mark, one);
  return {
    slice,
    calls,
    chats,
    users: new Map(slice.users.entries()),
    flags: new Map(slice.flags.entries().map(([id, flag]) => [id, toFlagText(flag)])),
    revisions: new Map(slice.revisions.entries()),
    tombstones: new Map(slice.tombstones),
  };
}

export const toFlagText = (flag: object): string => JSON.stringify(flag);

const toPlain = (uuid: string) => uuid.replaceAll("-", "");

/** Unique numbers for the ids of messages. */
async function createNumbers(ask: Ask, count: number): Promise<() => number> {
  if (count === 0) return () => 0;
  const rows = await ask<{ number: string }>(
    "SELECT nextval('item_number') AS number FROM generate_series(1, $1::int4)",
    [count],
  );
  const numbers = rows.map(({ number }) => Number(number)).toSorted((a, b) => b - a);
  return () => {
    const next = numbers.pop();
    if (next === undefined) throw new Error("a batch has more items than it said");
    return next;
  };
}

/** Their orders are below those of new calls, newest first. */
async function loadCalls(ask: Ask, batch: Batch, form: RecordForm): Promise<LoadedSlice["calls"]> {
  const names = await ask<{ id: string; name: string | null }>(
    `SELECT id, name FROM call_name WHERE name = ANY($1::uuid[]) AND kind = 'c'
     UNION ALL SELECT id, NULL FROM call_name WHERE name = ANY($2::uuid[]) AND kind = 'd'`,
    [toList(batch.callIds.keys()), toList(batch.digests)],
  );
  const ids = names.map(({ id }) => BigInt(id));
  const callIds = new Map(
    names.map(({ id, name }) => [id, (name && batch.callIds.get(toPlain(name))) ?? null]),
  );
  const rows = await readCalls(ask, ids);
  const recordingsOf = await readRecordings(ask, ids);
  return new Map(
    rows.map((row, index) => {
      const [id, order] = [BigInt(row.id), index - rows.length];
      const callId = callIds.get(row.id) ?? null;
      const call = toStoredCall(row, { id, order, callId, form, recordingsOf });
      return [order, { id, call }];
    }),
  );
}

interface Around {
  readonly recordingsOf: RecordingsOf;
  readonly id: bigint;
  readonly order: number;
  readonly callId: string | null;
  readonly form: RecordForm;
}

function toStoredCall(row: CallRow, { id, order, callId, form, recordingsOf }: Around): StoredCall {
  const { sessionId, masterId } = toLinked(row.linked);
  const { identity } = row;
  return {
    kind: "call",
    get record() {
      return form.toItem(row, recordingsOf(row.id)).record;
    },
    sessionId,
    masterId,
    recordings: recordingsOf(row.id, "as they are"),
    get hasWholeRecordings() {
      return readWhole(() => recordingsOf(row.id)) !== undefined;
    },
    identity: toDeclaredIdentity(identity),
    marks: { callId, identity, digest: toDigest(row.digest) },
    act: row.act ?? null,
    instantMs: toInstantMs(id),
    order,
  };
}

async function loadChats(ask: Ask, batch: Batch, slice: Slice): Promise<ReadonlySet<number>> {
  if (batch.chats.length === 0) return new Set();
  const rows = await ask<{ id: string; instant_ms: number; record: string }>(
    "SELECT id, instant_ms, record FROM chat WHERE digest = ANY($1::uuid[]) ORDER BY id",
    [toList(batch.chatDigests)],
  );
  for (const { id, instant_ms: instantMs, record: text } of rows) {
    const order = Number(id);
    slice.chats.add({ callId: null, instantMs, order, text });
  }
  return new Set(rows.map(({ id }) => Number(id)));
}

async function loadPersons(ask: Ask, { users, flags }: Batch, slice: Slice): Promise<void> {
  if (users.length > 0) {
    const ids = toList(users.map(({ record }) => record.id));
    const names = toList(users.map(({ record }) => toName(record.username)));
    const rows = await ask<PersonRow>(
      selectPersons("user", "id = ANY($1::int8[]) OR name = ANY($2::uuid[])"),
      [ids, names],
    );
    const given = new Map(users.map(({ record }) => [toName(record.username), record.username]));
    for (const row of rows) {
      // The name of a damaged user is read from its record, if possible.
      const username = given.get(String(row["name"])) ?? readUsername(row.record);
      const isDamaged = !isWholePerson("user", row);
      slice.users.set(row.id, { username, text: row.record, act: row.act ?? null, isDamaged });
    }
  }
  if (flags.length > 0) {
    const ids = toList(flags.map(({ record }) => record.Id));
    const rows = await ask<PersonRow & { user_id: number | null }>(
      selectPersons("flag", "id = ANY($1::int8[])"),
      [ids],
    );
    for (const row of rows) {
      const isDamaged = !isWholePerson("flag", row);
      const { user_id, record: text, act } = row;
      slice.flags.set(row.id, { userId: user_id ?? undefined, text, act: act ?? null, isDamaged });
    }
  }
}

function readUsername(stored: string): string {
  const record = readWhole((): UserRecord => parseStored(stored));
  return record?.username ?? "";
}

async function loadTombstones(
  ask: Ask,
  { calls, chats }: Batch,
  toMarks: Marker,
): Promise<readonly MarkedRow[]> {
  const [any] = await ask("SELECT FROM tombstone LIMIT 1");
  if (any === undefined) return [];
  return await readTombstones(ask, [...calls, ...chats].flatMap(toMarks));
}

type MarkedRow = Tombstone & { readonly mark: string };

/** The tombstones with these marks. Throws `StoreFault` for a damaged one. */
export async function readTombstones(
  ask: Ask,
  sought: readonly { readonly mark: string }[],
): Promise<readonly MarkedRow[]> {
  const rows = await ask<MarkedRow & Judged>(
    `SELECT encode(mark, 'hex') AS mark, until_day AS "untilDay", erasure::float8, ${isWhole("tombstone")} AS whole
     FROM tombstone WHERE mark = ANY($1::bytea[])`,
    [toList(sought.map(({ mark }) => `\\x${mark}`))],
  );
  return toWhole("tombstone", rows);
}
