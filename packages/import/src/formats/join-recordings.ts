// JSON formats whose recordings are records of their own. Recordings and calls may be in different files and come in
// any order. So the records of recordings are read first, into a temporary database: memory does not grow with their
// number.
import { DatabaseSync } from "node:sqlite";
import { isObject, parseJson } from "../json.ts";
import { RowFault, type SourceFile } from "../source-row.ts";
import type { Entry, ImportFormat, RecordContext } from "./format.ts";
import {
  createJsonFormat,
  findRecords,
  type JsonFormat,
  type JsonRecord,
  readJsonRecords,
} from "./json-format.ts";

export interface FormatWithRecordings extends Omit<JsonFormat, "prepare"> {
  /** Paths of `records` that only have calls: such files are not read ahead unless there are others. */
  readonly callsAlone: readonly string[];
  readonly toCallId: (call: JsonRecord) => string | undefined;
  /** Undefined for a call. */
  readonly toRecording: (record: JsonRecord) => Belonging | undefined;
  /** As `PreparedRecords.toEntries`, with the recordings of the call in the order of their identifiers. */
  readonly toCalls: (
    call: JsonRecord,
    recordings: readonly JsonRecord[],
    context: RecordContext,
  ) => Promise<Entry[]>;
}

interface Belonging {
  readonly id: string;
  readonly callId: string;
}

/** A recording is part of the row of its call. Without a call it is a rejected row. */
export function createFormatWithRecordings(definition: FormatWithRecordings): ImportFormat {
  const createWith = ({ of, hasCall, missing }: Known) =>
    createJsonFormat({
      ...definition,
      prepare: () => ({
        toEntries: async (record, context) => {
          const recording = definition.toRecording(record);
          if (recording === undefined) {
            const beside = of(definition.toCallId(record));
            const calls = await definition.toCalls(record, beside ?? [], context);
            return beside === undefined ? calls.map(toKeeping) : calls;
          }
          if (hasCall(recording.callId)) return [];
          throw new RowFault(
            `the recording ${recording.id} belongs to the call ${recording.callId}, ${missing}`,
          );
        },
      }),
    });
  return {
    ...createWith(NOTHING),
    createReader: async (options, files) =>
      await createWith(await readAhead(files, definition)).createReader(options, files),
  };
}

interface Known {
  /** Undefined when the import brings no recording at all. */
  readonly of: (callId: string | undefined) => readonly JsonRecord[] | undefined;
  readonly hasCall: (callId: string) => boolean;
  /** Why a call is missing and what to do, as the end of a sentence. */
  readonly missing: string;
}

const NOTHING: Known = {
  of: () => undefined,
  hasCall: () => false,
  missing: "which is not imported with it: give the file of the calls as well",
};

// An import without a word of recordings leaves those of the archive.
function toKeeping(call: Entry): Entry {
  const isSilent = call["media"] === undefined && call["recordings"] === undefined;
  return isSilent ? { ...call, keeps_recordings: true } : call;
}

const IN_PIPE = "which no file has that can be read twice: give files instead of a pipe";

/** Reads the files that can be read twice; a pipe cannot. */
async function readAhead(
  files: readonly SourceFile[],
  { toCallId, toRecording, callsAlone, ...format }: FormatWithRecordings,
): Promise<Known> {
  const places: { file: SourceFile; path: string }[] = [];
  let known = NOTHING;
  for (const file of files) {
    const head = await file.peek();
    if (head === undefined) known = { ...NOTHING, missing: IN_PIPE };
    const path = head && findRecords(head, format)?.path;
    if (path !== undefined) places.push({ file, path });
  }
  if (places.every(({ path }) => callsAlone.includes(path))) return known;
  const tables = createTables();
  const take = (record: JsonRecord) => {
    const recording = toRecording(record);
    const callId = recording === undefined ? toCallId(record) : undefined;
    if (recording !== undefined) tables.addRecording(recording, record);
    else if (callId !== undefined) tables.addCall(callId);
    return [];
  };
  for (const { file, path } of places) {
    const chunks = () => file.readAhead() ?? file.chunks(); // no pipe has a place
    const rows = readJsonRecords({ ...file, chunks }, () => path, take);
    while (!(await rows.next()).done); // what is at fault is said when the file is imported
  }
  return { ...known, ...tables };
}

// An unnamed temporary database, which SQLite removes with the connection. Its only transaction is never committed.
function createTables() {
  const database = new DatabaseSync("");
  database.exec(
    `CREATE TABLE call (id TEXT PRIMARY KEY) WITHOUT ROWID;
     CREATE TABLE recording (call TEXT, id TEXT, record TEXT, PRIMARY KEY (call, id)) WITHOUT ROWID;
     BEGIN`,
  );
  const putCall = database.prepare("INSERT OR IGNORE INTO call VALUES (?)");
  const getCall = database.prepare("SELECT 1 FROM call WHERE id = ?");
  const putRecording = database.prepare("INSERT OR REPLACE INTO recording VALUES (?, ?, ?)");
  let hasRecordings = false;
  const getRecordings = database.prepare("SELECT record FROM recording WHERE call = ? ORDER BY id");
  return {
    addCall: (id: string) => void putCall.run(id),
    addRecording: ({ id, callId }: Belonging, record: JsonRecord) => {
      putRecording.run(callId, id, JSON.stringify(record));
      hasRecordings = true;
    },
    of: (callId: string | undefined): readonly JsonRecord[] | undefined => {
      if (!hasRecordings) return undefined;
      return getRecordings.all(callId ?? "").flatMap(({ record }) => {
        const parsed = parseJson(String(record));
        return "value" in parsed && isObject(parsed.value) ? [parsed.value] : [];
      });
    },
    hasCall: (callId: string) => getCall.get(callId) !== undefined,
  };
}
