// The record of the archive that a call is the same as: see values/identity.ts.
import type { DatabaseSync } from "node:sqlite";
import { type Identity, takeOnly } from "../../values/identity.ts";
import { FIRST_DATED_ID, toFirstId, toLastId } from "../../values/order-key.ts";
import { ROW_DIGEST_BYTES } from "../../values/row-digest.ts";
import { CALL_COLUMNS, type CallRow } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import { EVERY_ID } from "../scan.ts";

export interface SameCall extends CallRow {
  readonly identity: Uint8Array;
  readonly session_id: string | null;
  /** 1 if nothing has changed. */
  readonly equal: bigint;
}

/** `digest`: of the call, if it is known. Throws `RowRejected`. */
export type FindSame = (wanted: Identity, digest?: Uint8Array) => SameCall | undefined;

const UNDECLARED = `length(identity) = ${ROW_DIGEST_BYTES}`;

export function createFindSame(database: DatabaseSync): FindSame {
  const prepare = (where: string) =>
    prepareBig<SameCall>(
      database,
      `SELECT ${CALL_COLUMNS}, identity, session_id, digest IS :digest AS equal
       FROM call WHERE call_id = :callId AND ${where}`,
    );
  const exact = prepare("identity IN (:written, :current) ORDER BY identity = :written DESC");
  const ofMoment = prepare(`${UNDECLARED} AND id >= :first AND id <= :last`);
  const ofContent = prepare(`${UNDECLARED} AND digest = :digest`);
  return ({ callId, written, current, isDeclared, instantMs }, digest = NONE) => {
    const asked = { callId, digest };
    const found = exact.get({ ...asked, written, current });
    if (found !== undefined) return found;
    if (isDeclared) return ofContent.get(asked);
    const undated = { first: EVERY_ID.first, last: FIRST_DATED_ID - 1n };
    const dated = (ms: number) => ({ first: toFirstId(ms), last: toLastId(ms) });
    const ids = instantMs === undefined ? undated : dated(instantMs);
    return takeOnly(ofMoment.all({ ...asked, ...ids }), callId);
  };
}

const NONE = new Uint8Array();
