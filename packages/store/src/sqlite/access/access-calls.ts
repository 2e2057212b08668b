// The rows of the access log about one call, in SQLite.
import type { DatabaseSync } from "node:sqlite";
import type { AccessLog } from "../../port/access-log.ts";
import { BEFORE, type FollowingRow } from "../../values/access-chain.ts";
import {
  collectLists,
  type LogWindow,
  NEWEST,
  toRowsOfCall,
  WINDOW_ROWS,
} from "../../values/access-calls.ts";
import { prepareRows } from "../files/connection.ts";

/** SQL of the index. Text that is not JSON is in no row of it. */
export const NAMED = "entry ->> '$.callIds[0]'";
export const NAMED_ALONE =
  "CASE WHEN json_valid(entry) THEN json_array_length(entry, '$.callIds') END = 1";

// The time comes first in an entry.
const TIME = "CAST(substr(entry, length('{\"timeMs\":') + 1) AS REAL)";
const SINCE = `${TIME} >= :sinceMs`;

const WINDOW = "FROM access WHERE seq >= :firstSeq AND seq < :beforeSeq";

export function createAccessCalls(database: DatabaseSync): Pick<AccessLog, "ofCall" | "listsOf"> {
  const select = `SELECT seq, entry, hash, ${BEFORE}`;
  return {
    ofCall: async ({ callId, limit, beforeSeq = NEWEST }) => {
      const page = prepareRows<FollowingRow>(
        database,
        `${select} FROM access WHERE ${NAMED} = :callId AND ${NAMED_ALONE} AND seq < :beforeSeq ORDER BY seq DESC LIMIT :limit`,
      );
      return toRowsOfCall(page.all({ callId, beforeSeq, limit }), callId);
    },
    listsOf: async (query) => {
      const { sinceMs } = query;
      const first = prepareRows<{ ms: number }>(
        database,
        `SELECT ${TIME} AS ms FROM access WHERE seq >= ? ORDER BY seq LIMIT 1`,
      );
      const last = prepareRows<{ seq: number | null }>(
        database,
        "SELECT max(seq) AS seq FROM access WHERE seq < ?",
      );
      const since = prepareRows(database, `SELECT 1 ${WINDOW} AND ${SINCE} LIMIT 1`);
      const named = prepareRows<FollowingRow>(
        database,
        `${select} ${WINDOW} AND ${SINCE} AND instr(entry, :text) > 0 ORDER BY seq DESC`,
      );
      const text = JSON.stringify(query.callId);
      return collectLists(async (beforeSeq): Promise<LogWindow | undefined> => {
        const lastSeq = last.get(beforeSeq)?.seq ?? undefined;
        if (lastSeq === undefined) return undefined;
        const window = { firstSeq: Math.max(1, lastSeq - WINDOW_ROWS + 1), beforeSeq, sinceMs };
        return {
          firstSeq: window.firstSeq,
          firstMs: first.get(window.firstSeq)?.ms ?? Number.NaN,
          isSince: since.get(window) !== undefined,
          rows: named.all({ ...window, text }),
        };
      }, query);
    },
  };
}
