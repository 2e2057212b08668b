// Writes back the rows of a slice that an import has changed: the differences to what was loaded.
import type { DatabaseSync } from "node:sqlite";
import type { FlagRecord, Media, MetadataRecord, UserRecord } from "../../port/index.ts";
import { toRecordingHex } from "../../values/call-digest.ts";
import { toFlagKey } from "../../values/match-key.ts";
import { toId } from "../../values/order-key.ts";
import { toRowDigest, toTextDigest } from "../../values/row-digest.ts";
import { toStoredSound } from "../../values/stored-sound.ts";
import type { Slice, StoredCall } from "../../writing/slice.ts";
import { toInsert } from "../schema/digested.ts";
import { createPinWriter } from "../holds.ts";
import type { AddedRows } from "../schema/row-sums.ts";
import { toSpan } from "../span.ts";
import type { createTombstones } from "../tombstones.ts";
import type { createCallChanges } from "./call-changes.ts";
import type { LoadedSlice } from "./load-slice.ts";
import { createVersionWriter } from "./versions.ts";

type Changes = Pick<ReturnType<typeof createCallChanges>, "add" | "remove" | "touch">;

interface Means {
  readonly changes: Changes;
  readonly tombstones: ReturnType<typeof createTombstones>;
  readonly toStored: (record: MetadataRecord) => string;
  readonly added: Pick<AddedRows, "add">;
}

/** `media`: of the recordings that the rows brought. */
export type SaveSlice = (loaded: LoadedSlice, media: Iterable<Media>) => void;

export function createSliceSaver(
  database: DatabaseSync,
  { changes, tombstones, toStored, added }: Means,
): SaveSlice {
  const saveMedia = createMediaWriter(database);
  const saveVersion = createVersionWriter(database);
  const savePin = createPinWriter(database);
  const saveChats = createChatWriter(database, added);
  const calls = createCallWriter(database, { changes, toStored, added });
  const saveRevisions = createRevisionWriter(database);
  const savePersons = createPersonWriter(database);
  return (loaded, media) => {
    const { slice } = loaded;
    for (const one of media) saveMedia(one);
    for (const version of slice.versions.values()) saveVersion(version);
    for (const pin of slice.pins.values()) savePin(pin);
    const talked = saveChats(loaded);
    const now = new Map(slice.calls.all().map((call) => [call.marks, call]));
    for (const before of loaded.calls) {
      const call = now.get(before.marks);
      if (call === undefined) calls.remove(toCallId(before));
      else if (call !== before) calls.saveTypes(toCallId(call), call);
      now.delete(before.marks);
    }
    for (const call of now.values()) calls.add(toCallId(call), call);
    // The words of a new call already include those of its chat.
    const isNew = ({ marks }: StoredCall) => now.has(marks);
    for (const callId of talked) {
      const legs = slice.calls.ofCallId(callId);
      if (legs.length === 0 || !legs.every(isNew)) changes.touch(callId);
    }
    saveRevisions(slice);
    savePersons(loaded);
    for (const mark of loaded.tombstones) if (!slice.tombstones.has(mark)) tombstones.remove(mark);
  };
}

const toCallId = ({ instantMs, order }: StoredCall) => toId(instantMs, order);

function createMediaWriter(database: DatabaseSync) {
  const put = database.prepare(
    `INSERT INTO media (sha256, bytes, fingerprint, path, sound, digest)
     VALUES (:sha256, :bytes, :fingerprint, :path, :sound, row_digest(:sha256, :bytes, :path, :sound))
     ON CONFLICT (sha256) DO UPDATE
     SET fingerprint = ifnull(excluded.fingerprint, fingerprint), path = excluded.path, sound = ifnull(excluded.sound, sound),
       digest = row_digest(excluded.sha256, excluded.bytes, excluded.path, ifnull(excluded.sound, sound))
     WHERE fingerprint IS NOT excluded.fingerprint OR path IS NOT excluded.path OR ifnull(excluded.sound, sound) IS NOT sound`,
  );
  return ({ sha256, bytes, version, location, sound }: Media) =>
    void put.run({
      sha256,
      bytes,
      fingerprint: version ?? null,
      path: location ?? null,
      sound: toStoredSound(sound) ?? null,
    });
}

