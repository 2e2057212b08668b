// The calls that a new one replaces: its earlier states, or the same call.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem } from "../../port/index.ts";
import { CALL_COLUMNS, type CallRow } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import type { Identity } from "../../values/identity.ts";
import { createFindSame, type SameCall } from "./same-call.ts";

export interface Predecessors {
  readonly replaced: readonly CallRow[];
  /** The one of them that is the same call. */
  readonly same?: SameCall;
}

/** "superseded": the archive has a later state of the call; "unchanged": it has the same state. */
export type Found = Predecessors | "superseded" | "unchanged";

export function createPredecessors(database: DatabaseSync) {
  const findSame = createFindSame(database);
  const anonymous = database.prepare("SELECT 1 FROM call WHERE call_id IS NULL AND digest = ?");
  const revisions = createCallRevisions(database);
  return {
    /** Without a call_id only a record with the same digest is the same. Throws `RowRejected`. */
    find: ({ revisedMs }: CallItem, digest: Uint8Array, wanted: Identity | undefined): Found => {
      if (wanted === undefined)
        return anonymous.get(digest) === undefined ? { replaced: [] } : "unchanged";
      const outdated =
        revisedMs === undefined ? [] : revisions.findOutdated(wanted.callId, revisedMs);
      if (outdated === "superseded") return outdated;
      if (outdated.length > 0) return { replaced: outdated };
      const same = findSame(wanted, digest);
      if (same === undefined) return { replaced: [] };
      return same.equal === 1n ? "unchanged" : { replaced: [same], same };
    },
    /** After the records of a state. */
    keepRevision: ({ record: { call_id }, revisedMs }: CallItem): void => {
      if (call_id !== null && revisedMs !== undefined) revisions.keep(call_id, revisedMs);
    },
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
