// The recordings in the archive that a call keeps when it comes again: see values/kept-recordings.ts.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem, Recording } from "../../port/index.ts";
import { toEarlierIdentity, toIdentity } from "../../values/call-digest.ts";
import {
  createStateMemory,
  type KnownRecord,
  withNamed,
  withRecordingsOf,
} from "../../values/kept-recordings.ts";
import { checkLoss } from "../../values/recording-loss.ts";
import { toBareName } from "../../values/recording-names.ts";
import { RowRejected } from "../../values/row-rejected.ts";
import { type CallRow, createRecordForm } from "../call-row.ts";
import { prepareRecordings, RECORDING_COLUMNS } from "../recording-rows.ts";
import { createLegsCheck } from "../row-check.ts";
import { createKnownReader, createSameFinder, type Recall } from "./same-record.ts";

export interface KeptRecordings {
  /** The item with the recordings that the archive has for it, and the names for its record. */
  readonly ofSame: (item: CallItem) => CallItem;
  /** The item with the stored recordings that it names without a file; undefined if the archive has none of them. */
  readonly ofNames: (item: CallItem) => CallItem | undefined;
  /** To be called before records of an earlier state go: the first of a later state takes the places of all of them. */
  readonly remember: (item: CallItem, gone: readonly CallRow[]) => void;
  /** Throws `RowRejected` when `gone` have a recording that none of `items` has. */
  readonly check: (items: readonly CallItem[], gone: readonly CallRow[]) => void;
  /** True if records of an earlier state were replaced by an earlier record of this state. */
  readonly hasGone: (item: CallItem) => boolean;
}

const OF_NAME = `SELECT ${RECORDING_COLUMNS} FROM call JOIN recording ON call = id JOIN media USING (sha256)
  WHERE call_id = :callId AND (filename = :name OR substr(filename, 1, length(:name) + 1) = :name || '.')`;

export function createKeptRecordings(database: DatabaseSync): KeptRecordings {
  const memory = createStateMemory<KnownRecord>();
  const toKnown = createKnownReader(database, createRecordForm(database));
  const findSame = createSameFinder({ database, recall: memory.recall, toKnown });
  const listNamed = createNamedLister(database, memory.recall);
  const findSession = createSessionFinder(database);

  const isWhole = createLegsCheck(database);
  // What the disk has changed of them would get a digest that calls it well.
  const checkKept = ({ record: { call_id: callId } }: CallItem) => {
    if (callId === null || isWhole(callId)) return;
    throw new RowRejected(
      "recordings: what the archive has of this call is not what was imported, and cannot be kept; restore the last backup, or purge the call and import it with its recordings",
    );
  };

  return {
    ofSame: (item) => {
      const found = findSame(item);
      if (found === undefined) return item;
      checkKept(item);
      return withRecordingsOf(item, found);
    },
    ofNames: (item) => {
      if (item.record.call_id === null) return undefined;
      const named = withNamed(item, (name) => listNamed(item, name));
      if (named !== undefined) checkKept(item);
      return named && { ...named, sessionId: item.sessionId ?? findSession(item) };
    },
    check: (items, gone) => checkLoss(items, gone.map(toKnown)),
    remember: (item, gone) => memory.keep(item, gone.map(toKnown)),
    hasGone: (item) => memory.recall(item).length > 0,
  };
}

function createNamedLister(database: DatabaseSync, recall: Recall) {
  const listNamed = prepareRecordings(
    database,
    `${OF_NAME} AND identity IN (:identity, :earlier) ORDER BY id DESC`,
  );
  const listNamedOfStates = prepareRecordings(database, `${OF_NAME} ORDER BY id DESC`);
  return (item: CallItem, name: string): readonly Recording[] => {
    const { record, revisedMs } = item;
    const asked = { callId: record.call_id, name: toBareName(name) };
    const identity = toIdentity(item);
    const earlier = toEarlierIdentity(item) ?? identity;
    const listed =
      revisedMs === undefined
        ? listNamed({ ...asked, identity, earlier })
        : listNamedOfStates(asked);
    return [...listed, ...recall(item).flatMap(({ recordings }) => recordings)];
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
