// The recordings that a call keeps when it comes again: of a source that says nothing of recordings those that the archive has
// of it, of one that names some whose files are not there those of these names.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { MetadataRecord, Recording } from "../../call-store.ts";
import { prepareBig } from "../files/connection.ts";
import { toEarlierIdentity, toIdentity } from "./call-digest.ts";
import {
  CALL_COLUMNS,
  type CallItem,
  type CallRow,
  createRecordForm,
  type RecordForm,
} from "../call-row.ts";
import { isNamed, toBareName, toNamesAlone } from "./recording-names.ts";
import { RECORDING_COLUMNS, toRecording } from "../recording-rows.ts";

export interface KeptRecordings {
  /** With those that the archive has of it, and the names that its record then has. */
  readonly ofSame: (item: CallItem) => CallItem;
  /** With those that it names without a file; undefined where the archive has none of them. */
  readonly ofNames: (item: CallItem) => CallItem | undefined;
  /** To be called before records of an earlier state go: the first of a later state takes the places of all of them. */
  readonly remember: (item: CallItem, gone: readonly CallRow[]) => void;
  /** Whether records of an earlier state have gone for one that came before in this state. */
  readonly hasGone: (item: CallItem) => boolean;
}

/** A record and its recordings. It is read only where it is asked for: one that is damaged may well be replaced. */
interface Known {
  readonly row: CallRow;
  readonly recordings: readonly Recording[];
}

const OF_CALL = `SELECT ${RECORDING_COLUMNS} FROM recording JOIN media USING (sha256) WHERE call = :id ORDER BY part`;

const OF_NAME = `SELECT ${RECORDING_COLUMNS} FROM call JOIN recording ON call = id JOIN media USING (sha256)
  WHERE call_id = :callId AND (filename = :name OR substr(filename, 1, length(:name) + 1) = :name || '.')`;

export function createKeptRecordings(database: DatabaseSync): KeptRecordings {
  const form = createRecordForm(database);
  const memory = createStateMemory();
  const toKnown = createKnownReader(database);
  const findSame = createSameFinder({ database, form, recall: memory.recall, toKnown });
  const findNamed = createNamedFinder(database, memory.recall);
  const findSession = createSessionFinder(database);

  return {
    ofSame: (item) => {
      const found = findSame(item);
      if (found === undefined) return item;
      const { recordings } = form.toRecord(found.row);
      const record = { ...item.record, recordings };
      return { ...item, record, recordings: found.recordings };
    },
    ofNames: (item) => {
      if (item.record.call_id === null) return undefined;
      const named = toNamesAlone(item).map((name) => ({ name, found: findNamed(item, name) }));
      const kept = named.flatMap(({ found }) => found ?? []);
      if (kept.length === 0) return undefined;
      const others = named.flatMap(({ name, found }) => (found === undefined ? [name] : []));
      const record = { ...item.record, recordings: others.join("; ") || null };
      const sessionId = item.sessionId ?? findSession(record);
      return { ...item, record, sessionId, recordings: inOrder([...item.recordings, ...kept]) };
    },
    remember: (item, gone) => memory.keep(item, gone.map(toKnown)),
    hasGone: (item) => memory.recall(item).length > 0,
  };
}

type Recall = (item: CallItem) => readonly Known[];

interface SameSources {
  readonly database: DatabaseSync;
  readonly form: RecordForm;
  readonly recall: Recall;
  readonly toKnown: (row: CallRow) => Known;
}

function createSameFinder({ database, form, recall, toKnown }: SameSources) {
  const select = `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ?`;
  const same = prepareBig(database, `${select} AND identity = ? ORDER BY id DESC`);
  const all = prepareBig(database, `${select} ORDER BY id DESC`);
  return (item: CallItem): Known | undefined => {
    const { record, revisedMs } = item;
    const isState = revisedMs !== undefined;
    const rows = isState ? all.all(record.call_id) : same.all(record.call_id, toIdentity(record));
    const known = (rows as unknown as readonly CallRow[]).map(toKnown); // the columns that CALL_COLUMNS names
    return isState
      ? findLeg(record, [...known, ...recall(item)], form)
      : findEqual(record, known, form);
  };
}

