// The calls whose place one takes that is written: earlier states of it, or the call that it is.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem } from "../../port/index.ts";
import type { CallRow } from "../call-row.ts";
import type { Marks } from "../../values/call-digest.ts";
import { createCallRevisions } from "./call-revisions.ts";
import { createKnownCalls } from "./known-calls.ts";

export interface Predecessors {
  readonly replaced: readonly CallRow[];
  /** The one of them that is the same call. */
  readonly same?: CallRow;
}

/** "superseded": the archive has a later state of the call; "unchanged": it has the call as it is. */
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
