// The calls that a new one replaces: its earlier states, or the same call.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem } from "../../port/index.ts";
import { CALL_COLUMNS, type CallRow } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import type { Marks } from "../../values/call-digest.ts";

export interface Predecessors {
  readonly replaced: readonly CallRow[];
  /** The one of them that is the same call. */
  readonly same?: CallRow;
}

/** "superseded": the archive has a later state of the call; "unchanged": it has the same state. */
export type Found = Predecessors | "superseded" | "unchanged";

export function createPredecessors(database: DatabaseSync) {
  const known = createKnownCalls(database);
  const revisions = createCallRevisions(database);
  return {
    find: ({ revisedMs }: CallItem, marks: Marks): Found => {
      const { callId } = marks;
      const outdated =
        revisedMs === undefined || callId === null ? [] : revisions.findOutdated(callId, revisedMs);
      if (outdated === "superseded") return outdated;
      if (outdated.length > 0) return { replaced: outdated };
      const same = known(marks);
      if (same === undefined) return { replaced: [] };
      return same === "unchanged" ? same : { replaced: [same], same };
    },
    /** After the records of a state. */
    keepRevision: ({ record: { call_id }, revisedMs }: CallItem): void => {
      if (call_id !== null && revisedMs !== undefined) revisions.keep(call_id, revisedMs);
    },
  };
}

interface Known extends CallRow {
  readonly equal: bigint;
}

// A call is the same as the one already there that has its call_id and its identity (D32). Without a call_id only a wholly
// equal record is the same.
function createKnownCalls(database: DatabaseSync) {
  const anonymous = database.prepare("SELECT 1 FROM call WHERE call_id IS NULL AND digest = ?");
  const same = prepareBig<Known>(
    database,
    `SELECT ${CALL_COLUMNS}, digest = ? AS equal FROM call WHERE call_id = ? AND identity = ?`,
  );

  /** "unchanged", or the call to replace, if there is one. */
  return ({
    callId,
    identity,
    earlierIdentity,
    digest,
  }: Marks): CallRow | "unchanged" | undefined => {
    if (callId === null) return anonymous.get(digest) === undefined ? undefined : "unchanged";
    const found = same.get(digest, callId, identity);
    if (found !== undefined) return found.equal === 1n ? "unchanged" : found;
    return earlierIdentity === undefined ? undefined : same.get(digest, callId, earlierIdentity);
  };
}

// Sources that date their changes deliver several states of a call, not always the latest last.
function createCallRevisions(database: DatabaseSync) {
  const latest = database.prepare("SELECT revised_ms FROM call_revision WHERE call_id = ?");
  const records = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ? ORDER BY id DESC`,
  );
  const put = database.prepare(
    `INSERT INTO call_revision (call_id, revised_ms) VALUES (?, ?)
     ON CONFLICT (call_id) DO UPDATE SET revised_ms = excluded.revised_ms
     WHERE revised_ms <> excluded.revised_ms`,
  );

  return {
    /** The records that a state of that moment takes the place of; "superseded" when the archive has a later one. */
    findOutdated: (callId: string, revisedMs: number): readonly CallRow[] | "superseded" => {
      const known = latest.get(callId)?.["revised_ms"];
      if (known === undefined || Number(known) === revisedMs) return [];
      if (Number(known) > revisedMs) return "superseded";
      return records.all(callId);
    },
    /** After the records of that state; those it replaced have taken the moment of theirs along. */
    keep: (callId: string, revisedMs: number) => void put.run(callId, revisedMs),
  };
}
