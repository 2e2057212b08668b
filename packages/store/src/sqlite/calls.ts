// Reading calls, their recordings and their chats from SQLite with somebody's eyes (D21).
import type { DatabaseSync } from "node:sqlite";
import type { Calls, ChatMessageRecord } from "../call-store.ts";
import { parseStored, RECORD_COLUMNS, type RecordForm } from "./call-row.ts";
import { SPAN } from "./order-key.ts";
import { RECORDING_COLUMNS, toRecording } from "./recording-rows.ts";
import type { SearchThreads } from "./search-threads.ts";
import { createSight, LISTED, type Look, type Named } from "./sight.ts";

// Comes after all text: with an end to compare with, a row costs what one with the identifier costs.
const END = "x''";

// Few identifiers have as many records: legs of a transfer, calls of a session. Where none of the first is seen, though others
// are, a look-up takes as long as a search; each one more would be judged by every look-up with rights, in 0.4 us.
const MOST = { byCallId: 16, bySpanAndReference: 4 } as const;

const SELECT_LIST = `SELECT ${LISTED} AS list FROM call`;
const BY_CALL_ID: Named = {
  field: "call_id",
  where: "call_id = :name",
  lists: `${SELECT_LIST} WHERE call_id = :name`,
  first: `${SELECT_LIST} WHERE call_id = :name LIMIT ${MOST.byCallId}`,
  most: MOST.byCallId,
  stretches: "1",
  others: `${SELECT_LIST} WHERE call_id >= :name AND call_id < ${END}
           UNION ALL ${SELECT_LIST} WHERE call_id < :name`,
  isOne: "call_id = :name",
};

const IN_ANY_SPAN = `${SPAN} IN (SELECT number FROM call_span)`;
const REFERENCES = ["ref_id", "session_id", "master_id"] as const;
// An OR over the three names would read each call that has one of them.
const selectReferenced = (select: string) =>
  REFERENCES.map((name) => `${select} WHERE ${IN_ANY_SPAN} AND ${name} = :name`).join(
    " UNION ALL ",
  );
// Of each span by itself: one LIMIT for all would be met before the last span, into which a look-up of what does not exist looks.
const toFirstOfSpan = (name: string) =>
  `SELECT group_concat(list, '') FROM (
     ${SELECT_LIST} WHERE ${SPAN} = number AND ${name} = :name LIMIT ${MOST.bySpanAndReference})`;
const BY_REFERENCE: Named = {
  field: "reference",
  where: `call.id IN (${selectReferenced("SELECT id FROM call")})`,
  lists: selectReferenced(SELECT_LIST),
  first: REFERENCES.map((name) => `SELECT (${toFirstOfSpan(name)}) AS list FROM call_span`).join(
    " UNION ALL ",
  ),
  most: MOST.bySpanAndReference,
  stretches: `${REFERENCES.length} * (SELECT count(*) FROM call_span)`,
  others: `${SELECT_LIST} WHERE ${IN_ANY_SPAN} AND ref_id >= :name AND ref_id < ${END}
           UNION ALL ${SELECT_LIST} WHERE call_id > '' AND call_id < ${END}`,
  isOne: `:name IN (${REFERENCES.join()})`,
};

const selectRecords = (from: string, where: string) =>
  `SELECT ${RECORD_COLUMNS} FROM ${from} WHERE ${where} ORDER BY id DESC`;
const selectRecordings = (from: string, where: string) =>
  `SELECT ${RECORDING_COLUMNS}, call.call_id
   FROM ${from} JOIN recording ON recording.call = call.id JOIN media USING (sha256)
   WHERE ${where} ORDER BY start_ms IS NULL, start_ms, call.id DESC, part`;
const selectAny = (from: string, where: string) => `SELECT 1 FROM ${from} WHERE ${where} LIMIT 1`;

/** Searches, which may be slow, are left to `searches`; what is asked by identifier is read here, on `database`. */
export function createCalls(
  database: DatabaseSync,
  { toRecord }: RecordForm,
  { search, findSeen }: Pick<SearchThreads, "search" | "findSeen">,
): Calls {
  const { prepareLook } = createSight(database, findSeen);
  const prepareRecords = (named: Named) => {
    const look = prepareLook(named, selectRecords);
    return async (...asked: Parameters<Look>) =>
      (await look(...asked)).map((row) => {
        const [call_id, ref_id, record] = row as [string | null, string | null, string]; // RECORD_COLUMNS
        return toRecord({ call_id, ref_id, record });
      });
  };
  const prepareRecordings = (named: Named) => {
    const look = prepareLook(named, selectRecordings);
    return async (...asked: Parameters<Look>) =>
      (await look(...asked)).map((row) => {
        const callId = row.at(-1) ?? null;
        return { callId: callId === null ? null : String(callId), ...toRecording(row) };
      });
  };
  const byCallId = prepareRecords(BY_CALL_ID);
  const byReference = prepareRecords(BY_REFERENCE);
  const recordingsByCallId = prepareRecordings(BY_CALL_ID);
  const recordingsByReference = prepareRecordings(BY_REFERENCE);
  const isAnySeen = prepareLook(BY_CALL_ID, selectAny);
  const chatOf = database.prepare(
    "SELECT record FROM chat WHERE call_id = ? ORDER BY instant_ms, id",
  );

  return {
    byCallId,
    byReference,
    search,
    recordings: (of, visibility) =>
      "callId" in of
        ? recordingsByCallId(of.callId, visibility)
        : recordingsByReference(of.reference, visibility),
    // Whoever sees everything sees a chat of which there is no record as well.
    chat: async (callId, visibility) =>
      visibility.length === 0 || (await isAnySeen(callId, visibility)).length > 0
        ? chatOf.all(callId).map((row): ChatMessageRecord => parseStored(row["record"]))
        : [],
  };
}
