// Whether a call that is written is one that the archive has.
import type { DatabaseSync } from "node:sqlite";
import { CALL_COLUMNS, type CallRow } from "../call-row.ts";
import type { Marks } from "./call-digest.ts";
import { prepareBig } from "../files/connection.ts";

interface Known {
  readonly id: bigint;
  readonly equal: bigint;
}

// A call is the same as one already there when call_id, ref_id, datetime and agent are: the legs of a transfer share a
// call_id but not all four. Rows that share all four and differ elsewhere within one run are kept apart (`seen`), unless
// they are states of a call that their source dates.
// Without a call_id only a wholly equal record is the same.
export function createKnownCalls(database: DatabaseSync) {
  const anonymous = prepareBig<Known>(
    database,
    "SELECT id, 1 AS equal FROM call WHERE call_id IS NULL AND digest = ?",
  );
  // Numbered parameters (?1) would need Node.js 22.20 or 24.7.
  const nearest = prepareBig<Known>(
    database,
    `SELECT id, digest = ? AS equal FROM call WHERE call_id = ? AND identity = ?
     ORDER BY equal DESC LIMIT 1`,
  );
  const unseen = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ? AND identity = ?
       AND id NOT IN (SELECT id FROM seen_call)
     ORDER BY id DESC LIMIT 1`,
  );
  const any = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ? AND identity = ? ORDER BY id DESC LIMIT 1`,
  );
  const see = database.prepare("INSERT OR IGNORE INTO seen_call (id) VALUES (?)");

  const findEarlier = ({ callId, earlierIdentity }: Marks): CallRow | undefined => {
    if (earlierIdentity === undefined) return undefined;
    return unseen.get(callId, earlierIdentity);
  };

  return {
    see: (id: bigint) => void see.run(id),
    /** "unchanged", or the call to replace, if there is one. */
    find: (marks: Marks, isState: boolean): CallRow | "unchanged" | undefined => {
      const { callId, identity, digest } = marks;
      const found = callId === null ? anonymous.get(digest) : nearest.get(digest, callId, identity);
      if (found === undefined) return findEarlier(marks);
      if (found.equal === 1n) {
        see.run(found.id);
        return "unchanged";
      }
      return (isState ? any : unseen).get(callId, identity);
    },
  };
}
