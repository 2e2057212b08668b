// Reading calls, their recordings and their chats from SQLite with somebody's eyes (D21).
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type {
  CallPage,
  Calls,
  CallSearch,
  ChatMessageRecord,
  FoundRecording,
  MetadataRecord,
  Visibility,
} from "../call-store.ts";
import { toDayRange } from "../values/instant.ts";
import { isVisible } from "../visibility.ts";
import { parseStored, RECORD_COLUMNS, type RecordRow, toRecord } from "./call-row.ts";
import { toFirstId } from "./order-key.ts";
import { toMatch } from "./search-index.ts";

/** Records of a page (D07). */
export const PAGE_SIZE = 50;

const DAY_MS = 86_400_000;

const BY_REFERENCE = "(ref_id = :reference OR session_id = :reference OR master_id = :reference)";

/** The instants of a search and its MATCH, undefined when every call of the range is meant. */
interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly match: string | undefined;
}

export function createCalls(database: DatabaseSync, timeZone: string): Calls {
  const byCallId = database.prepare(
    `SELECT ${RECORD_COLUMNS} FROM call WHERE call_id = ? ORDER BY id DESC`,
  );
  const byReference = database.prepare(
    `SELECT ${RECORD_COLUMNS} FROM call WHERE ${BY_REFERENCE} ORDER BY id DESC`,
  );
  const search = createSearch(database);
  const recordingsOf = createRecordings(database);
  const chatOf = database.prepare(
    "SELECT record FROM chat WHERE call_id = ? ORDER BY instant_ms, id",
  );

  const read = (rows: readonly unknown[], visibility: Visibility) =>
    rows.map((row) => toRecord(row as RecordRow)).filter((record) => isVisible(record, visibility));
  const seenByCallId = (callId: string, visibility: Visibility) =>
    read(byCallId.all(callId), visibility);

  return {
    byCallId: async (callId, visibility) => seenByCallId(callId, visibility),
    byReference: async (reference, visibility) => read(byReference.all({ reference }), visibility),
    search: async (query) =>
      search(query, {
        ...toDayRange(query.startDate, query.endDate, timeZone),
        match: toMatch(query.filter, query.visibility),
      }),
    recordings: async (of, visibility) => recordingsOf(of, visibility),
    chat: async (callId, visibility) => {
      const isSeen = isVisible({}, visibility) || seenByCallId(callId, visibility).length > 0;
      return isSeen
        ? chatOf.all(callId).map((row): ChatMessageRecord => parseStored(row["record"]))
        : [];
    },
  };
}

function createSearch(database: DatabaseSync) {
  const select = (source: string) =>
    database.prepare(
      `SELECT ${RECORD_COLUMNS} FROM call WHERE id IN (${source} LIMIT ${PAGE_SIZE + 1} OFFSET :offset) ORDER BY id DESC`,
    );
  const all = select("SELECT id FROM call WHERE id >= :from AND id < :until ORDER BY id DESC");
  const matching = select(
    "SELECT rowid FROM call_index WHERE call_index MATCH :match AND rowid >= :from AND rowid < :until ORDER BY rowid DESC",
  );
  const count = createCount(database);

  return ({ pageIndex, isCounted }: CallSearch, range: Range): CallPage => {
    const bounds = {
      from: toFirstId(range.fromMs),
      until: toFirstId(range.untilMs),
      offset: pageIndex * PAGE_SIZE,
    };
    const rows =
      range.match === undefined ? all.all(bounds) : matching.all({ ...bounds, match: range.match });
    const records = rows
      .slice(0, PAGE_SIZE)
      .map((row): MetadataRecord => toRecord(row as unknown as RecordRow));
    const page = { records, hasNext: rows.length > PAGE_SIZE, pageSize: PAGE_SIZE };
    return isCounted ? { ...page, recordCount: count(range) } : page;
  };
}

function createCount(database: DatabaseSync) {
  const matching = database.prepare(
    "SELECT count(*) AS n FROM call_index WHERE call_index MATCH :match AND rowid >= :from AND rowid < :until",
  );
  const wholeDays = database.prepare(
    "SELECT ifnull(sum(calls), 0) AS n FROM call_day WHERE day >= :from AND day < :until",
  );
  const single = database.prepare(
    "SELECT count(*) AS n FROM call WHERE id >= :from AND id < :until",
  );
  const read = (statement: typeof single, values: Record<string, SQLInputValue>) =>
    Number(statement.get(values)?.["n"]);
  const between = (fromMs: number, untilMs: number) =>
    fromMs < untilMs ? read(single, { from: toFirstId(fromMs), until: toFirstId(untilMs) }) : 0;

  return ({ fromMs, untilMs, match }: Range): number => {
    if (match !== undefined)
      return read(matching, { match, from: toFirstId(fromMs), until: toFirstId(untilMs) });
    const from = Math.ceil(fromMs / DAY_MS);
    const until = Math.floor(untilMs / DAY_MS);
    if (from > until) return between(fromMs, untilMs);
    return (
      between(fromMs, from * DAY_MS) +
      read(wholeDays, { from, until }) +
      between(until * DAY_MS, untilMs)
    );
  };
}

function createRecordings(database: DatabaseSync) {
  const select = (condition: string) =>
    database.prepare(
      `SELECT call.call_id, call.ref_id, call.record, filename, start_ms, sha256, bytes, type, modified_ms, fingerprint
       FROM call JOIN recording ON recording.call = call.id JOIN media USING (sha256)
       WHERE ${condition} ORDER BY start_ms IS NULL, start_ms, call.id DESC, part`,
    );
  const byCallId = select("call_id = :callId");
  const byReference = select(BY_REFERENCE);

  return (
    of: { callId: string } | { reference: string },
    visibility: Visibility,
  ): FoundRecording[] =>
    ("callId" in of ? byCallId.all(of) : byReference.all(of))
      .filter((row) => isVisible(toRecord(row as unknown as RecordRow), visibility))
      .map((row) => ({
        callId: row["call_id"] === null ? null : String(row["call_id"]),
        filename: String(row["filename"]),
        startMs: row["start_ms"] === null ? undefined : Number(row["start_ms"]),
        media: {
          sha256: String(row["sha256"]),
          bytes: Number(row["bytes"]),
          type: String(row["type"]),
          modifiedMs: Number(row["modified_ms"]),
          fingerprint: row["fingerprint"] === null ? undefined : String(row["fingerprint"]),
        },
      }));
}
