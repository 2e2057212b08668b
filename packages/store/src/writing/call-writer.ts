// Writes a call: it may be new, already stored, or replace others. The rules are in the guide to importing.
import type { CallItem, MetadataRecord, Outcome } from "../port/index.ts";
import type { Marks } from "../values/call-digest.ts";
import { readWhole } from "../values/damaged-records.ts";
import { UNKNOWN_TYPE } from "../media/non-audio.ts";
import {
  createIdentifier,
  findSame,
  type Identify,
  type Identity,
  toDeclaredIdentity,
  toJson,
  toStoredIdentity,
} from "../values/identity.ts";
import { parseDatetime } from "../values/instant.ts";
import {
  type createStateMemory,
  findLeg,
  type KnownRecord,
  withNamed,
  withRecordingsOf,
} from "../values/kept-recordings.ts";
import { checkLoss } from "../values/recording-loss.ts";
import { withFileNames, withKnownNames, withNamesAlone } from "../values/recording-names.ts";
import { damaged } from "../values/record-form.ts";
import { isEqual } from "../values/row-digest.ts";
import { RowRejected } from "../values/row-rejected.ts";
import { toCallVersion } from "../values/versions.ts";
import { pinHeld, removeCall, type Slice, type StoredCall } from "./slice.ts";

/** The result for an accepted item. */
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

/** The records replaced by states of calls, in one run of an import. */
export type States = ReturnType<typeof createStateMemory<KnownRecord>>;

/** `others`: the other calls in the same row of a source. The function throws `RowRejected`. */
export function createCallWriter(slice: Slice, timeZone: string, memory: States) {
  const recognise = createRecogniser(slice, memory.recall, createIdentifier(timeZone));
  return (given: CallItem, others: readonly CallItem[], isSoundless: boolean): Written => {
    const instantMs = readInstantMs(given.record, timeZone);
    const { item, marks, found } = recognise(given, instantMs, isSoundless);
    if (found === "superseded") return "unchanged";
    if ("unchanged" in found) {
      keepTypes(slice, found.unchanged, item);
      keepRevision(slice, item);
      return "unchanged";
    }
    const { replaced, same } = found;
    if (!others.some(({ keepsRecordings }) => keepsRecordings))
      checkLoss({ items: [item, ...others], instantMs }, replaced);
    const kept = same?.instantMs === instantMs ? same?.order : undefined;
    const order = kept ?? slice.nextOrder(instantMs);
    if (item.revisedMs !== undefined) memory.keep(item, replaced.map(toKnown));
    const act = slice.act();
    for (const gone of replaced) {
      pinHeld(slice, gone);
      const isLeg = gone === same && isEqual(gone.marks.identity, marks.identity ?? NO_IDENTITY);
      slice.addVersion(toCallVersion(gone, { until: act, after: isLeg ? item : undefined }));
      removeCall(slice, gone);
    }
    const identity = toDeclaredIdentity(marks.identity);
    slice.calls.add({ ...item, identity, marks, instantMs, order, act });
    keepRevision(slice, item);
    return replaced.length > 0 ? "replaced" : "imported";
  };
}

const NO_IDENTITY = new Uint8Array();

type Recall = (item: CallItem) => readonly KnownRecord[];

function createRecogniser(slice: Slice, recall: Recall, identify: Identify) {
  const find = (given: CallItem, instantMs: number | undefined): Recognised => {
    const item = withFileNames(given, instantMs);
    const wanted = identify(item, instantMs);
    const digest = slice.toDigest(item);
    const found = findKnown(slice, { item, wanted, digest });
    const same = typeof found === "object" && "same" in found ? found.same?.marks.identity : null;
    const number = item.identity === undefined ? null : toJson(item.identity);
    const identity = wanted === undefined ? number : toStoredIdentity(wanted, same);
    return { item, marks: { callId: item.record.call_id, identity, digest }, found };
  };
  return (whole: CallItem, instantMs: number | undefined, isSoundless: boolean): Recognised => {
    const named = isSoundless ? withNamesAlone(whole, instantMs) : whole;
    const wanted = identify(named, instantMs);
    if (wanted === undefined) return find(named, instantMs);
    const known = [...listKnown(slice, wanted, named), ...recall(named)];
    const leg = named.revisedMs === undefined ? known[0] : findLeg({ ...named, instantMs }, known);
    const given = isSoundless && leg !== undefined ? withKnownNames(named, leg) : named;
    const keeps = leg !== undefined && given.keepsRecordings === true;
    if (keeps) checkKept(slice, wanted.callId);
    const first = find(keeps ? withRecordingsOf(given, leg) : given, instantMs);
    const { item, found } = first;
    if (found === "superseded" || "unchanged" in found) return first;
    if (found.replaced.length === 0 && recall(given).length === 0) return first;
    const kept = isSoundless ? undefined : withNamed(item, leg === undefined ? known : [leg]);
    if (kept === undefined) return first;
    checkKept(slice, wanted.callId);
    // The session may have come from the names of files that the source now lacks.
    const same = findSame(slice.calls, wanted);
    return find({ ...kept, sessionId: item.sessionId ?? same?.sessionId }, instantMs);
  };
}

