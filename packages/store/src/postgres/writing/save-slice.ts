// Writes back the rows of a slice that an import has changed: the differences to what was loaded.
import type { CallItem, FlagRecord, Media, UserRecord } from "../../port/index.ts";
import { isFault, StoreFault } from "../../port/faults.ts";
import { LAST_UNDATED_ID, toFirstId, toLastId } from "../../values/order-key.ts";
import { toRecordingHex } from "../../values/call-digest.ts";
import { toTextDigest } from "../../values/row-digest.ts";
import { toStoredSound } from "../../values/stored-sound.ts";
import type { StoredCall } from "../../writing/slice.ts";
import type { Transaction } from "../connection.ts";
import { toBytes, toCopyRow, toList } from "../values.ts";
import type { RecordForm } from "../call-rows.ts";
import { toNextDigest } from "../digested.ts";
import { savePins } from "../holds.ts";
import { byMonth, toSuffix } from "../months.ts";
import { type NameKind, toName, toUuid } from "../names.ts";
import { forgetSegments } from "../search/segments.ts";
import { toPersonDigest } from "../users.ts";
import { toFlagName } from "./batch.ts";
import { type LoadedSlice, toFlagText } from "./load-slice.ts";
import { unbury } from "../tombstones.ts";
import { saveWords, type WordMeans } from "./save-words.ts";
import { saveVersions } from "./versions.ts";

/** A call with its existing or new id. */
interface Placed {
  readonly id: bigint;
  readonly call: StoredCall;
}

interface Means extends WordMeans {
  readonly form: RecordForm;
  /** The contents that the rows brought, by their SHA-256. */
  readonly media: ReadonlyMap<string, Media>;
}

export async function saveSlice(
  transaction: Transaction,
  loaded: LoadedSlice,
  means: Means,
): Promise<void> {
  const calls = loaded.slice.calls.all();
  const gone = new Map(loaded.calls);
  const added: StoredCall[] = [];
  const retyped: Placed[] = [];
  for (const call of calls) {
    const known = loaded.calls.get(call.order);
    if (known !== undefined && isSame(known.call, call)) {
      gone.delete(call.order);
      if (known.call !== call) retyped.push({ id: known.id, call });
    } else added.push(call);
  }
  const placed = await place(transaction, added, loaded);
  await saveMedia(transaction, calls, means.media);
  await saveVersions(transaction, loaded.slice.versions.values());
  await savePins(transaction.ask, loaded.slice.pins.values());
  await removeCalls(transaction, [...gone.values()]);
  await addCalls(transaction, placed, means);
  await saveTypes(transaction, retyped, loaded);
  await forgetSegments(
    transaction,
    [...gone.values(), ...placed].map(({ id }) => id),
  );
  await saveRevisions(transaction, loaded);
  const talked = await saveChats(transaction, loaded);
  const written = placed.map(({ id, call: { record } }) => ({ id, record }));
  await saveWords(transaction, { written, talked }, means);
  await savePersons(transaction, loaded);
  await saveTombstones(transaction, loaded);
}

/** A rewritten call has new marks, even if its content is the same. */
const isSame = (a: StoredCall, b: StoredCall) => a.marks === b.marks;

/** Assigns ids: that of the replaced record if it has the same instant, else the next free one. */
async function place(
  { ask }: Transaction,
  calls: readonly StoredCall[],
  loaded: LoadedSlice,
): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  const left = calls.toSorted((a, b) => a.order - b.order);
  for (const [month, own] of byMonth(left, ({ instantMs }) => toEnd(instantMs))) {
    const instants = new Set(own.map(({ instantMs }) => toEnd(instantMs)));
    const rows = await ask<{ last: string; id: string | null }>(
      `SELECT last, (SELECT min(id) FROM call_${toSuffix(month)} WHERE id <= last AND id >= last - $2::int8) AS id
       FROM unnest($1::int8[]) AS last`,
      [toList(instants), month === undefined ? UNDATED_IDS : IDS_OF_INSTANT],
    );
    const next = new Map(
      rows.map(({ last, id }) => [BigInt(last), id === null ? BigInt(last) : BigInt(id) - 1n]),
    );
    for (const call of own) {
      const known = loaded.calls.get(call.order);
      const end = toEnd(call.instantMs);
      const id = known?.id ?? next.get(end) ?? end;
      if (call.instantMs !== undefined && id < toFirstId(call.instantMs))
        throw new StoreFault(
          "full",
          "the archive holds 1,048,576 calls of this very millisecond already",
        );
      if (known === undefined) next.set(end, id - 1n);
      placed.push({ id, call });
    }
  }
  return placed;
}

const UNDATED_IDS = 2n ** 60n;
const IDS_OF_INSTANT = toLastId(0) - toFirstId(0);

/** The largest id that a call of the instant may have. */
const toEnd = (instantMs: number | undefined) =>
  instantMs === undefined ? LAST_UNDATED_ID : toLastId(instantMs);

