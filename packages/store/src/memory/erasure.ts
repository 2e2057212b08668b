// Selects the rows that an erasure removes from an archive in memory, without those that holds keep.
import type { DueCalls, ErasureFilter, ErasurePlan } from "../port/maintenance.ts";
import { parseEntry } from "../values/access-chain.ts";
import { toBeforeMs } from "../values/days.ts";
import {
  isErasureOf,
  listMarkNames,
  type Named,
  parseErasure,
  toNamed,
} from "../values/erasure-entry.ts";
import { toHeldBack } from "../values/holds.ts";
import { filterOwed, NOTHING_OWED, toOwed } from "../values/owed-marks.ts";
import { toLastMs } from "../values/retention.ts";
import { nameCall, toTombstone } from "../values/tombstones.ts";
import { toHex } from "../writing/row-writer.ts";
import type { StoredCall, StoredChat } from "../writing/slice.ts";
import type { StoredVersion } from "../values/versions.ts";
import { findHeld, isThere, toKey } from "./holds.ts";
import { isOfLeg } from "./history.ts";
import type { Tables } from "./tables.ts";

export function planErasure(tables: Tables, filter: ErasureFilter, timeZone: string) {
  const found = selectDoomed(tables, filter, timeZone);
  const { marked, owed, cases, calls, chats, held, soundless } = found;
  const doomed = new Set(calls);
  const left = tables.calls.all().filter((call) => !doomed.has(call));
  const isLeft = (version: StoredVersion) =>
    !calls.some((call) => isOfLeg(tables, version, { call, gone: doomed }));
  const kept = new Set(listDigests([...left, ...tables.versions.values().filter(isLeft)]));
  const sha256s = [...tables.media.keys()].filter((sha256) => !kept.has(sha256));
  const isNamed = new Set(listDigests([...calls, ...tables.versions.values()]));
  const fileBytes = sha256s.reduce(
    (sum, one) => sum + (tables.media.get(one)?.media.bytes ?? 0),
    0,
  );
  const counts: ErasurePlan = {
    calls: calls.length,
    chats: chats.length,
    files: sha256s.length,
    fileBytes,
    unlinked: [],
    ofNoRecord: sha256s.filter((sha256) => !isNamed.has(sha256)),
    taken: calls.length + chats.length > 0 ? undefined : findEarlier(tables, filter),
    ...(held !== undefined && { held }),
    ...(soundless > 0 && { soundless }),
    ...("callIds" in filter && { unknown: listUnknown(tables, filter.callIds) }),
  };
  return { counts, calls, chats, sha256s, marked, owed, cases };
}

/** Selects what the filter matches, without what is held. `marked`: the named call_ids that are erased; `owed`: what is named and held. */
function selectDoomed(tables: Tables, filter: ErasureFilter, timeZone: string) {
  const wanted = toNamed(filter, {
    callIds: new Set(tables.owed.callIds.keys()),
    references: new Set(tables.owed.references.keys()),
  });
  const doomed = { wanted, timeZone };
  const found = tables.calls.all().filter(createTest(tables, filter, doomed));
  const all = filter.isSound ? selectWithSound(tables, found) : found;
  const chatsOf = (calls: readonly StoredCall[]) =>
    filter.isSound ? [] : selectChats(tables, filter, { calls, ...doomed });
  const held = findHeld(tables, { calls: all, chats: chatsOf(all) }, timeZone);
  const isHeld = (callId: string | null, order?: number) => held.has(toKey(callId, order));
  const calls = all.filter(({ marks, order }) => !isHeld(marks.callId, order));
  const chats = chatsOf(calls).filter(({ callId, order }) => !isHeld(callId, order));
  const { callIds = new Set<string>() } = wanted ?? {};
  const isOwing = wanted !== undefined && filter.isSound !== true;
  const isAwaited = (callId: string) => [...tables.held.values()].some((one) => one.has(callId));
  const free = [...callIds].filter((callId) => !isHeld(callId) && !isAwaited(callId));
  const gone = new Set([...calls.map(({ marks }) => marks.callId), ...chats.map(toOwner)]);
  return {
    calls,
    chats,
    marked: "isOwed" in filter ? free : free.filter((callId) => gone.has(callId)),
    cases: filterOwed(filter.isSound ? NOTHING_OWED : tables.owed, (name, kind) => {
      if ("isOwed" in filter) return !isHeld(name);
      return kind === "callIds" ? gone.has(name) : calls.some(isOfReference(new Set([name])));
    }),
    held: toHeldBack(held, isOwing),
    owed: toOwed(isOwing ? wanted : undefined, {
      isHeld: (callId) => isHeld(callId),
      isAnyHeld: held.all().size > 0,
      known: tables.owed,
      ofCase: null,
    }),
    soundless:
      filter.isSound && wanted !== undefined
        ? found.filter((call) => !all.includes(call)).length
        : 0,
  };
}

