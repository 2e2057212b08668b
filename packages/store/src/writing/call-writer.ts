// Writing a call: whether it is new, is there already, or takes the place of others. The rules are in the guide to importing.
import { fieldsOf } from "@call-media/api";
import { toMetadataRecord } from "@call-media/api/metadata-record";
import type { CallItem, MetadataRecord, Outcome } from "../port/index.ts";
import { type Marks, toEarlierIdentity, toIdentity, toMarks } from "../values/call-digest.ts";
import { UNKNOWN_TYPE } from "../media/non-audio.ts";
import { parseDatetime } from "../values/instant.ts";
import {
  type createStateMemory,
  findLeg,
  type KnownRecord,
  withNamed,
  withRecordingsOf,
} from "../values/kept-recordings.ts";
import { checkLoss } from "../values/recording-loss.ts";
import { withFileNames } from "../values/recording-names.ts";
import { RowRejected } from "../values/row-rejected.ts";
import { compareCalls, removeCall, type Slice, type StoredCall } from "./slice.ts";

/** The outcome for an item that was accepted. */
export type Written = Extract<Outcome, string>;

/** A call to write, and the records that it replaces; one of them may be the same call. */
interface Recognised {
  readonly item: CallItem;
  readonly marks: Marks;
  readonly found: "superseded" | Unchanged | Predecessors;
}

interface Unchanged {
  readonly unchanged: StoredCall;
}

interface Predecessors {
  readonly replaced: readonly StoredCall[];
  readonly same?: StoredCall;
}

/** What has gone for states of calls, in one run of an import. */
export type States = ReturnType<typeof createStateMemory<KnownRecord>>;

/** `others` are the further calls of the same row of a source. The function throws `RowRejected`. */
export function createCallWriter(slice: Slice, timeZone: string, memory: States) {
  const recognise = createRecogniser(slice, memory.recall);
  return (given: CallItem, others: readonly CallItem[]): Written => {
    const instantMs = readInstantMs(given.record, timeZone);
    const { item, marks, found } = recognise(withAllFields(given), instantMs);
    if (found === "superseded") return "unchanged";
    if ("unchanged" in found) {
      slice.calls.remove(found.unchanged);
      slice.calls.add(withTypes(found.unchanged, item));
      keepRevision(slice, item);
      return "unchanged";
    }
    const { replaced, same } = found;
    if (!others.some(({ keepsRecordings }) => keepsRecordings))
      checkLoss([item, ...others], replaced);
    if (item.revisedMs !== undefined) memory.keep(item, replaced);
    for (const gone of replaced) removeCall(slice, gone);
    const order = same?.instantMs === instantMs ? same?.order : undefined;
    slice.calls.add({ ...item, marks, instantMs, order: order ?? slice.nextOrder() });
    keepRevision(slice, item);
    return replaced.length > 0 ? "replaced" : "imported";
  };
}

type Recall = (item: CallItem) => readonly KnownRecord[];

function createRecogniser(slice: Slice, recall: Recall) {
  const find = (given: CallItem, instantMs: number | undefined): Recognised => {
    const item = withFileNames(given, instantMs);
    const marks = toMarks(item, slice.toStored(item.record));
    return { item, marks, found: findKnown(slice, item, marks) };
  };
  return (given: CallItem, instantMs: number | undefined): Recognised => {
    const same = given.keepsRecordings === true ? findSame(slice, given, recall) : undefined;
    const first = find(same === undefined ? given : withRecordingsOf(given, same), instantMs);
    const { item, found } = first;
    if (found === "superseded" || "unchanged" in found || item.record.call_id === null)
      return first;
    if (found.replaced.length === 0 && recall(given).length === 0) return first;
    const known = [...listStates(slice, item), ...recall(item)];
    const named = withNamed(item, () => known.flatMap(({ recordings }) => recordings));
    // The names of the files may have told the session, which the source now lacks.
    const sessionId = item.sessionId ?? findIdentity(slice, item, toIdentity(item))?.sessionId;
    return named === undefined ? first : find({ ...named, sessionId }, instantMs);
  };
}

function findKnown(slice: Slice, item: CallItem, marks: Marks): Recognised["found"] {
  const { callId, identity, earlierIdentity, digest } = marks;
  const isSame = (call: StoredCall) => isEqual(call.marks.digest, digest);
  if (callId === null || identity === null) {
    const unchanged = slice.calls.ofCallId(null).find(isSame);
    return unchanged === undefined ? { replaced: [] } : { unchanged };
  }
  const revisedMs = slice.revisions.get(callId) ?? item.revisedMs;
  if (item.revisedMs !== undefined && revisedMs !== undefined && revisedMs !== item.revisedMs) {
    if (revisedMs > item.revisedMs) return "superseded";
    const outdated = slice.calls.ofCallId(callId);
    if (outdated.length > 0) return { replaced: outdated };
  }
  const known = findIdentity(slice, item, identity);
  if (known !== undefined && isSame(known)) return { unchanged: known };
  const same = known ?? (earlierIdentity && findIdentity(slice, item, earlierIdentity));
  return same === undefined ? { replaced: [] } : { replaced: [same], same };
}

function findIdentity(slice: Slice, { record }: CallItem, identity: Uint8Array) {
  return slice.calls
    .ofCallId(record.call_id)
    .find(({ marks }) => marks.identity !== null && isEqual(marks.identity, identity));
}

/** The record that says what recordings a call has whose source says nothing of them. */
function findSame(slice: Slice, item: CallItem, recall: Recall): KnownRecord | undefined {
  if (item.record.call_id === null) return undefined;
  if (item.revisedMs === undefined) return findIdentity(slice, item, toIdentity(item));
  return findLeg(item.record, [...slice.calls.ofCallId(item.record.call_id), ...recall(item)]);
}

/** The records whose recordings an item may name: all of a call whose source dates its states, else the same one. */
function listStates(slice: Slice, item: CallItem): readonly StoredCall[] {
  if (item.revisedMs !== undefined) return slice.calls.ofCallId(item.record.call_id);
  const identities = [toIdentity(item), toEarlierIdentity(item)];
  return identities
    .flatMap((one) => (one && findIdentity(slice, item, one)) ?? [])
    .toSorted(compareCalls);
}

function keepRevision({ revisions }: Slice, { record, revisedMs }: CallItem): void {
  if (record.call_id !== null && revisedMs !== undefined) revisions.set(record.call_id, revisedMs);
}

/** Recordings whose bytes show no type may be declared one when they come again. */
function withTypes(known: StoredCall, { recordings: given }: CallItem): StoredCall {
  const recordings = known.recordings.map((recording, index) => {
    const type = given[index]?.media.type;
    return recording.media.type === UNKNOWN_TYPE && type !== undefined
      ? { ...recording, media: { ...recording.media, type } }
      : recording;
  });
  const isSame = recordings.every((recording, index) => recording === known.recordings[index]);
  return isSame ? known : { ...known, recordings };
}

const FIELDS = fieldsOf("MetadataRecord");

/** In the contract's order, absent and null being one (D27). */
function withAllFields(item: CallItem): CallItem {
  return { ...item, record: toMetadataRecord(FIELDS.map((field) => item.record[field] ?? null)) };
}

function readInstantMs({ datetime }: MetadataRecord, timeZone: string): number | undefined {
  if (datetime === null) return undefined;
  const parsed = parseDatetime(datetime, timeZone);
  if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
  return parsed.instantMs;
}

const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
