// The extent of an erasure, before it begins.
import type { Ask } from "../connection.ts";
import { isNamedEarlier } from "../writing/versions.ts";
import { CALL_VALUES, type Doomed, IS_DOOMED_CHAT, isDoomedCall } from "./doomed.ts";
import { IS_EARLIER } from "./unnamed.ts";
import { toList } from "../values.ts";

interface Sum {
  readonly rows: number;
  readonly bytes: number;
}

const NONE: Sum = { rows: 0, bytes: 0 };

const SUMS = "count(*)::float8 AS rows, coalesce(sum(octet_length(record)), 0)::float8 AS bytes";

interface Content {
  readonly sha256: string;
  readonly bytes: number;
  readonly location: string | null;
  /** True if no recording names it even before the erasure. */
  readonly isUnnamed: boolean;
}

export const sum = (rows: readonly { readonly bytes: number }[]): number =>
  rows.reduce((total, { bytes }) => total + bytes, 0);

/** `own`: the contents in the media store that no other call has; `unlinked`: the paths of linked ones. */
export async function toExtent(ask: Ask, doomed: Doomed) {
  const isRange = "fromId" in doomed.calls;
  const [ids = null, from = null, until = null, kept = null] = doomed.values;
  const [calls = NONE] = await ask<Sum>(
    `SELECT ${SUMS} FROM call
     WHERE ${isRange ? "id >= $2::int8 AND id < $3::int8" : "id = ANY($2::int8[])"} AND id <> ALL($1::int8[])`,
    isRange ? [kept, from, until] : [kept, ids],
  );
  const [chats = NONE] = await ask<Sum>(
    `SELECT ${SUMS} FROM chat WHERE ${IS_DOOMED_CHAT} OR chat.id = ANY($9::int8[])`,
    [...doomed.values, toList(doomed.chats)],
  );
  const contents = await ask<Content>(
    `SELECT encode(sha256, 'hex') AS sha256, bytes::float8, location,
       NOT (EXISTS (SELECT FROM recording WHERE recording.sha256 = media.sha256) OR ${IS_EARLIER}) AS "isUnnamed"
     FROM media WHERE NOT EXISTS
       (SELECT FROM recording WHERE recording.sha256 = media.sha256 AND NOT ${isDoomedCall("call")})
       AND NOT ${isNamedEarlier(isDoomedCall)}`,
    doomed.values.slice(0, CALL_VALUES),
  );
  return {
    calls,
    chats,
    own: contents.filter(({ location }) => location === null),
    unlinked: contents.flatMap(({ location }) => location ?? []).toSorted(),
  };
}
