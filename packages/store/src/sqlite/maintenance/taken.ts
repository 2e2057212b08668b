// Finds the erasure that removed what an identifier named: by the mark that it left, otherwise by its row in the access log.
import type { DatabaseSync } from "node:sqlite";
import type { ErasureEntry, ErasureFilter } from "../../port/index.ts";
import { listMarkNames, parseErasure, toAsked } from "../../values/erasure-entry.ts";
import { createTombstones } from "../tombstones.ts";

/** Returns the newest; undefined for a filter by age. See `ErasurePlan.taken`. */
export function findTaken(
  archive: DatabaseSync,
  access: DatabaseSync,
  filter: ErasureFilter,
): ErasureEntry | undefined {
  const names = listMarkNames(filter);
  if (names.length === 0) return undefined;
  const seqs = names.flatMap((name) => createTombstones(archive).findErasure(name) ?? []);
  const ofMark = access.prepare("SELECT entry FROM access WHERE seq = ?").get(Math.max(0, ...seqs));
  return (
    parseErasure(ofMark?.["entry"]) ??
    parseErasure(access.prepare(EARLIER).get(JSON.stringify(toAsked(filter)))?.["entry"])
  );
}

/** The newest erasures of those of these call_ids that have a mark; undefined if the log no longer has it. */
export function findErased(
  archive: DatabaseSync,
  access: DatabaseSync,
  callIds: readonly string[],
): ReadonlyMap<string, ErasureEntry | undefined> {
  const { find, toStored } = createTombstones(archive);
  const select = access.prepare("SELECT entry FROM access WHERE seq = ?");
  const found = callIds.flatMap((callId) => {
    const marks = listMarkNames({ callId }).flatMap(
      (name) => find(toStored({ name, untilDay: null })[0]) ?? [],
    );
    if (marks.length === 0) return [];
    const seq = Math.max(...marks.map(({ erasure }) => erasure ?? 0));
    return [[callId, parseErasure(select.get(seq)?.["entry"])] as const];
  });
  return new Map(found);
}

/** See `ErasurePlan.unknown`. */
export function listUnknown(
  archive: DatabaseSync,
  filter: ErasureFilter,
): readonly string[] | undefined {
  if (!("callIds" in filter)) return undefined;
  const isThere = archive.prepare(
    "SELECT 1 FROM call WHERE call_id = :name UNION ALL SELECT 1 FROM chat WHERE call_id = :name LIMIT 1",
  );
  const { toStored, find } = createTombstones(archive);
  const isErased = (callId: string) =>
    listMarkNames({ callId }).some(
      (name) => find(toStored({ name, untilDay: null })[0]) !== undefined,
    );
  return [...new Set(filter.callIds)].filter(
    (name) => isThere.get({ name }) === undefined && !isErased(name),
  );
}

const EARLIER = `
  SELECT entry FROM access WHERE CASE WHEN json_valid(entry) THEN
    entry ->> '$.operation' = 'purge' AND entry -> '$.asked' = ?
    AND coalesce(entry ->> '$.found.calls' + entry ->> '$.found.chats',
      entry ->> '$.erased.calls' + entry ->> '$.erased.chats') > 0 END
  ORDER BY seq DESC LIMIT 1`;
