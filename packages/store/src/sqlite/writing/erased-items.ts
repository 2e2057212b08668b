// What a purge has erased stays out of the archive when it is imported again (D33).
import type { DatabaseSync } from "node:sqlite";
import type { ArchiveItem } from "../../call-store.ts";
import { parseDatetime } from "../../values/instant.ts";
import { type CallItem, createRecordForm } from "../call-row.ts";
import { toTextDigest } from "../row-digest.ts";
import {
  createTombstones,
  type Name,
  nameAnonymous,
  nameCall,
  nameMessage,
  nameStates,
} from "../tombstones.ts";
import { toEarlierIdentity, toIdentity } from "./call-digest.ts";

/** Nothing is purged while a session is open: an archive without tombstones has none until it ends. */
export function createErasedItems(database: DatabaseSync, timeZone: string) {
  const tombstones = createTombstones(database);
  const hasNone = tombstones.isEmpty();
  const toNames = createNamer(database, timeZone);
  const isErased = (item: ArchiveItem) => toNames(item).some(tombstones.has);
  return {
    /** The items of a row that were not erased. The messages of a call go with it. */
    leaveOut: (row: readonly ArchiveItem[]): readonly ArchiveItem[] => {
      if (hasNone) return row;
      const left = row.filter((item) => !isErased(item));
      if (left.length === row.length) return row;
      const callIds = new Set(row.filter((item) => item.kind === "call").map(toCallId));
      for (const item of left) if (item.kind === "call") callIds.delete(toCallId(item));
      return left.filter((item) => item.kind !== "chat" || !callIds.has(toCallId(item)));
    },
    /** From now on the items of a row may come and go as any other. */
    forget: (row: readonly ArchiveItem[]): void => {
      if (!hasNone) for (const name of row.flatMap(toNames)) tombstones.remove(name);
    },
  };
}

const toCallId = ({ record }: Extract<ArchiveItem, { kind: "call" | "chat" }>) => record.call_id;

/** Makes a function that gives the names of which one is enough. */
function createNamer(database: DatabaseSync, timeZone: string): (item: ArchiveItem) => Name[] {
  const { toStored } = createRecordForm(database);
  const nameCallItem = (item: CallItem): Name[] => {
    const { record, revisedMs } = item;
    const { call_id: callId, datetime } = record;
    // A datetime that is none is rejected where it is written.
    const parsed = datetime === null ? undefined : parseDatetime(datetime, timeZone);
    const instantMs = typeof parsed === "object" ? parsed.instantMs : undefined;
    if (callId === null) return [nameAnonymous(record, instantMs, toStored)];
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