async function addCalls(
  { copy }: Transaction,
  placed: readonly Placed[],
  { listTerms, form: { toStored } }: Means,
): Promise<void> {
  const toCallRow = ({ id, call }: Placed) => {
    const { sessionId = null, masterId = null, marks, record } = call;
    const isLinked = sessionId !== null || masterId !== null;
    return toCopyRow([
      id,
      marks.identity && toBytes(marks.identity),
      toUuid(marks.digest),
      isLinked ? JSON.stringify([sessionId, masterId]) : null,
      toStored(record),
      call.act ?? null,
    ]);
  };
  for (const [month, own] of byMonth(placed, ({ id }) => id)) {
    const suffix = toSuffix(month);
    const inOrder = own.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await copy(
      `call_${suffix} (id, identity, digest, linked, record, act)`,
      inOrder.map(toCallRow),
    );
    await copy(
      `call_key_${suffix} (id, terms)`,
      inOrder.map(({ id, call }) => `${id}\t{${listTerms(call.record).join(",")}}\n`),
    );
    await copy(
      `recording_${suffix} (call, part, filename, start_ms, sha256, type, modified_ms, digest)`,
      inOrder.flatMap(toRecordingRows),
    );
  }
  await copy("call_name (name, kind, id)", placed.flatMap(listNames).map(toCopyRow));
}

function toRecordingRows({ id, call }: Placed): string[] {
  return call.recordings.map(({ filename, startMs, media }, index) =>
    toCopyRow([
      id,
      index + 1,
      JSON.stringify(filename),
      startMs ?? null,
      `\\x${media.sha256}`,
      media.type,
      media.modifiedMs,
      toRecordingHex(index + 1, media),
    ]),
  );
}

type NameRow = readonly [name: string, kind: NameKind, id: bigint];

const listNames = ({ id, call }: Placed): NameRow[] =>
  listCallNames(id, call, toUuid(call.marks.digest));

/** The rows of `call_name`. `digest`: of the call. */
export function listCallNames(id: bigint, call: CallItem, digest: string): NameRow[] {
  const { record, sessionId, masterId } = call;
  const references = new Set([record.ref_id, sessionId, masterId]);
  const own: NameRow =
    record.call_id === null ? [digest, "d", id] : [toName(record.call_id), "c", id];
  return [
    own,
    ...[...references].flatMap((one): NameRow[] =>
      one === null || one === undefined ? [] : [[toName(one), "r", id]],
    ),
  ];
}

async function removeCalls({ ask }: Transaction, gone: readonly Placed[]): Promise<void> {
  if (gone.length === 0) return;
  for (const [month, own] of byMonth(gone, ({ id }) => id)) {
    const ids = [toList(own.map(({ id }) => id))];
    for (const [table, column] of [
      ["call", "id"],
      ["call_key", "id"],
      ["call_words", "id"],
      ["recording", "call"],
    ])
      await ask(`DELETE FROM ${table}_${toSuffix(month)} WHERE ${column} = ANY($1::int8[])`, ids);
  }
  const { whole = [], damaged = [] } = Object.groupBy(gone, (one) =>
    isReadable(one) ? "whole" : "damaged",
  );
  // The other names of damaged calls are unknown. No index supports this, but such calls are few.
  if (damaged.length > 0)
    await ask("DELETE FROM call_name WHERE id = ANY($1::int8[])", [
      toList(damaged.map(({ id }) => id)),
    ]);
  const names = whole.flatMap(listNames);
  await ask(
    `DELETE FROM call_name USING unnest($1::uuid[], $2::int8[]) AS gone (name, id)
     WHERE call_name.name = gone.name AND call_name.id = gone.id`,
    [toList(names.map(([name]) => name)), toList(names.map(([, , id]) => id))],
  );
}

function isReadable({ call }: Placed): boolean {
  try {
    return call.record !== null;
  } catch (error) {
    if (isFault(error, "damaged")) return false;
    throw error;
  }
}

/** A content of unknown type may come again with a declared type. */
async function saveTypes(
  { ask }: Transaction,
  kept: readonly Placed[],
  loaded: LoadedSlice,
): Promise<void> {
  const changed = kept.flatMap(({ id, call }) =>
    call.recordings.flatMap(({ media }, index) =>
      loaded.calls.get(call.order)?.call.recordings[index]?.media.type === media.type
        ? []
        : [{ id, part: index + 1, type: media.type, digest: toRecordingHex(index + 1, media) }],
    ),
  );
  for (const { id, part, type, digest } of changed)
    await ask(
      "UPDATE recording SET type = $3::text, digest = $4::uuid WHERE call = $1::int8 AND part = $2::int4",
      [id, part, type, digest],
    );
}

