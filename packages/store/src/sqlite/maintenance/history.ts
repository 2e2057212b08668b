// The states of a call, a user or a flag of an archive in a directory.
import type { DatabaseSync } from "node:sqlite";
import type { HistoryOf, HistoryState } from "../../port/history.ts";
import { toCallDigest } from "../../values/call-digest.ts";
import { readWhole } from "../../values/damaged-records.ts";
import {
  type CallState,
  type CurrentLeg,
  type LegState,
  LIFE_TABLES,
  listCallStates,
  listPersonStates,
  toHistory,
} from "../../values/versions.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "../call-row.ts";
import { listAltered, listLost } from "../digested-rows.ts";
import { prepareBig, prepareRows } from "../files/connection.ts";
import { readAtOnce } from "../files/transaction.ts";
import { checkRecording, createMediaReader, toRecording } from "../recording-rows.ts";
import { hasTable } from "../schema/has-column.ts";
import { type PersonTable, readPerson, selectPersons } from "../users.ts";
import { readActs } from "../writing/acts.ts";
import { readVersions } from "../writing/versions.ts";

/** Empty for a backup from an earlier version. */
export function readHistory(database: DatabaseSync, of: HistoryOf): readonly HistoryState[] {
  if (!hasTable(database, "version")) return [];
  return readAtOnce(database, () => {
    const states = listStates(database, of);
    const ids = states.flatMap(({ act, until }) => [act ?? [], until ?? []].flat());
    // With a damaged name a state would not be found.
    const isWhole = LIFE_TABLES.every(
      (table) => listAltered(database, table, 1).length + listLost(database, [table]).length === 0,
    );
    return toHistory(states, readActs(database, ids), isWhole);
  });
}

/** See `Maintenance`. */
export function listReplaced(
  database: DatabaseSync,
  callIds: readonly string[],
): readonly string[] {
  if (!hasTable(database, "version")) return [];
  const find = database.prepare("SELECT 1 FROM version WHERE kind = 'call' AND name = ? LIMIT 1");
  return callIds.filter((callId) => find.get(callId) !== undefined);
}

function listStates(database: DatabaseSync, of: HistoryOf): readonly LegState<unknown>[] {
  if ("callId" in of) return listOfCall(database, of.callId);
  return "userId" in of
    ? listOfPerson(database, "user", of.userId)
    : listOfPerson(database, "flag", of.flagId);
}

interface LegRow extends CallRow {
  readonly identity: Uint8Array | null;
  readonly act: bigint | null;
}

export function listOfCall(database: DatabaseSync, callId: string): readonly LegState<CallState>[] {
  const { toStored } = createRecordForm(database);
  return listCallStates(
    createLegReader(database)(callId),
    readVersions(database, "call", callId),
    (state) => toCallDigest({ kind: "call", ...state }, toStored(state.record)),
  );
}

/** Makes a function that returns the current legs of a call, newest first. */
export function createLegReader(database: DatabaseSync): (callId: string) => readonly CurrentLeg[] {
  const { toRecord } = createRecordForm(database);
  const readRecordings = createMediaReader(database);
  const legs = prepareBig<LegRow>(
    database,
    `SELECT ${CALL_COLUMNS}, identity, act FROM call WHERE call_id = ? ORDER BY id DESC`,
  );
  const toLeg = (row: LegRow): CurrentLeg => {
    const state = readWhole(() => {
      const files = readRecordings(row.id).map(checkRecording);
      return {
        record: toRecord(row, files),
        sessionId: row.session_id ?? undefined,
        masterId: row.master_id ?? undefined,
        recordings: files.map(toRecording),
      };
    });
    return { state, identity: row.identity, act: row.act === null ? null : Number(row.act) };
  };
  return (callId) => legs.all(callId).map(toLeg);
}

function listOfPerson(
  database: DatabaseSync,
  table: PersonTable,
  id: number,
): readonly LegState<unknown>[] {
  const row = prepareRows(database, selectPersons(table, "WHERE id = ?", ", act")).get(id);
  if (row === undefined) return [];
  const state = readWhole((): unknown => readPerson(table, row));
  const act = row["act"] === null ? null : Number(row["act"]);
  return listPersonStates({ state, act }, readVersions(database, table, String(id)));
}
