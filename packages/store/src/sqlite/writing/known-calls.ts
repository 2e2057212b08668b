// Whether a call that is written is one that the archive has.
import type { DatabaseSync } from "node:sqlite";
import { CALL_COLUMNS, type CallRow } from "../call-row.ts";
import type { Marks } from "../../values/call-digest.ts";
import { prepareBig } from "../files/connection.ts";

interface Known extends CallRow {
  readonly equal: bigint;
}

// A call is the same as the one already there that has its call_id and its identity (D32). Without a call_id only a wholly
// equal record is the same.
export function createKnownCalls(database: DatabaseSync) {
  const anonymous = database.prepare("SELECT 1 FROM call WHERE call_id IS NULL AND digest = ?");
  // Numbered parameters (?1) would need Node.js 22.20 or 24.7.
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
