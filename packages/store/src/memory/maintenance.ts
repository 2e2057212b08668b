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
import { toInstants } from "../values/days.ts";
import { toOperatorEntry } from "../values/access-chain.ts";
import { isOfIdentifier, toErasureEntry, toOwnMarks } from "../values/erasure-entry.ts";
import { toCase } from "../values/owed-marks.ts";
import { toNameDigest, toTextDigest } from "../values/row-digest.ts";
import { createBurial, type Mark, toLater, toTombstone } from "../values/tombstones.ts";
import { toHex } from "../writing/row-writer.ts";
import { appendRow } from "./access-log.ts";
import { countOwed, isAlone, listDigests, listPaid, planErasure, settleOwed } from "./erasure.ts";
import { createHolds } from "./holds.ts";
import { createInternals } from "./internals.ts";
import { createMedia } from "./media.ts";
import { compareCalls, removeCall, type StoredCall, type StoredChat } from "../writing/slice.ts";
import { eraseSound, eraseVersions, readHistory } from "./history.ts";
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
    listReplaced: async (callIds) => {
      const replaced = tables.versions.values().filter(({ kind }) => kind === "call");
      const names = new Set(replaced.map(({ name }) => name));
      return callIds.filter((callId) => names.has(callId));
    },
    holds: createHolds(tables, timeZone, () => countOwed(tables, timeZone)),
    referencedMedia: async ({ isCurrent = false, ...days } = {}) => {
      const isWhole = days.fromDay === undefined && days.toDay === undefined;
      const earlier = isWhole && !isCurrent ? tables.versions.values() : [];
      return listReferenced(tables, selectCalls(tables, days, timeZone), earlier);
    },
    noteVerified: async (verified) => {
      for (const { sha256, sound } of verified) noteSound(tables, sha256, sound);
    },
    noteDone: async (command, count = 0) =>
      void tables.noted.set(command, { atMs: Date.now(), count }),
    discard: async (sha256s) => {
      const named = new Set(listDigests([...tables.calls.all(), ...tables.versions.values()]));
      for (const sha256 of sha256s) if (!named.has(sha256)) tables.media.delete(sha256);
    },
    planErasure: async (filter) => plan(filter).counts,
    record: async (act) => void appendRow(tables, toOperatorEntry(act)),
    erase: async (filter, { operator, run, ...given }) => {
      const { counts, calls, chats, sha256s, marked, owed, cases } = plan(filter);
      const by = { ...given, case: toCase(given.case, cases) };
      const found = toErased(counts);
      const isEmpty = counts.calls + counts.chats + counts.files === 0;
      const erasure = isEmpty
        ? null
        : appendRow(tables, toEntry(filter, { operator, run, found, ...by }, calls));
      const burial = createBurial(timeZone, tables.owed);
      const bury = (marks: readonly Mark[], isKept = false) => {
        for (const { name, untilDay } of marks) {
          const mark = toHex(toTombstone(tables.tombstoneKey, name));
          const known = tables.tombstones.get(mark);
          const until = toLater(known?.untilDay, untilDay);
          const seq = isKept ? (known?.erasure ?? erasure) : erasure;
          tables.tombstones.set(mark, { untilDay: until, erasure: seq });
        }
      };
      const isNamed = isOfIdentifier(filter);
      const isForEver = ({ record }: StoredCall) =>
        isNamed || tables.revisions.get(record.call_id ?? "") !== undefined;
      if (filter.isSound) {
        for (const call of calls) bury(burial.ofSound(call, isForEver(call)));
        eraseSound(tables, calls);
        for (const sha256 of sha256s) tables.media.delete(sha256);
        return { ...counts, isComplete: true, retained: [] };
      }
      // What is not there any more was removed by an earlier erasure, which its mark names.
      bury(toOwnMarks(marked), true);
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
        bury(burial.ofCall(call, { isLast, isForEver: isForEver(call) }));
        removeCall(tables, call);
        eraseVersions(tables, call);
      }
      for (const sha256 of sha256s) tables.media.delete(sha256);
      const gone = [...calls.map(({ marks }) => marks.callId), ...chats.map((one) => one.callId)];
      bury(toOwnMarks(listPaid(tables, gone)));
      settleOwed(tables, { owed, ofCase: given.case ?? null });
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

/** Everything before the calls is always read. */
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
    // The source's own remarks are dropped: they apply only during the import.
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
const toChat = ({ text }: StoredChat) => ({ kind: "chat" as const, record: JSON.parse(text) });

/** Newest first. */
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