/** All recordings of a call go at once, whatever the filter names of it. */
function selectWithSound(tables: Tables, found: readonly StoredCall[]): readonly StoredCall[] {
  const legs = found.flatMap((call) =>
    call.marks.callId === null ? [call] : tables.calls.ofCallId(call.marks.callId),
  );
  const hasEarlier = ({ marks }: StoredCall) =>
    tables.versions
      .values()
      .some(
        ({ kind, name, recordings }) =>
          kind === "call" && name === marks.callId && recordings.length > 0,
      );
  return [...new Set(legs)].filter((call) => call.recordings.length > 0 || hasEarlier(call));
}

const toOwner = ({ callId }: StoredChat) => callId;

/** The number of calls that are owed an erasure and not held; one without a call_id counts as one. */
export function countOwed(tables: Tables, timeZone: string): number {
  const { calls, marked } = selectDoomed(tables, { isOwed: true }, timeZone);
  return new Set([...calls.map(({ marks, order }) => marks.callId ?? order), ...marked]).size;
}

interface Settled extends Pick<ReturnType<typeof planErasure>, "owed"> {
  readonly ofCase: string | null;
}

/** Those of these call_ids that are owed and no longer there. */
export function listPaid(tables: Tables, callIds: Iterable<string | null>): readonly string[] {
  const gone = new Set(callIds);
  return [...tables.owed.callIds.keys()].filter((one) => gone.has(one) && !isThere(tables, one));
}

/** Stores what is owed, and removes what no longer exists and stays out for ever; call it when the rows are gone. */
export function settleOwed(tables: Tables, { owed, ofCase }: Settled): void {
  const { callIds, references } = tables.owed;
  for (const callId of owed.callIds.keys()) callIds.set(callId, callIds.get(callId) ?? ofCase);
  for (const one of owed.references.keys()) references.set(one, references.get(one) ?? ofCase);
  const toMark = (callId: string) => toHex(toTombstone(tables.tombstoneKey, nameCall(callId)));
  const isOut = (callId: string) => tables.tombstones.get(toMark(callId))?.untilDay === null;
  for (const callId of callIds.keys())
    if (!isThere(tables, callId) && isOut(callId)) callIds.delete(callId);
  const all = tables.calls.all();
  for (const reference of references.keys())
    if (!all.some(isOfReference(new Set([reference])))) references.delete(reference);
}

export const listDigests = (calls: readonly Pick<StoredCall, "recordings">[]) =>
  calls.flatMap(({ recordings }) => recordings.map(({ media }) => media.sha256));

interface Doomed {
  readonly timeZone: string;
  /** What a filter by identifier names. */
  readonly wanted: Named | undefined;
}

function createTest(
  tables: Tables,
  filter: ErasureFilter,
  { wanted, timeZone }: Doomed,
): (call: StoredCall) => boolean {
  if ("isUndated" in filter) return ({ instantMs }) => instantMs === undefined;
  if ("due" in filter) {
    const due = listDue(tables, filter.due, filter.isSound === true);
    return (call) => due.has(call);
  }
  if ("before" in filter) {
    const beforeMs = toBeforeMs(filter.before, timeZone);
    const isOld = ({ marks, ...call }: StoredCall) =>
      toLastMs(marks.callId === null ? [call] : tables.calls.ofCallId(marks.callId)) < beforeMs;
    return isOld;
  }
  const { callIds, references } = wanted ?? { callIds: new Set(), references: new Set<string>() };
  const hasReference = isOfReference(references);
  return (call) => callIds.has(call.record.call_id ?? "") || hasReference(call);
}