function createNamedFinder(database: DatabaseSync, recall: Recall) {
  const listNamed = prepareList(
    database,
    `${OF_NAME} AND identity IN (:identity, :earlier) ORDER BY id DESC`,
  );
  const listNamedOfStates = prepareList(database, `${OF_NAME} ORDER BY id DESC`);
  return (item: CallItem, name: string): Recording | undefined => {
    const { record, revisedMs } = item;
    const asked = { callId: record.call_id, name: toBareName(name) };
    const identity = toIdentity(record);
    const earlier = toEarlierIdentity(item) ?? identity;
    const listed =
      revisedMs === undefined
        ? listNamed({ ...asked, identity, earlier })
        : listNamedOfStates(asked);
    const remembered = recall(item).flatMap(({ recordings }) => recordings);
    return [...listed, ...remembered].find((one) => isNamed(one, name));
  };
}

// The names of the files may have told it, which the source now lacks.
function createSessionFinder(database: DatabaseSync) {
  const session = database.prepare(
    "SELECT session_id FROM call WHERE call_id = ? AND identity = ? ORDER BY id DESC LIMIT 1",
  );
  return (record: MetadataRecord): string | undefined =>
    session.get(record.call_id, toIdentity(record))?.["session_id"]?.toString();
}

function createKnownReader(database: DatabaseSync): (row: CallRow) => Known {
  const list = prepareList(database, OF_CALL);
  return (row) => ({ row, recordings: list({ id: row.id }) });
}

type List = (asked: Record<string, SQLInputValue>) => Recording[];

function prepareList(database: DatabaseSync, sql: string): List {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return (asked) => {
    const rows = statement.all(asked) as unknown as SQLOutputValue[][]; // as it was told
    return rows.map(toRecording);
  };
}

// Of one state of one call alone: its records follow each other.
function createStateMemory() {
  let last: { readonly item: CallItem; readonly known: readonly Known[] } | undefined;
  const recall: Recall = ({ record, revisedMs }) =>
    last?.item.record.call_id === record.call_id && last.item.revisedMs === revisedMs
      ? last.known
      : [];
  return {
    keep: (item: CallItem, known: readonly Known[]) => {
      last = { item, known: [...recall(item), ...known] };
    },
    recall,
  };
}

// Where several are recognised alike, as rows of one import are, another's recordings must not come to be this one's.
function findEqual(wanted: MetadataRecord, known: readonly Known[], form: RecordForm) {
  if (known.length < 2) return known[0];
  const fields = Object.keys(wanted) as (keyof MetadataRecord)[]; // its keys
  const others = fields.filter((field) => field !== "recordings");
  return known.find(({ row }) => isAlike(form.toRecord(row), wanted, others));
}

// A later state may have another reference.
function findLeg(wanted: MetadataRecord, known: readonly Known[], form: RecordForm) {
  const find = (fields: readonly (keyof MetadataRecord)[]) =>
    known.find(({ row }) => isAlike(form.toRecord(row), wanted, fields));
  return find(["datetime", "agent", "ref_id"]) ?? find(["datetime", "agent"]);
}

function isAlike(
  record: MetadataRecord,
  wanted: MetadataRecord,
  fields: readonly (keyof MetadataRecord)[],
): boolean {
  return fields.every((field) => record[field] === wanted[field]);
}

/** As D17 has it. */
function inOrder(recordings: readonly Recording[]): Recording[] {
  const unique = [
    ...new Map(recordings.map((one) => [`${one.media.sha256} ${one.filename}`, one])).values(),
  ];
  return unique.toSorted((a, b) => (a.startMs ?? Infinity) - (b.startMs ?? Infinity) || 0); // Infinity - Infinity is NaN
}
