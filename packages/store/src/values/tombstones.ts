// Tombstones: what a purge leaves of each call, so that a later import does not bring it back (D33). They are keyed hashes and reveal
// nothing.
import { createHmac } from "node:crypto";
import { fieldsOf } from "@call-media/api";
import type { ArchiveItem, CallItem, MetadataRecord } from "../port/index.ts";
import { createIdentifier } from "./identity.ts";
import { parseDatetime } from "./instant.ts";
import { toNameDigest, toRowDigest, toTextDigest } from "./row-digest.ts";

const TOMBSTONE_BYTES = 16;

export type TombstoneName = readonly (string | number | null)[];

/** What an erasure leaves of a call or message. */
export interface Mark {
  readonly name: TombstoneName;
  /** Applies to records up to this day, counted from 1970; null: to all. */
  readonly untilDay: number | null;
}

/** A mark by which an item may have been erased, and the day of the item. */
export interface Sought {
  readonly name: TombstoneName;
  readonly day: number;
  /** True if only the recordings were erased under this name. */
  readonly isSound?: true;
}

/** `key`: secret, of one archive. */
export function toTombstone(key: string, name: TombstoneName): Uint8Array {
  const mark = createHmac("sha256", key).update(JSON.stringify(name)).digest();
  return mark.subarray(0, TOMBSTONE_BYTES);
}

/** True if the mark applies to the day. `untilDay`: of the archive's mark; undefined if it has none. */
export const isOf = (untilDay: number | null | undefined, day: number): boolean =>
  untilDay !== undefined && (untilDay === null || day <= untilDay);

/** The later of two; null is later than every day. */
export const toLater = (one: number | null | undefined, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one ?? other, other);

const DAY_MS = 86_400_000;
// A record without a datetime counts as before every day.
const BEFORE_ALL = -1_000_000;

const toDay = (instantMs: number | undefined) =>
  instantMs === undefined ? BEFORE_ALL : Math.floor(instantMs / DAY_MS);

export const nameCall = (callId: string): TombstoneName => ["call_id", callId];

/** The name of an identifier, by which a purge finds what it erased; an import does not look for it. `digest`: see `toNameDigest`. */
const nameDigest = (digest: string): TombstoneName => ["reference", digest];

export const nameReference = (reference: string): TombstoneName =>
  nameDigest(toNameDigest(reference));

const nameLeg = (callId: string, identity: Uint8Array): TombstoneName => [
  "leg",
  callId,
  Buffer.from(identity).toString("hex"),
];

/** The recordings of a call, as `nameCall` and `nameAnonymous` name the call. */
export const nameSound = (callId: string): TombstoneName => ["sound", callId];

const nameAnonymousSound = (
  record: Partial<MetadataRecord>,
  instantMs: number | undefined,
): TombstoneName => ["sound", ...nameAnonymous(record, instantMs)];

/** `digest`: of the whole message. */
const nameMessage = (digest: Uint8Array): TombstoneName => [
  "chat",
  Buffer.from(digest).toString("hex"),
];

const FIELDS = fieldsOf("MetadataRecord");

/**
 * Two calls without a call_id are the same if their records are, apart from the files that they name, the form of the datetime, and blanks.
 * A field with only blanks counts as empty.
 */
function nameAnonymous(
  record: Partial<MetadataRecord>,
  instantMs: number | undefined,
): TombstoneName {
  const told = { ...record, recordings: null, media: null, datetime: null };
  const values = FIELDS.map((field) => toPlain(told[field] ?? null));
  return ["anonymous", toHex(values), instantMs ?? null];
}

const toPlain = (value: unknown) =>
  typeof value === "string" ? value.trim().replaceAll(/\s+/g, " ") || null : value;

const toHex = (values: readonly unknown[]) => Buffer.from(toRowDigest(values)).toString("hex");

export interface ErasedCall extends Pick<CallItem, "identity"> {
  /** The whole record if it has no call_id. */
  readonly record: Pick<MetadataRecord, "call_id" | "ref_id"> & Partial<MetadataRecord>;
  readonly instantMs: number | undefined;
  readonly sessionId?: string | null | undefined;
  readonly masterId?: string | null | undefined;
}

export interface Erased {
  /** True if no record of the call stays. */
  readonly isLast: boolean;
  /** True if it must stay out whatever its day: it was named, or its source dates its states. */
  readonly isForEver: boolean;
}

interface Names {
  readonly has: (name: string) => boolean;
}

/** The call_ids and references that an earlier purge has named: what of them is erased now stays out as if this one named it. */
export interface Debt {
  readonly callIds: Names;
  readonly references: Names;
}

