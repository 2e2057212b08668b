// Maintenance of an archive in memory.
import type { ErasedCounts } from "../port/access-log.ts";
import type {
  Days,
  ErasureFilter,
  ErasurePlan,
  Maintenance,
  Reference,
  ReferencedMedia,
  Scan,
  ScannedRow,
} from "../port/maintenance.ts";
import { toBeforeMs, toInstants } from "../values/days.ts";
import { parseEntry, toOperatorEntry } from "../values/access-chain.ts";
import {
  isErasureOf,
  isOfCallIds,
  isOfIdentifier,
  listMarkNames,
  listNamed,
  parseErasure,
  toErasureEntry,
  toOwnMarks,
} from "../values/erasure-entry.ts";
import { toHeldBack } from "../values/holds.ts";
import { toNameDigest, toTextDigest } from "../values/row-digest.ts";
import { createBurial, type Mark, toLater, toTombstone } from "../values/tombstones.ts";
import { toHex } from "../writing/row-writer.ts";
import { appendRow } from "./access-log.ts";
import { createHolds, findHeld, toKey } from "./holds.ts";
import { createInternals } from "./internals.ts";
import { createMedia } from "./media.ts";
import { compareCalls, removeCall, type StoredCall, type StoredChat } from "../writing/slice.ts";
import { eraseVersions, isOfLeg, readHistory } from "./history.ts";
import type { StoredVersion } from "../values/versions.ts";
import { createHearing, noteSound, type Tables } from "./tables.ts";

export function createMaintenance(tables: Tables, timeZone: string): Maintenance {
  const plan = (filter: ErasureFilter) => planErasure(tables, filter, timeZone);
  return {
    media: createMedia(tables),
    internals: createInternals(tables, timeZone),
    scan: async ({ act, after, ...days } = {}) => {
      if (act !== undefined) appendRow(tables, toOperatorEntry(act));
      const rows = [...listRows(tables, days, timeZone)];
      return toScan(tables, timeZone, startAfter(rows, after));
    },
    history: async (of) => readHistory(tables, of),
    holds: createHolds(tables, timeZone),
    referencedMedia: async ({ isCurrent = false, ...days } = {}) => {
      const isWhole = days.fromDay === undefined && days.toDay === undefined;
      const earlier = isWhole && !isCurrent ? tables.versions.values() : [];
      return listReferenced(tables, selectCalls(tables, days, timeZone), earlier);
    },
    noteVerified: async (verified) => {
      for (const { sha256, sound } of verified) noteSound(tables, sha256, sound);
    },
    discard: async (sha256s) => {
      const named = new Set(listDigests([...tables.calls.all(), ...tables.versions.values()]));
      for (const sha256 of sha256s) if (!named.has(sha256)) tables.media.delete(sha256);
    },
    planErasure: async (filter) => plan(filter).counts,
    record: async (act) => void appendRow(tables, toOperatorEntry(act)),
    erase: async (filter, { operator, run, ...by }) => {
      const { counts, calls, chats, sha256s, named, owed } = plan(filter);
      const found = toErased(counts);
      const isEmpty = counts.calls + counts.chats + counts.files === 0;
      const erasure = isEmpty
        ? null
        : appendRow(tables, toEntry(filter, { operator, run, found, ...by }, calls));
      const burial = createBurial(timeZone);
      const bury = (marks: readonly Mark[]) => {
        for (const { name, untilDay } of marks) {
          const mark = toHex(toTombstone(tables.tombstoneKey, name));
          const until = toLater(tables.tombstones.get(mark)?.untilDay, untilDay);
          tables.tombstones.set(mark, { untilDay: until, erasure });
        }
      };
      if (isOfCallIds(filter)) bury(toOwnMarks(named));
      for (const callId of named) tables.owed.delete(callId);
      for (const callId of owed) tables.owed.add(callId);
      for (const chat of chats) {
        const { callId, text } = chat;
        const callDigest = callId === null ? undefined : toNameDigest(callId);
        bury(burial.ofMessage(toTextDigest(text), callDigest));
        tables.chats.remove(chat);
      }
      const doomed = new Set(calls);
      for (const call of calls) {
        const callId = call.record.call_id ?? "";
        const isLast = tables.calls.ofCallId(callId).every((one) => doomed.has(one));
        const isForEver = isOfIdentifier(filter) || tables.revisions.get(callId) !== undefined;
        bury(burial.ofCall(call, { isLast, isForEver }));
        removeCall(tables, call);
        eraseVersions(tables, call);
      }
      for (const sha256 of sha256s) tables.media.delete(sha256);
      return { ...counts, isComplete: true, retained: [] };
    },
    check: async () => [],
  };
}

function toEntry(
  filter: ErasureFilter,
  told: Parameters<typeof toErasureEntry>[1],
  calls: readonly StoredCall[],
): string {
  const callIds = new Set(calls.flatMap(({ record }) => record.call_id ?? []));
  return JSON.stringify(toErasureEntry(filter, told, () => [...callIds]));
}

