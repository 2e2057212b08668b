// Earlier states in memory.
import type { HistoryOf, HistoryState } from "../port/history.ts";
import { isEqual } from "../values/row-digest.ts";
import {
  type CallState,
  type CurrentLeg,
  type LegState,
  listCallStates,
  listPersonStates,
  type StoredVersion,
  toHistory,
  toSoundless,
} from "../values/versions.ts";
import { compareCalls, type StoredCall } from "../writing/slice.ts";
import type { Tables } from "./tables.ts";

export const readHistory = (tables: Tables, of: HistoryOf): readonly HistoryState[] =>
  toHistory(listStates(tables, of), tables.acts, true);

const listVersions = ({ versions }: Tables, kind: StoredVersion["kind"], name: string) =>
  versions
    .values()
    .filter((one) => one.kind === kind && one.name === name)
    .toReversed();

const listLegs = (tables: Tables, callId: string): readonly CurrentLeg[] =>
  tables.calls
    .ofCallId(callId)
    .toSorted(compareCalls)
    .map((call) => ({
      state: toState(call),
      identity: call.marks.identity,
      act: call.act ?? null,
    }));

export function listStatesOfCall(tables: Tables, callId: string): readonly LegState<CallState>[] {
  const legs = listLegs(tables, callId);
  return listCallStates(legs, listVersions(tables, "call", callId), (state) =>
    tables.toDigest({ kind: "call", ...state }),
  );
}

function listStates(tables: Tables, of: HistoryOf): readonly LegState<unknown>[] {
  if ("callId" in of) return listStatesOfCall(tables, of.callId);
  const [kind, id] =
    "userId" in of ? (["user", of.userId] as const) : (["flag", of.flagId] as const);
  const found = kind === "user" ? tables.users.get(id) : tables.flags.get(id);
  if (found === undefined) return [];
  const current = { state: JSON.parse(found.text) as unknown, act: found.act ?? null };
  return listPersonStates(current, listVersions(tables, kind, String(id)));
}

const toState = ({ record, sessionId, masterId, recordings }: StoredCall) => ({
  record,
  sessionId,
  masterId,
  recordings,
});

/** True if the version is a state of this call, and no record of its leg remains once `gone` are erased. */
export function isOfLeg(
  { calls }: Tables,
  { kind, name, identity }: StoredVersion,
  { call, gone }: { readonly call: StoredCall; readonly gone: ReadonlySet<StoredCall> },
): boolean {
  if (kind !== "call" || call.marks.callId !== name) return false;
  const isLeg = ({ marks }: StoredCall) => identity !== null && isEqual(marks.identity, identity);
  return !calls.ofCallId(name).some((one) => !gone.has(one) && isLeg(one));
}

/** Removes the recordings of these calls and of their earlier states, which stay (D41). */
export function eraseSound(tables: Tables, calls: readonly StoredCall[]): void {
  for (const callId of new Set(calls.flatMap(({ marks }) => marks.callId ?? []))) {
    const all = [...tables.versions.entries()].toReversed();
    const own = all.filter(([, { kind, name }]) => kind === "call" && name === callId);
    const versions = own.map(([, version]) => version);
    const silent = toSoundless(listLegs(tables, callId), versions, (state) =>
      tables.toDigest({ kind: "call", ...state }),
    );
    for (const [index, [key, version]] of own.entries())
      tables.versions.set(key, silent[index] ?? { ...version, recordings: [] });
  }
  for (const call of calls) {
    const item = { ...call, recordings: [] };
    tables.calls.remove(call);
    tables.calls.add({ ...item, marks: { ...call.marks, digest: tables.toDigest(item) } });
  }
}

/** Call it when the call is erased. */
export function eraseVersions(tables: Tables, call: StoredCall): void {
  for (const [key, version] of tables.versions.entries())
    if (isOfLeg(tables, version, { call, gone: new Set() })) tables.versions.delete(key);
}
