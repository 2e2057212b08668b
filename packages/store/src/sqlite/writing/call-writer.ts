// Writing calls: whether one is new, is there already, or takes the place of others.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../../call-store.ts";
import { parseDatetime } from "../../values/instant.ts";
import { toDigest, toEarlierIdentity, toIdentity } from "./call-digest.ts";
import { createIdSource } from "./call-ids.ts";
import { createCallRevisions } from "./call-revisions.ts";
import { type CallItem, type CallRow, createRecordForm } from "../call-row.ts";
import { createCallRowWriter, type NewRow } from "./call-row-writer.ts";
import { createKeptRecordings } from "./kept-recordings.ts";
import { createKnownCalls } from "./known-calls.ts";
import { toInstantMs, toLastId } from "../order-key.ts";
import { withFileNames } from "./recording-names.ts";
import { RowRejected } from "./row-rejected.ts";

/** The calls whose place one takes: earlier states of it, or `same`, which is it. */
interface Predecessors {
  readonly replaced: readonly CallRow[];
  readonly same?: CallRow;
}

export function createCallWriter(database: DatabaseSync, timeZone: string) {
  const known = createKnownCalls(database);
  const revisions = createCallRevisions(database);
  const ids = createIdSource(database);
  const kept = createKeptRecordings(database);
  const rows = createCallRowWriter(database);
  const form = createRecordForm(database);

  const toRow = (given: CallItem): NewRow => {
    const item = withFileNames(given);
    const stored = form.toStored(item.record);
    const digest = toDigest(item, stored);
    const { call_id: callId } = item.record;
    if (callId === null) return { item, stored, marks: { callId, identity: null, digest } };
    const [identity, earlierIdentity] = [toIdentity(item.record), toEarlierIdentity(item)];
    return { item, stored, marks: { callId, identity, earlierIdentity, digest } };
  };
  const findPredecessors = ({
    item: { revisedMs },
    marks,
  }: NewRow): Predecessors | "superseded" | "unchanged" => {
    const { callId } = marks;
    const isState = revisedMs !== undefined;
    const outdated = isState && callId !== null ? revisions.findOutdated(callId, revisedMs) : [];
    if (outdated === "superseded") return outdated;
    if (outdated.length > 0) return { replaced: outdated };
    const same = known.find(marks, isState);
    if (same === undefined) return { replaced: [] };
    return same === "unchanged" ? same : { replaced: [same], same };
  };
  const find = (given: CallItem) => {
    const row = toRow(given.keepsRecordings === true ? kept.ofSame(given) : given);
    const found = findPredecessors(row);
    if (typeof found === "string") return { row, found };
    const comesAgain = found.replaced.length > 0 || kept.hasGone(given);
    const named = comesAgain ? kept.ofNames(row.item) : undefined;
    if (named === undefined) return { row, found };
    const whole = toRow(named);
    return { row: whole, found: findPredecessors(whole) };
  };
  const add = (id: bigint, row: NewRow): boolean => {
    const isAdded = rows.add(id, row);
    if (isAdded) known.see(id);
    return isAdded;
  };
  const put = (row: NewRow, { replaced, same }: Predecessors, instantMs: number | undefined) => {
    // Most instants have one call: asking first which ids are taken would cost a third of its time again.
    const isFirst = instantMs !== undefined && replaced.length === 0;
    if (isFirst && add(toLastId(instantMs), row)) return;
    const isKept = same !== undefined && toInstantMs(same.id) === instantMs;
    const id = isKept ? same.id : ids.next(instantMs);
    if (row.item.revisedMs !== undefined) kept.remember(row.item, replaced);
    for (const gone of replaced) rows.remove(gone.id);
    add(id, row);
  };
  const keepRevision = ({ record: { call_id }, revisedMs }: CallItem) => {
    if (call_id !== null && revisedMs !== undefined) revisions.keep(call_id, revisedMs);
  };

  return {
    /** True when the archive changed. Throws `RowRejected`. */
    write: (given: CallItem): boolean => {
      const instantMs = readInstantMs(given.record, timeZone);
      const { row, found } = find(given);
      if (found === "superseded") return false;
      if (found === "unchanged") rows.keepRecordings(row.item);
      else put(row, found, instantMs);
      keepRevision(row.item);
      return found !== "unchanged";
    },
    changes: rows.changes,
  };
}

function readInstantMs({ datetime }: MetadataRecord, timeZone: string): number | undefined {
  if (datetime === null) return undefined;
  const parsed = parseDatetime(datetime, timeZone);
  if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
  return parsed.instantMs;
}