/** Sorted, so that two imports of the same contents do not deadlock. */
async function saveMedia(
  { ask }: Transaction,
  calls: readonly StoredCall[],
  given: ReadonlyMap<string, Media>,
): Promise<void> {
  const named = new Set(
    calls.flatMap(({ recordings }) => recordings.map(({ media }) => media.sha256)),
  );
  const media = [...given.values()].filter(({ sha256 }) => named.has(sha256));
  if (media.length === 0) return;
  await ask(
    `INSERT INTO media (sha256, bytes, version, location, sound)
     SELECT * FROM unnest($1::bytea[], $2::int8[], $3::text[], $4::text[], $5::text[]) AS given (sha256) ORDER BY sha256
     ON CONFLICT (sha256) DO UPDATE
     SET version = coalesce(excluded.version, media.version), location = excluded.location,
       sound = coalesce(excluded.sound, media.sound), digest = ${toNextDigest("media")}
     WHERE (media.version, media.location, media.sound) IS DISTINCT FROM
       (coalesce(excluded.version, media.version), excluded.location, coalesce(excluded.sound, media.sound))`,
    [
      toList(media.map(({ sha256 }) => `\\x${sha256}`)),
      toList(media.map(({ bytes }) => bytes)),
      toList(media.map(({ version }) => version)),
      toList(media.map(({ location }) => location)),
      toList(media.map(({ sound }) => toStoredSound(sound))),
    ],
  );
}

async function saveRevisions({ ask }: Transaction, { slice, revisions }: LoadedSlice) {
  const now = new Map(slice.revisions.entries());
  const gone = [...revisions.keys()].filter((callId) => !now.has(callId));
  const changed = [...now].filter(([callId, revisedMs]) => revisions.get(callId) !== revisedMs);
  if (gone.length > 0)
    await ask("DELETE FROM call_revision WHERE name = ANY($1::uuid[])", [toList(gone.map(toName))]);
  if (changed.length > 0)
    await ask(
      `INSERT INTO call_revision (name, revised_ms) SELECT * FROM unnest($1::uuid[], $2::float8[])
       ON CONFLICT (name) DO UPDATE SET revised_ms = excluded.revised_ms, digest = NULL`,
      [
        toList(changed.map(([callId]) => toName(callId))),
        toList(changed.map(([, revisedMs]) => revisedMs)),
      ],
    );
}

/** Resolves to the names of the calls that have new messages. */
async function saveChats(
  { copy }: Transaction,
  { slice, chats }: LoadedSlice,
): Promise<ReadonlySet<string>> {
  const added = slice.chats.values().filter(({ order }) => !chats.has(order));
  await copy(
    "chat (id, call_name, instant_ms, digest, record, act)",
    added.map(({ order, callId, instantMs, text, act }) =>
      toCopyRow([
        order,
        callId === null ? null : toName(callId),
        instantMs,
        toUuid(toTextDigest(text)),
        text,
        act ?? null,
      ]),
    ),
  );
  return new Set(added.flatMap(({ callId }) => (callId === null ? [] : toName(callId))));
}

async function savePersons({ ask }: Transaction, { slice, users, flags }: LoadedSlice) {
  for (const [id, user] of slice.users.entries()) {
    if (users.get(id) === user) continue;
    const { username, text } = user;
    const { status }: UserRecord = JSON.parse(text);
    const values = [id, toName(username), status, text];
    await ask(
      `INSERT INTO "user" (id, name, status, record, digest, act) VALUES ($1::int8, $2::uuid, $3::int8, $4::text, $5::uuid, $6::int8)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status, record = excluded.record,
         digest = excluded.digest, act = excluded.act`,
      [...values, toPersonDigest(values), user.act ?? null],
    );
  }
  for (const [id, flag] of slice.flags.entries()) {
    if (flags.get(id) === toFlagText(flag)) continue;
    const { Type, Name }: FlagRecord = JSON.parse(flag.text);
    const values = [id, Type, flag.userId ?? null, toFlagName(Name), flag.text];
    await ask(
      `INSERT INTO flag (id, type, user_id, name, record, digest, act)
       VALUES ($1::int8, $2::text, $3::int8, $4::uuid, $5::text, $6::uuid, $7::int8)
       ON CONFLICT (id) DO UPDATE SET type = excluded.type, user_id = excluded.user_id, name = excluded.name,
         record = excluded.record, digest = excluded.digest, act = excluded.act`,
      [...values, toPersonDigest(values), flag.act ?? null],
    );
  }
}

/** The marks of what the batch lets in again although a purge has erased it. */
export const listLifted = ({ slice, tombstones }: LoadedSlice): readonly string[] =>
  [...tombstones.keys()].filter((mark) => !slice.tombstones.has(mark));

async function saveTombstones({ ask }: Transaction, loaded: LoadedSlice) {
  const gone = listLifted(loaded);
  if (gone.length > 0) await unbury(ask, gone);
}
