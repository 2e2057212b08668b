// The rows of the access log about one call, in PostgreSQL.
import type { AccessLog } from "../port/access-log.ts";
import { BEFORE, type FollowingRow } from "../values/access-chain.ts";
import {
  collectLists,
  type LogWindow,
  NEWEST,
  toRowsOfCall,
  WINDOW_ROWS,
} from "../values/access-calls.ts";
import type { Pool } from "./connection.ts";

// The schema's index has these expressions. The name is as JSON writes it: PostgreSQL has no text with U+0000.
const NAMED_ALONE = String.raw`substring(entry FROM '"callIds":\["((?:[^"\\]|\\.)*)"\]')`;
const toKey = (text: string) => `left(${text}, 100) COLLATE "C"`;

const TIME = String.raw`substring(entry FROM '"timeMs":(\d+)')::float8`;

/** The time comes first in a row. A caller's text cannot imitate it: its quotes are escaped with a backslash. */
export const toSince = (sinceMs: string): string => `${TIME} >= ${sinceMs}::float8`;

const SELECT = `SELECT seq::float8 AS seq, entry, hash, ${BEFORE} FROM access`;

export function createAccessCalls({ ask }: Pool): Pick<AccessLog, "ofCall" | "listsOf"> {
  return {
    ofCall: async ({ callId, limit, beforeSeq = NEWEST }) => {
      const rows = await ask<FollowingRow>(
        `${SELECT} WHERE ${toKey(NAMED_ALONE)} = ${toKey("$1::text")} AND ${NAMED_ALONE} = $1::text AND seq < $2::int8
         ORDER BY access.seq DESC LIMIT $3::int8`,
        [JSON.stringify(callId).slice(1, -1), beforeSeq, limit],
      );
      return toRowsOfCall(rows, callId);
    },
    listsOf: async (query) => {
      const { sinceMs } = query;
      const text = JSON.stringify(query.callId);
      return collectLists(async (beforeSeq): Promise<LogWindow | undefined> => {
        const [last] = await ask<{ seq: number | null }>(
          "SELECT max(seq)::float8 AS seq FROM access WHERE seq < $1::int8",
          [beforeSeq],
        );
        if (last === undefined || last.seq === null) return undefined;
        const firstSeq = Math.max(1, last.seq - WINDOW_ROWS + 1);
        const window = `WHERE access.seq >= $1::int8 AND access.seq < $2::int8 AND ${toSince("$3")}`;
        const given = [firstSeq, beforeSeq, sinceMs];
        const since = await ask(`SELECT 1 FROM access ${window} LIMIT 1`, given);
        const [first] = await ask<{ ms: number | null }>(
          `SELECT ${TIME} AS ms FROM access WHERE seq >= $1::int8 ORDER BY seq LIMIT 1`,
          [firstSeq],
        );
        const rows = await ask<FollowingRow>(
          `${SELECT} ${window} AND strpos(entry, $4::text) > 0 ORDER BY access.seq DESC`,
          [...given, text],
        );
        return { firstSeq, firstMs: first?.ms ?? Number.NaN, isSince: since.length > 0, rows };
      }, query);
    },
  };
}