const toErased = ({ calls, chats, files, fileBytes }: ErasurePlan): ErasedCounts => ({
  calls,
  chats,
  files,
  fileBytes,
});

/** Everything before the calls is read in any case. */
function startAfter(rows: readonly ScannedRow[], after: string | undefined): readonly ScannedRow[] {
  const place = after === undefined ? -1 : rows.findIndex(({ id }) => id === after);
  return rows.filter(({ id }, index) => index > place || id === undefined);
}

function toScan(tables: Tables, timeZone: string, rows: readonly ScannedRow[]): Scan {
  return {
    archiveId: tables.archiveId,
    timeZone,
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    rows: async function* () {
      yield* rows;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function* listRows(tables: Tables, days: Days, timeZone: string): Generator<ScannedRow> {
  for (const [, { text }] of tables.users.entries().toSorted(([a], [b]) => a - b))
    yield { items: [{ kind: "user", record: JSON.parse(text) }], bytes: 0 };
  for (const [, { text, userId }] of tables.flags.entries().toSorted(([a], [b]) => a - b))
    yield { items: [{ kind: "flag", record: JSON.parse(text), userId }], bytes: 0 };
  const chats = tables.chats.values().toSorted((a, b) => a.order - b.order);
  const seen = new Set<string>();
  for (const call of selectCalls(tables, days, timeZone)) {
    // The source's own remarks are dropped: they hold only during the import.
    const { marks: _marks, instantMs: _instant, order, ...stored } = call;
    const recordings = stored.recordings.map(createHearing(tables));
    const item = { ...stored, recordings, keepsRecordings: undefined };
    const callId = item.record.call_id;
    const own = callId === null || seen.has(callId) ? [] : chats.filter(isOf(callId));
    if (callId !== null) seen.add(callId);
    const revisedMs = callId === null ? undefined : tables.revisions.get(callId);
    yield {
      id: String(order),
      items: [{ ...item, revisedMs }, ...own.map(toChat)],
      bytes: JSON.stringify(item.record).length,
    };
  }
  const { fromMs = -Infinity, untilMs = Infinity } = toInstants(days, timeZone);
  for (const chat of chats.filter(isAlone(tables)))
    if (chat.instantMs >= fromMs && chat.instantMs < untilMs)
      yield { items: [toChat(chat)], bytes: chat.text.length };
}

const isOf = (callId: string) => (chat: StoredChat) => chat.callId === callId;
const isAlone = (tables: Tables) => (chat: StoredChat) =>
  chat.callId === null || tables.calls.ofCallId(chat.callId).length === 0;
const toChat = ({ text }: StoredChat) => ({ kind: "chat" as const, record: JSON.parse(text) });

/** The newest first. */
function selectCalls(tables: Tables, days: Days, timeZone: string): StoredCall[] {
  const { fromMs, untilMs } = toInstants(days, timeZone);
  const isWhole = fromMs === undefined && untilMs === undefined;
  const isWithin = ({ instantMs }: StoredCall) =>
    instantMs !== undefined &&
    instantMs >= (fromMs ?? -Infinity) &&
    instantMs < (untilMs ?? Infinity);
  return tables.calls
    .all()
    .filter((call) => isWhole || isWithin(call))
    .toSorted(compareCalls);
}

function listReferenced(
  tables: Tables,
  calls: readonly StoredCall[],
  versions: readonly StoredVersion[],
): ReferencedMedia {
  const found = new Map<string, Reference>();
  for (const { record, recordings } of calls)
    for (const { filename, media } of recordings.map(createHearing(tables))) {
      const { call_id: callId, ref_id: refId } = record;
      const known = found.get(media.sha256) ?? { media, callId, refId, filename, recordings: 0 };
      found.set(media.sha256, { ...known, recordings: known.recordings + 1 });
    }
  for (const { name: callId, recordings } of versions)
    for (const { filename, media } of recordings.map(createHearing(tables))) {
      const known = found.get(media.sha256);
      if (known === undefined)
        found.set(media.sha256, { media, callId, refId: null, filename, recordings: 1 });
    }
  const all = [...found.values()].toSorted((a, b) => (a.media.sha256 < b.media.sha256 ? -1 : 1));
  return {
    files: all.length,
    bytes: all.reduce((sum, { media }) => sum + media.bytes, 0),
    has: async (sha256) => found.has(sha256),
    async *[Symbol.asyncIterator]() {
      yield* all;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function planErasure(tables: Tables, filter: ErasureFilter, timeZone: string) {
  const { named, owed, calls, chats, held } = selectDoomed(tables, filter, timeZone);
  const doomed = new Set(calls);
  const left = tables.calls.all().filter((call) => !doomed.has(call));
  const isLeft = (version: StoredVersion) =>
    !calls.some((call) => isOfLeg(tables, version, { call, gone: doomed }));
  const kept = new Set(listDigests([...left, ...tables.versions.values().filter(isLeft)]));
  const sha256s = [...tables.media.keys()].filter((sha256) => !kept.has(sha256));
  const isNamed = new Set(listDigests([...calls, ...tables.versions.values()]));
  const fileBytes = sha256s.reduce(
    (sum, one) => sum + (tables.media.get(one)?.media.bytes ?? 0),
    0,
  );
  const counts: ErasurePlan = {
    calls: calls.length,
    chats: chats.length,
    files: sha256s.length,
    fileBytes,
    unlinked: [],
    ofNoRecord: sha256s.filter((sha256) => !isNamed.has(sha256)),
    taken: calls.length + chats.length > 0 ? undefined : findEarlier(tables, filter),
    ...(held !== undefined && { held }),
  };
  return { counts, calls, chats, sha256s, named, owed };
}

/** What the filter takes, without what is held. `named`: the call_ids that it names and that go; `owed`: those that stay. */
function selectDoomed(tables: Tables, filter: ErasureFilter, timeZone: string) {
  const wanted = listNamed(filter, () => tables.owed);
  const isWanted = createTest(filter, { timeZone, named: wanted });
  const all = tables.calls.all().filter(isWanted);
  const chatsOf = (calls: readonly StoredCall[], named: ReadonlySet<string>) => {
    const gone = new Set(calls);
    const left = tables.calls.all().filter((call) => !gone.has(call));
    return selectChats(tables, filter, { calls, left, timeZone, named });
  };
  const held = findHeld(tables, { calls: all, chats: chatsOf(all, wanted) }, timeZone);
  const isHeld = (callId: string | null, order?: number) => held.has(toKey(callId, order));
  const calls = all.filter(({ marks, order }) => !isHeld(marks.callId, order));
  const left = new Set([...wanted].filter((callId) => !isHeld(callId)));
  const chats = chatsOf(calls, left).filter(({ callId, order }) => !isHeld(callId, order));
  const gone = [...calls.map(({ marks }) => marks.callId), ...chats.map(({ callId }) => callId)];
  const named = "isOwed" in filter ? left : new Set(gone.flatMap((callId) => callId ?? []));
  const isOwed = isOfIdentifier(filter);
  const asked = isOwed ? [...wanted, ...all.flatMap(({ marks }) => marks.callId ?? [])] : [];
  const owed = asked.filter((callId) => isHeld(callId));
  return { named, calls, chats, held: toHeldBack(held, isOwed), owed };
}

const listDigests = (calls: readonly Pick<StoredCall, "recordings">[]) =>
  calls.flatMap(({ recordings }) => recordings.map(({ media }) => media.sha256));

function createTest(
  filter: ErasureFilter,
  { timeZone, named }: Pick<Doomed, "timeZone" | "named">,
): (call: StoredCall) => boolean {
  if (isOfCallIds(filter)) return ({ record }) => named.has(record.call_id ?? "");
  if ("reference" in filter)
    return ({ record, sessionId, masterId }) =>
      [record.ref_id, sessionId, masterId].includes(filter.reference);
  if ("isUndated" in filter) return ({ instantMs }) => instantMs === undefined;
  if ("due" in filter) {
    const { isDue, untilMs } = filter.due;
    return ({ record, instantMs = Infinity }) => instantMs < untilMs && isDue(record, instantMs);
  }
  const beforeMs = toBeforeMs(filter.before, timeZone);
  return ({ instantMs }) => instantMs !== undefined && instantMs < beforeMs;
}

interface Doomed {
  readonly calls: readonly StoredCall[];
  readonly left: readonly StoredCall[];
  readonly timeZone: string;
  /** The call_ids that the filter names. */
  readonly named: ReadonlySet<string>;
}

/** The chat of a call goes with the last of its records; one of no call by its own time, or by its call_id. */
function selectChats(
  tables: Tables,
  filter: ErasureFilter,
  { calls, left, timeZone, named }: Doomed,
) {
  const gone = new Set(calls.map(({ record }) => record.call_id));
  for (const { record } of left) gone.delete(record.call_id);
  const beforeMs = "before" in filter ? toBeforeMs(filter.before, timeZone) : toDueMs(filter);
  return tables.chats.values().filter((chat) => {
    if (isOfCallIds(filter)) return named.has(chat.callId ?? "");
    if (chat.callId !== null && gone.has(chat.callId)) return true;
    return chat.instantMs < beforeMs && isAlone(tables)(chat);
  });
}

const toDueMs = (filter: ErasureFilter) =>
  "due" in filter ? filter.due.messagesUntilMs : -Infinity;

function findEarlier(tables: Tables, filter: ErasureFilter): ErasurePlan["taken"] {
  const names = listMarkNames(filter);
  if (names.length === 0) return undefined;
  const { access, tombstones, tombstoneKey } = tables;
  const marks = names.map((name) => tombstones.get(toHex(toTombstone(tombstoneKey, name))));
  const erasure = Math.max(0, ...marks.flatMap((mark) => mark?.erasure ?? []));
  const ofMark = access.find(({ seq }) => seq === erasure);
  const ofLog = () => access.findLast(({ entry }) => isErasureOf(filter, parseEntry(entry)));
  return parseErasure(ofMark?.entry) ?? parseErasure(ofLog()?.entry);
}
