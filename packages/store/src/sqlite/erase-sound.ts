// Removes the recordings of calls whose records stay (D41): those of the record and of its earlier states.
import type { DatabaseSync } from "node:sqlite";
import { toCallDigest, toStoredHex } from "../values/call-digest.ts";
import { readWhole } from "../values/damaged-records.ts";
import { toSoundless } from "../values/versions.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { prepareBig } from "./files/connection.ts";
import { createLegReader } from "./maintenance/history.ts";
import { createRecordingReader } from "./recording-rows.ts";
import { toReplace } from "./schema/digested.ts";
import { DOOMED_VERSIONS, readVersions } from "./writing/versions.ts";

interface DoomedLeg {
  readonly id: bigint;
  readonly callId: string | null;
}

/** Makes a function that removes the recordings of these records of `doomed_call`, which then no longer lists them. */
export function createSoundEraser(database: DatabaseSync): (legs: readonly DoomedLeg[]) => void {
  const eraseVersions = createVersionChange(database);
  const eraseOwn = createRecordChange(database);
  const forget = database.prepare("DELETE FROM doomed_call WHERE id = ?");
  return (legs) => {
    // A state is stored as its difference from the next one, so earlier states come first.
    for (const callId of new Set(legs.flatMap((leg) => leg.callId ?? []))) eraseVersions(callId);
    for (const { id } of legs) {
      eraseOwn(id);
      forget.run(id);
    }
  };
}

function createRecordChange(database: DatabaseSync): (id: bigint) => void {
  const find = prepareBig<CallRow>(database, `SELECT ${CALL_COLUMNS} FROM call WHERE id = ?`);
  const readFiles = createRecordingReader(database);
  const remove = database.prepare("DELETE FROM recording WHERE call = ?");
  const put = database.prepare("UPDATE call SET digest = ? WHERE id = ?");
  return (id) => {
    const row = find.get(id);
    if (row === undefined) return;
    // A new digest would make a damaged record pass as intact.
    const isWhole = row.digest === readWhole(() => toStoredHex(row, readFiles(id)));
    remove.run(id);
    if (isWhole) put.run(Buffer.from(toStoredHex(row, []), "hex"), id);
  };
}

function createVersionChange(database: DatabaseSync): (callId: string) => void {
  const { toStored } = createRecordForm(database);
  const readLegs = createLegReader(database);
  const doomed = database.prepare(`${DOOMED_VERSIONS} AND name = ?`);
  const put = database.prepare(toReplace("version"));
  const remove = database.prepare("DELETE FROM version_recording WHERE version = ?");
  return (callId) => {
    const ids = new Set(doomed.all(callId).map(({ id }) => Number(id)));
    if (ids.size === 0) return;
    const versions = readVersions(database, "call", callId);
    const changed = toSoundless(readLegs(callId), versions, (state) =>
      toCallDigest({ kind: "call", ...state }, toStored(state.record)),
    );
    for (const [index, { id }] of versions.entries()) {
      if (!ids.has(id)) continue;
      remove.run(id);
      const version = changed[index];
      if (version === undefined) continue;
      const { kind, name, identity, state, act, until, isWhole, was } = version;
      put.run({ id, kind, name, identity, state, act, until, is_whole: Number(isWhole), was });
    }
  };
}
