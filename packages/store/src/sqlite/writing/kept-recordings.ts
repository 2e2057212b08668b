// The recordings in the archive that a call keeps when it comes again: see values/kept-recordings.ts.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem } from "../../port/index.ts";
import type { Identity } from "../../values/identity.ts";
import {
  createStateMemory,
  findLeg,
  type KnownRecord,
  withNamed,
  withRecordingsOf,
} from "../../values/kept-recordings.ts";
import { toInstantMs } from "../../values/order-key.ts";
import { checkLoss, type Replacing } from "../../values/recording-loss.ts";
import { RowRejected } from "../../values/row-rejected.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import { createMediaReader } from "../recording-rows.ts";
import { createLegsCheck } from "../row-check.ts";
import { createFindSame } from "./same-call.ts";

export interface KeptRecordings {
  /** The item with the recordings that the archive has for it, and the names for its record. */
  readonly ofSame: (item: CallItem, wanted: Identity) => CallItem;
  /** The item with the stored recordings that it names without a file; undefined if the archive has none of them. */
  readonly ofNames: (item: CallItem, wanted: Identity) => CallItem | undefined;
  /** To be called before records of an earlier state go: the first of a later state takes the places of all of them. */
  readonly remember: (item: CallItem, gone: readonly CallRow[]) => void;
  /** Throws `RowRejected` when `gone` have a recording that none of `items` has. */
  readonly check: (row: Replacing, gone: readonly CallRow[]) => void;
  /** True if records of an earlier state were replaced by an earlier record of this state. */
  readonly hasGone: (item: CallItem) => boolean;
}

export function createKeptRecordings(database: DatabaseSync): KeptRecordings {
  const memory = createStateMemory<KnownRecord>();
  const toKnown = createKnownReader(database);
  const findSame = createFindSame(database);
  const all = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ? ORDER BY id DESC`,
  );
  /** The leg that it is, and all of its call. */
  const findKnown = (item: CallItem, wanted: Identity) => {
    const { record, revisedMs } = item;
    if (revisedMs === undefined) {
      const known = [findSame(wanted) ?? []].flat().map(toKnown);
      return { leg: known[0], known };
    }
    const known = [...all.all(wanted.callId).map(toKnown), ...memory.recall(item)];
    return { leg: findLeg({ record, instantMs: wanted.instantMs }, known), known };
  };

  const isWhole = createLegsCheck(database);
  // What the disk has changed of them would get a digest that calls it well.
  const checkKept = ({ record: { call_id: callId } }: CallItem) => {
    if (callId === null || isWhole(callId)) return;
    throw new RowRejected(
      "recordings: what the archive has of this call is not what was imported, and cannot be kept; restore the last backup, or purge the call and import it with its recordings",
    );
  };

  return {
    ofSame: (item, wanted) => {
      const { leg } = findKnown(item, wanted);
      if (leg === undefined) return item;
      checkKept(item);
      return withRecordingsOf(item, leg);
    },
    ofNames: (item, wanted) => {
      const { leg, known } = findKnown(item, wanted);
      const named = withNamed(item, leg === undefined ? known : [leg]);
      if (named === undefined) return undefined;
      checkKept(item);
      // The names of the files may have told it, which the source now lacks.
      const sessionId = item.sessionId ?? findSame(wanted)?.session_id ?? undefined;
      return { ...named, sessionId };
    },
    check: (row, gone) => checkLoss(row, gone.map(toKnown)),
    remember: (item, gone) => memory.keep(item, gone.map(toKnown)),
    hasGone: (item) => memory.recall(item).length > 0,
  };
}

/** The record is read only where it is asked for: one that is damaged may well be replaced. */
function createKnownReader(database: DatabaseSync): (row: CallRow) => KnownRecord {
  const { toRecord } = createRecordForm(database);
  const list = createMediaReader(database);
  return (row) => ({
    get record() {
      return toRecord(row);
    },
    instantMs: toInstantMs(row.id),
    recordings: list(row.id),
  });
}