function listDue(
  tables: Tables,
  { isDue, untilMs }: DueCalls,
  isSound: boolean,
): ReadonlySet<StoredCall> {
  const isOld = ({ instantMs = Infinity }: StoredCall) => instantMs < untilMs;
  const isListed = ([key, legs]: readonly [string, readonly StoredCall[]]) => {
    if (!legs.some(isOld)) return false;
    if (!isSound) return isDue(legs, key);
    const heard = new Set(selectWithSound(tables, legs));
    const records = legs.map((leg) => ({ ...leg, hasSound: heard.has(leg) }));
    return heard.size > 0 && isDue(records, key);
  };
  return new Set([...toWholeCalls(tables)].filter(isListed).flatMap(([, legs]) => legs));
}

/** The records of each call. */
const toWholeCalls = (tables: Tables) =>
  Map.groupBy(tables.calls.all(), ({ marks, order }) => toKey(marks.callId, order));

const isOfReference =
  (references: ReadonlySet<string>) =>
  ({ record, sessionId, masterId }: StoredCall): boolean =>
    [record.ref_id, sessionId, masterId].some((one) => references.has(one ?? ""));

/** The chat of a call is erased with the last of its records; messages without a record by their own time, or by their call_id. */
function selectChats(
  tables: Tables,
  filter: ErasureFilter,
  { calls, timeZone, wanted }: Doomed & { readonly calls: readonly StoredCall[] },
) {
  const doomed = new Set(calls);
  const gone = new Set(calls.map(({ record }) => record.call_id));
  for (const call of tables.calls.all()) if (!doomed.has(call)) gone.delete(call.record.call_id);
  const beforeMs = "before" in filter ? toBeforeMs(filter.before, timeZone) : toDueMs(filter);
  return tables.chats.values().filter((chat) => {
    const { callId, instantMs } = chat;
    if (callId !== null && (gone.has(callId) || wanted?.callIds.has(callId) === true)) return true;
    return instantMs < beforeMs && isAlone(tables)(chat);
  });
}

/** Returns a function that is true for a message that belongs to no record. */
export const isAlone =
  (tables: Tables) =>
  ({ callId }: StoredChat): boolean =>
    callId === null || tables.calls.ofCallId(callId).length === 0;

const toDueMs = (filter: ErasureFilter) =>
  "due" in filter ? filter.due.messagesUntilMs : -Infinity;

function listUnknown(tables: Tables, callIds: readonly string[]): readonly string[] {
  const { calls, chats, tombstones, tombstoneKey } = tables;
  const isErased = (callId: string) =>
    listMarkNames({ callId }).some((name) =>
      tombstones.has(toHex(toTombstone(tombstoneKey, name))),
    );
  const talked = new Set(chats.values().map(toOwner));
  return [...new Set(callIds)].filter(
    (one) => calls.ofCallId(one).length === 0 && !talked.has(one) && !isErased(one),
  );
}

function findEarlier(tables: Tables, filter: ErasureFilter): ErasurePlan["taken"] {
  const names = listMarkNames(filter);
  if (names.length === 0) return undefined;
  const { access, tombstones, tombstoneKey } = tables;
  const marks = names.map((name) => tombstones.get(toHex(toTombstone(tombstoneKey, name))));
  const erasure = Math.max(0, ...marks.flatMap((mark) => mark?.erasure ?? []));
  const ofMark = access.find(({ seq }) => seq === erasure);
  const ofLog = () => access.findLast(({ entry }) => isErasureOf(filter, parseEntry(entry)));
  return parseErasure(ofMark?.entry) ?? parseErasure(ofLog()?.entry);
}
