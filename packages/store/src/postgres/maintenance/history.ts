// The states of a call, a user or a flag of an archive in PostgreSQL.
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
import type { Archive } from "../archive.ts";
import { createRecordForm, readCalls, readItems } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { listAltered } from "../digested.ts";
import { toName } from "../names.ts";
import { toList } from "../values.ts";
import { openSnapshot } from "../open-transaction.ts";
import { listLost } from "../row-sums.ts";
import { type PersonRow, type PersonTable, readPerson, selectPersons } from "../users.ts";
import { readActs } from "../writing/acts.ts";
import { readVersions } from "../writing/versions.ts";

export async function readHistory(
  { write, settings }: Archive,
  of: HistoryOf,
): Promise<readonly HistoryState[]> {
  await using snapshot = await openSnapshot(write);
  const { ask } = snapshot;
  const states = await ("callId" in of
    ? listOfCall(ask, createRecordForm(settings), of.callId)
    : "userId" in of
      ? listOfPerson(ask, "user", of.userId)
      : listOfPerson(ask, "flag", of.flagId));
  const ids = states.flatMap(({ act, until }) => [act ?? [], until ?? []].flat());
  return toHistory(states, await readActs(ask, ids), await areWhole(ask));
}

/** See `Maintenance`. */
export async function listReplaced(
  ask: Ask,
  callIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await ask<{ at: number }>(
    `SELECT at::float8 FROM unnest($1::uuid[]) WITH ORDINALITY AS one (name, at)
     WHERE EXISTS (SELECT FROM version WHERE version.kind = 'call' AND version.name = one.name) ORDER BY at`,
    [toList(callIds.map(toName))],
  );
  return rows.flatMap(({ at }) => callIds[at - 1] ?? []);
}

/** With a damaged name a state would not be found. */
async function areWhole(ask: Ask): Promise<boolean> {
  const names: string[] = [];
  for (const table of LIFE_TABLES)
    names.push(...(await listAltered(ask, table, 1)), ...(await listLost(ask, [table])));
  return names.length === 0;
}

type Form = ReturnType<typeof createRecordForm>;

/** The current legs of a call, newest first. */
export async function readLegsOfCall(
  ask: Ask,
  form: Form,
  callId: string,
): Promise<readonly CurrentLeg[]> {
  const named = await ask<{ id: string }>(
    "SELECT id FROM call_name WHERE name = $1::uuid AND kind = 'c'",
    [toName(callId)],
  );
  const rows = await readCalls(
    ask,
    named.map(({ id }) => BigInt(id)),
  );
  return (await readItems(ask, rows, form)).map(({ row, toItem }) => ({
    state: readWhole(toItem),
    identity: row.identity,
    act: row.act ?? null,
  }));
}

export async function listOfCall(
  ask: Ask,
  form: Form,
  callId: string,
): Promise<readonly LegState<CallState>[]> {
  const legs = await readLegsOfCall(ask, form, callId);
  return listCallStates(legs, await readVersions(ask, "call", callId), (state) =>
    toCallDigest({ kind: "call", ...state }, form.toStored(state.record)),
  );
}

async function listOfPerson(
  ask: Ask,
  table: PersonTable,
  id: number,
): Promise<readonly LegState<unknown>[]> {
  const [row] = await ask<PersonRow>(selectPersons(table, "id = $1::int8"), [id]);
  if (row === undefined) return [];
  const state = readWhole((): unknown => readPerson(table, row));
  return listPersonStates(
    { state, act: row.act ?? null },
    await readVersions(ask, table, String(id)),
  );
}
