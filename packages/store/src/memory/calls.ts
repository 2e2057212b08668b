// Reads calls, their recordings and chats. Each query examines every candidate.
import type {
  Calls,
  CallSearch,
  ChatMessageRecord,
  Restriction,
  Visibility,
} from "../port/index.ts";
import { readsRecords } from "../values/beginnings.ts";
import { toDayRange } from "../values/instant.ts";
import { toMatchKey } from "../values/match-key.ts";
import { PAGE_SIZE } from "../values/page-size.ts";
import { toFound, toRecordingOrder } from "../values/recording-order.ts";
import { createAccessFilters, createFilter } from "../values/visibility.ts";
import { matches, toSearched } from "@call-media/words";
import { compareCalls, type StoredCall } from "../writing/slice.ts";
import { createHearing, type Tables } from "./tables.ts";

export function createCalls(tables: Tables, timeZone: string): Calls {
  const toFilter = createAccessFilters();
  const select = (visibility: Visibility, calls: readonly StoredCall[]): StoredCall[] => {
    const isSeen = toFilter(visibility);
    return calls.filter(({ record }) => isSeen(record)).toSorted(compareCalls);
  };
  const ofCallId = (callId: string, visibility: Visibility) =>
    select(visibility, tables.calls.ofCallId(callId));
  const ofReference = (reference: string, visibility: Visibility) =>
    select(
      visibility,
      tables.calls
        .all()
        .filter(({ record, sessionId, masterId }) =>
          [record.ref_id, sessionId, masterId].includes(reference),
        ),
    );
  const chatOf = (callId: string | null): ChatMessageRecord[] =>
    tables.chats
      .values()
      .filter((chat) => callId !== null && chat.callId === callId)
      .toSorted((a, b) => a.instantMs - b.instantMs || a.order - b.order)
      .map(({ text }): ChatMessageRecord => JSON.parse(text));
  const toWordTest = ({ words }: CallSearch) =>
    words === undefined
      ? () => true
      : ({ record }: StoredCall) => matches(words, toSearched(record, chatOf(record.call_id)));

  return {
    byCallId: async (callId, visibility) => ofCallId(callId, visibility).map(toRecord),
    byReference: async (reference, visibility) => ofReference(reference, visibility).map(toRecord),
    search: async (search) => {
      const isWithin = toRangeTest(search, timeZone);
      const isWanted = createFilter(toConditions(search));
      const wanted = tables.calls.all().filter((call) => isWithin(call) && isWanted(call.record));
      const seen = select(search.visibility, wanted);
      if (search.words !== undefined) readsRecords(search.words, seen.length);
      const found = seen.filter(toWordTest(search));
      const first = search.pageIndex * PAGE_SIZE;
      return {
        records: found.slice(first, first + PAGE_SIZE).map(toRecord),
        hasNext: found.length > first + PAGE_SIZE,
        pageSize: PAGE_SIZE,
        ...(search.isCounted && { recordCount: found.length }),
      };
    },
    recordings: async (of, visibility) =>
      toRecordingOrder(
        ("callId" in of
          ? ofCallId(of.callId, visibility)
          : ofReference(of.reference, visibility)
        ).map(toFound),
      ).map(createHearing(tables)),
    // A caller without restrictions also sees a chat that has no call record.
    chat: async (callId, visibility) =>
      visibility === "everything" || ofCallId(callId, visibility).length > 0 ? chatOf(callId) : [],
  };
}

function toRangeTest({ startDate, endDate }: CallSearch, timeZone: string) {
  const { fromMs, untilMs } = toDayRange(startDate, endDate, timeZone);
  return ({ instantMs }: StoredCall) =>
    instantMs !== undefined && instantMs >= fromMs && instantMs < untilMs;
}

/** A filter value restricts its field like a right with one value. */
function toConditions({ filter }: CallSearch): Restriction[] {
  const conditions = Object.entries(filter) as [keyof CallSearch["filter"], string | number][]; // its keys
  return conditions.map(([field, value]) => ({ field, allowed: [toMatchKey(field, value)] }));
}

// The caller may change the record.
const toRecord = ({ record }: StoredCall) => ({ ...record });