interface Wanted {
  readonly item: CallItem;
  readonly wanted: Identity | undefined;
  readonly digest: Uint8Array;
}

function findKnown(slice: Slice, { item, wanted, digest }: Wanted): Recognised["found"] {
  const isSame = (call: StoredCall) => isEqual(call.marks.digest, digest);
  if (wanted === undefined) {
    const [unchanged] = slice.calls.ofDigest(digest);
    return unchanged === undefined ? { replaced: [] } : { unchanged };
  }
  const { callId } = wanted;
  const revisedMs = slice.revisions.get(callId) ?? item.revisedMs;
  if (item.revisedMs !== undefined && revisedMs !== undefined && revisedMs !== item.revisedMs) {
    if (revisedMs > item.revisedMs) return "superseded";
    const outdated = slice.calls.ofCallId(callId);
    if (outdated.length > 0) return { replaced: outdated };
  }
  const same = findSame(slice.calls, wanted, digest);
  if (same === undefined) return { replaced: [] };
  return isSame(same) ? { unchanged: same } : { replaced: [same], same };
}

/** The records whose recordings an item may keep or name: all of the call if the source dates its states, else the same one. */
function listKnown(
  { calls }: Slice,
  wanted: Identity,
  { revisedMs }: CallItem,
): readonly StoredCall[] {
  if (revisedMs !== undefined) return calls.ofCallId(wanted.callId);
  const same = findSame(calls, wanted);
  return same === undefined ? [] : [same];
}

function keepRevision({ revisions }: Slice, { record, revisedMs }: CallItem): void {
  if (record.call_id !== null && revisedMs !== undefined) revisions.set(record.call_id, revisedMs);
}

/** Recordings of unknown type may come again with a declared type. */
function keepTypes({ calls }: Slice, known: StoredCall, { recordings: given }: CallItem): void {
  if (given.length === 0) return;
  const recordings = known.recordings.map((recording, index) => {
    const type = given[index]?.media.type;
    return recording.media.type === UNKNOWN_TYPE && type !== undefined && type !== UNKNOWN_TYPE
      ? { ...recording, media: { ...recording.media, type } }
      : recording;
  });
  if (recordings.every((recording, index) => recording === known.recordings[index])) return;
  // Damaged recordings would get a new digest and pass as intact.
  if (known.hasWholeRecordings === false) return;
  // Spreading it would read its record, which may be damaged.
  const properties = Object.getOwnPropertyDescriptors(known);
  const typed: StoredCall = Object.create(Object.prototype, {
    ...properties,
    recordings: { value: recordings, enumerable: true },
  });
  calls.remove(known);
  calls.add(typed);
}

/** Throws `RowRejected` if the recordings to keep are damaged: they would get a new digest and pass as intact. */
function checkKept({ calls, toDigest }: Slice, callId: string): void {
  const isWhole = (call: StoredCall) =>
    readWhole(
      () => toDigest(call),
      (digest) => isEqual(digest, call.marks.digest),
    );
  if (calls.ofCallId(callId).every(isWhole)) return;
  throw new RowRejected(
    "recordings: what the archive has of this call is not what was imported, and cannot be kept; restore the last backup, or purge the call and import it with its recordings",
  );
}

/** A copy for use after the call is removed: lazily read values are read while it exists. */
function toKnown(call: StoredCall): KnownRecord {
  const { instantMs, recordings } = call;
  const record = readWhole(() => call.record);
  return {
    get record() {
      if (record === undefined) throw damaged();
      return record;
    },
    instantMs,
    recordings,
  };
}

function readInstantMs({ datetime }: MetadataRecord, timeZone: string): number | undefined {
  if (datetime === null) return undefined;
  const parsed = parseDatetime(datetime, timeZone);
  if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
  return parsed.instantMs;
}