/** The row of a call, its recordings and its place in the search index, which are always written and removed together. */
function createCallWriter(
  database: DatabaseSync,
  { changes, toStored, added }: Pick<Means, "changes" | "toStored" | "added">,
) {
  const insert = database.prepare(
    `INSERT INTO call (id, call_id, ref_id, session_id, master_id, identity, digest, record, act)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.prepare("DELETE FROM call WHERE id = ?");
  const insertRecording = database.prepare(
    `INSERT INTO recording (call, part, filename, start_ms, sha256, type, modified_ms, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putType = database.prepare(
    "UPDATE recording SET type = ?, digest = ? WHERE call = ? AND part = ?",
  );
  const saveSpan = createSpanWriter(database);
  return {
    add: (id: bigint, call: StoredCall): void => {
      const { record, sessionId, masterId, recordings, marks, act = null } = call;
      const { callId, identity, digest } = marks;
      const names = [callId, record.ref_id, sessionId ?? null, masterId ?? null];
      insert.run(id, ...names, identity, digest, toStored(record), act);
      added.add("call", digest);
      saveSpan(id);
      for (const [index, { filename, startMs, media }] of recordings.entries()) {
        const { sha256, type, modifiedMs } = media;
        const values = [id, index + 1, filename, startMs ?? null, sha256, type, modifiedMs];
        const own = toDigest(index + 1, media);
        insertRecording.run(...values, own);
        added.add("recording", own);
      }
      changes.add(id, record);
    },
    remove: (id: bigint): void => {
      changes.remove(id);
      remove.run(id);
    },
    saveTypes: (id: bigint, { recordings }: StoredCall): void => {
      for (const [index, { media }] of recordings.entries())
        putType.run(media.type, toDigest(index + 1, media), id, index + 1);
    },
  };
}

const toDigest = (part: number, media: Media) => Buffer.from(toRecordingHex(part, media), "hex");

/** Tells lookups by reference which spans have calls. */
function createSpanWriter(database: DatabaseSync) {
  const insert = database.prepare(toInsert("call_span", "ON CONFLICT DO NOTHING"));
  const known = new Set<bigint>();
  return (id: bigint): void => {
    const span = toSpan(id);
    if (known.has(span)) return;
    insert.run({ number: span });
    known.add(span);
  };
}

/** Revisions of replaced calls were deleted with the last record of the call. */
function createRevisionWriter(database: DatabaseSync) {
  const put = database.prepare(
    toInsert(
      "call_revision",
      `ON CONFLICT (call_id) DO UPDATE SET revised_ms = excluded.revised_ms, digest = excluded.digest
       WHERE revised_ms <> excluded.revised_ms`,
    ),
  );
  return ({ revisions }: Slice): void => {
    for (const [callId, revisedMs] of revisions.entries())
      put.run({ call_id: callId, revised_ms: revisedMs });
  };
}

/** Makes a function that returns the call_ids of the new messages. */
function createChatWriter(database: DatabaseSync, added: Means["added"]) {
  const insert = database.prepare(
    "INSERT INTO chat (id, call_id, instant_ms, digest, record, act) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return ({ slice, chats }: LoadedSlice): ReadonlySet<string> => {
    const talked = new Set<string>();
    for (const chat of slice.chats.values()) {
      if (chats.has(chat)) continue;
      const { order, callId, instantMs, text, act = null } = chat;
      const digest = toTextDigest(text);
      insert.run(order, callId, instantMs, digest, text, act);
      added.add("chat", digest);
      if (callId !== null) talked.add(callId);
    }
    return talked;
  };
}

// Users may have swapped their names: REPLACE also removes the row that still has a name.
function createPersonWriter(database: DatabaseSync) {
  const putUser = database.prepare(
    "INSERT OR REPLACE INTO user (id, username, status, record, digest, act) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const putFlag = database.prepare(
    "INSERT OR REPLACE INTO flag (id, type, user_id, name_key, record, digest, act) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  return ({ slice, users, flags }: LoadedSlice): void => {
    for (const [id, user] of slice.users.entries()) {
      if (user === users.get(id)) continue;
      const { status }: UserRecord = JSON.parse(user.text);
      const values = [id, user.username, status, user.text];
      putUser.run(...values, toRowDigest(values), user.act ?? null);
    }
    for (const [id, flag] of slice.flags.entries()) {
      if (flag === flags.get(id)) continue;
      const { Type, Name }: FlagRecord = JSON.parse(flag.text);
      const values = [id, Type, flag.userId ?? null, toFlagKey(Name), flag.text];
      putFlag.run(...values, toRowDigest(values), flag.act ?? null);
    }
  };
}
