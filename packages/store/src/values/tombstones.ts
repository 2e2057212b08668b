// Tombstones: what a purge leaves of each record, so that a later import of the same does not bring it back (D33). A keyed
// hash, of which nothing can be read.
import { createHmac } from "node:crypto";
import { fieldsOf } from "@call-media/api";
import type { ArchiveItem, CallItem, MetadataRecord } from "../port/index.ts";
import { toEarlierIdentity, toIdentity } from "./call-digest.ts";
import { parseDatetime } from "./instant.ts";
import { toTextDigest } from "./row-digest.ts";

const TOMBSTONE_BYTES = 16;

/** The keys that identify a record. */
export type TombstoneName = readonly (string | number | null)[];

/** `key`: secret, of one archive. */
export function toTombstone(key: string, name: TombstoneName): Uint8Array {
  const mark = createHmac("sha256", key).update(JSON.stringify(name)).digest();
  return mark.subarray(0, TOMBSTONE_BYTES);
}

const DAY_MS = 86_400_000;

const toDay = (instantMs: number | undefined) =>
  instantMs === undefined ? null : Math.floor(instantMs / DAY_MS);

/** `identity`: see call-digest.ts. */
export function nameCall(
  callId: string,
  identity: Uint8Array,
  instantMs: number | undefined,
): TombstoneName {
  return ["call", callId, Buffer.from(identity).toString("hex"), toDay(instantMs)];
}

const FIELDS = fieldsOf("MetadataRecord");

/** A call without a call_id is the same when its record is, but for the files that it names. */
export function nameAnonymous(
  record: MetadataRecord,
  instantMs: number | undefined,
): TombstoneName {
  const told = { ...record, recordings: null, media: null };
  const values = FIELDS.map((field) => told[field] ?? null);
  return ["anonymous", JSON.stringify(values), toDay(instantMs)];
}

/** All states of a call whose source dates them. */
export const nameStates = (callId: string): TombstoneName => ["states", callId];

/** `digest`: of the whole message. */
export const nameMessage = (digest: Uint8Array): TombstoneName => [
  "chat",
  Buffer.from(digest).toString("hex"),
];

/** Makes a function that gives the names of an item, of which one is enough. */
export function createItemNamer(timeZone: string): (item: ArchiveItem) => TombstoneName[] {
  const nameCallItem = (item: CallItem): TombstoneName[] => {
    const { record, revisedMs } = item;
    const { call_id: callId, datetime } = record;
    // A datetime that is none is rejected where it is written.
    const parsed = datetime === null ? undefined : parseDatetime(datetime, timeZone);
    const instantMs = typeof parsed === "object" ? parsed.instantMs : undefined;
    if (callId === null) return [nameAnonymous(record, instantMs)];
    const identities = [toIdentity(item), toEarlierIdentity(item)];
    const names = identities.map((one) => one && nameCall(callId, one, instantMs));
    const states = revisedMs === undefined ? undefined : nameStates(callId);
    return [...names, states].filter((name) => name !== undefined);
  };
  return (item) => {
    if (item.kind === "call") return nameCallItem(item);
    return item.kind === "chat" ? [nameMessage(toTextDigest(JSON.stringify(item.record)))] : [];
  };
}

/** The items of a row that were not erased. The messages of a call go with it. */
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