/** Makes functions that return the marks of what is erased. `timeZone`: of the archive. */
export function createBurial(timeZone: string, debt: Debt) {
  const identify = createIdentifier(timeZone);
  return {
    ofCall: (call: ErasedCall, { isLast, isForEver }: Erased): Mark[] => {
      const { record, instantMs, sessionId, masterId } = call;
      const references = [record.ref_id, sessionId, masterId].filter(
        (name) => typeof name === "string",
      );
      const found = references.map((name) => ({ name: nameReference(name), untilDay: null }));
      const identity = identify(call, instantMs);
      if (identity === undefined)
        return [{ name: nameAnonymous(record, instantMs), untilDay: null }, ...found];
      const { callId, current } = identity;
      if (!isLast) return [{ name: nameLeg(callId, current), untilDay: null }, ...found];
      // One day more, because a record of the same call may begin past midnight.
      const untilDay = isForEver || debt.callIds.has(callId) ? null : toDay(instantMs) + 1;
      const isOwed = references.some((name) => debt.references.has(name));
      const leg = isOwed ? [{ name: nameLeg(callId, current), untilDay: null }] : [];
      return [{ name: nameCall(callId), untilDay }, ...leg, ...found];
    },
    /** Of recordings that are erased without their call. One mark is for all recordings of a call_id. */
    ofSound: ({ record, instantMs }: ErasedCall, isForEver: boolean): Mark[] => {
      const { call_id: callId } = record;
      if (callId === null) return [{ name: nameAnonymousSound(record, instantMs), untilDay: null }];
      return [{ name: nameSound(callId), untilDay: isForEver ? null : toDay(instantMs) + 1 }];
    },
    /** Includes the call_id, since the call may have only messages: see `toNameDigest`. */
    ofMessage: (digest: Uint8Array, callDigest: string | undefined): Mark[] => {
      const names = [
        nameMessage(digest),
        ...(callDigest === undefined ? [] : [nameDigest(callDigest)]),
      ];
      return names.map((name) => ({ name, untilDay: null }));
    },
  };
}

/** Makes a function that returns the names of an item; it was erased if a mark for any of them exists. */
export function createItemNamer(timeZone: string): (item: ArchiveItem) => Sought[] {
  const identify = createIdentifier(timeZone);
  // An invalid datetime is rejected when it is written.
  const toInstantMs = (datetime: string | null) => {
    const parsed = datetime === null ? "" : parseDatetime(datetime, timeZone);
    return typeof parsed === "object" ? parsed.instantMs : undefined;
  };
  const listNames = (item: CallItem, instantMs: number | undefined): TombstoneName[] => {
    const identity = identify(item, instantMs);
    const earlier = listEarlierNames(item, identity?.written, instantMs);
    if (identity === undefined) return [nameAnonymous(item.record, instantMs), ...earlier];
    const { callId, current } = identity;
    return [nameCall(callId), nameLeg(callId, current), ...earlier];
  };
  return (item) => {
    if (item.kind !== "call" && item.kind !== "chat") return [];
    const instantMs = toInstantMs(item.record.datetime);
    const { call_id: callId } = item.record;
    if (item.kind === "chat")
      return listMessageNames(toTextDigest(JSON.stringify(item.record)), { callId, instantMs });
    const day = toDay(instantMs);
    const names = listNames(item, instantMs).map((name) => ({ name, day }));
    return [...names, toSoundSought(item.record, instantMs)];
  };
}

/**
 * Makes a function that returns the names under which a stored call may have been erased. `createItemNamer` includes those of earlier
 * versions too.
 */
export function createStoredNamer(timeZone: string): (call: ErasedCall) => Sought[] {
  const identify = createIdentifier(timeZone);
  return (call) => {
    const { record, instantMs } = call;
    const identity = identify(call, instantMs);
    const day = toDay(instantMs);
    const sound = toSoundSought(record, instantMs);
    if (identity === undefined) return [{ name: nameAnonymous(record, instantMs), day }, sound];
    const { callId, current } = identity;
    const names = [nameCall(callId), nameLeg(callId, current)].map((name) => ({ name, day }));
    return [...names, sound];
  };
}

function toSoundSought(
  record: Pick<MetadataRecord, "call_id"> & Partial<MetadataRecord>,
  instantMs: number | undefined,
): Sought {
  const { call_id: callId } = record;
  const name = callId === null ? nameAnonymousSound(record, instantMs) : nameSound(callId);
  return { name, day: toDay(instantMs), isSound: true };
}

/** The names of a stored message. `digest`: of the whole message. */
export function listMessageNames(
  digest: Uint8Array,
  { callId, instantMs }: { readonly callId: string | null; readonly instantMs: number | undefined },
): Sought[] {
  const names = [nameMessage(digest), ...(callId === null ? [] : [nameCall(callId)])];
  return names.map((name) => ({ name, day: toDay(instantMs) }));
}

/** The names that earlier versions used: of a record as it is written, and of all states of a call. */
function listEarlierNames(
  { record, revisedMs }: CallItem,
  written: Uint8Array | undefined,
  instantMs: number | undefined,
): TombstoneName[] {
  const { call_id: callId } = record;
  const day = instantMs === undefined ? null : toDay(instantMs);
  if (callId === null || written === undefined) {
    const told = { ...record, recordings: null, media: null };
    const values = FIELDS.map((field) => told[field] ?? null);
    const ofMoment = toHex(
      FIELDS.map((field) => (field === "datetime" ? null : (told[field] ?? null))),
    );
    return [
      ["anonymous", JSON.stringify(values), day],
      ["anonymous", ofMoment, instantMs ?? null],
    ];
  }
  const ofRecord = ["call", callId, Buffer.from(written).toString("hex"), day];
  return revisedMs === undefined ? [ofRecord] : [ofRecord, ["states", callId]];
}

/** The items of a row that were not erased. The messages of a call are left out with it. */
export function leaveOutErased(
  row: readonly ArchiveItem[],
  isErased: (item: ArchiveItem) => boolean,
): readonly ArchiveItem[] {
  const left = row.filter((item) => !isErased(item));
  if (left.length === row.length) return row;
  const callIds = new Set(row.filter((item) => item.kind === "call").map(toCallId));
  for (const item of left) if (item.kind === "call") callIds.delete(toCallId(item));
  return left.filter((item) => item.kind !== "chat" || !callIds.has(toCallId(item)));
}

const toCallId = ({ record }: Extract<ArchiveItem, { kind: "call" | "chat" }>) => record.call_id;
