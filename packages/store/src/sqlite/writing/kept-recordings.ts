// The recordings that a call keeps when it comes again: of a source that says nothing of recordings those that the archive has
// of it, of one that names some whose files are not there those of these names.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem, Recording } from "../../call-store.ts";
import { type CallRow, createRecordForm } from "../call-row.ts";
import { prepareRecordings, RECORDING_COLUMNS } from "../recording-rows.ts";
import { toEarlierIdentity, toIdentity } from "../../values/call-digest.ts";
import { checkLoss, type GoneRecord } from "../../values/recording-loss.ts";
import { isNamed, toBareName, toNamesAlone } from "../../values/recording-names.ts";
import { createKnownReader, createSameFinder, type Known, type Recall } from "./same-record.ts";

export interface KeptRecordings {
  /** With those that the archive has of it, and the names that its record then has. */
  readonly ofSame: (item: CallItem) => CallItem;
  /** With those that it names without a file; undefined where the archive has none of them. */
  readonly ofNames: (item: CallItem) => CallItem | undefined;
  /** To be called before records of an earlier state go: the first of a later state takes the places of all of them. */
  readonly remember: (item: CallItem, gone: readonly CallRow[]) => void;
  /** Throws `RowRejected` when `gone` have a recording that none of `items` has. */
  readonly check: (items: readonly CallItem[], gone: readonly CallRow[]) => void;
  /** Whether records of an earlier state have gone for one that came before in this state. */
  readonly hasGone: (item: CallItem) => boolean;
}

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
      const sessionId = item.sessionId ?? findSession(item);
      return { ...item, record, sessionId, recordings: inOrder([...item.recordings, ...kept]) };
    },
    check: (items, gone) => {
      const known = gone.map(toKnown).filter(({ recordings }) => recordings.length > 0);
      if (known.length === 0) return;
      const records = known.map(({ row, recordings }) => ({
        record: form.toRecord(row),
        recordings,
      }));
      checkLoss(items, gone.length > 1 ? findOwn(items, records) : records);
    },
    remember: (item, gone) => memory.keep(item, gone.map(toKnown)),
    hasGone: (item) => memory.recall(item).length > 0,
  };
}

function createNamedFinder(database: DatabaseSync, recall: Recall) {
  const listNamed = prepareRecordings(
    database,
    `${OF_NAME} AND identity IN (:identity, :earlier) ORDER BY id DESC`,
  );
  const listNamedOfStates = prepareRecordings(database, `${OF_NAME} ORDER BY id DESC`);
  return (item: CallItem, name: string): Recording | undefined => {
    const { record, revisedMs } = item;
    const asked = { callId: record.call_id, name: toBareName(name) };
    const identity = toIdentity(item);
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
    "SELECT session_id FROM call WHERE call_id = ? AND identity = ?",
  );
  return (item: CallItem): string | undefined =>
    session.get(item.record.call_id, toIdentity(item))?.["session_id"]?.toString();
}

// A later state takes the places of all records of a call with its first row; the rows of the other legs follow.
function findOwn(items: readonly CallItem[], gone: readonly GoneRecord[]): readonly GoneRecord[] {
  const [only, ...others] = items;
  if (only === undefined || others.length > 0) return gone;
  const { datetime, agent } = only.record;
  return gone.filter(({ record }) => record.datetime === datetime && record.agent === agent);
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

/** As D17 has it. */
function inOrder(recordings: readonly Recording[]): Recording[] {
  const unique = [
    ...new Map(recordings.map((one) => [`${one.media.sha256} ${one.filename}`, one])).values(),
  ];
  return unique.toSorted((a, b) => (a.startMs ?? Infinity) - (b.startMs ?? Infinity) || 0); // Infinity - Infinity is NaN
}
