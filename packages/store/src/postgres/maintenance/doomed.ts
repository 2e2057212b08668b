// What an erasure takes: conditions on the ids of calls, on chats and on contents, which hold until the rows are gone.
import type { ErasureFilter } from "../../port/index.ts";
import { toBeforeMs } from "../../values/days.ts";
import { FIRST_DATED_ID, toFirstId } from "../../values/order-key.ts";
import { type CallRow, readCalls, readItems, type RecordForm } from "../call-rows.ts";
import { readWhole } from "../../values/damaged-records.ts";
import type { Ask } from "../connection.ts";
import { toList, type Value } from "../values.ts";
import type { IdRange } from "../months.ts";
import { toName } from "../names.ts";
import { EVERY_ID, readRange } from "./id-ranges.ts";

export interface Doomed {
  readonly calls: IdRange | readonly bigint[];
  /** Of `IS_DOOMED_CHAT`: ids, range of ids, names of calls, instant. What is null takes nothing. */
  readonly values: readonly Value[];
  /** The identifiers of calls that a reference finds. */
  readonly callIds: readonly string[];
}

/** SQL: whether the call with the id in this column goes; with the first three values. */
export const isDoomedCall = (id: string) =>
  `(coalesce(${id} = ANY($1::int8[]), false) OR coalesce(${id} >= $2::int8 AND ${id} < $3::int8, false))`;

const OF_CALL = "call_name.kind = 'c' AND call_name.name = chat.call_name";
const LEFT = `EXISTS (SELECT FROM call_name WHERE ${OF_CALL} AND NOT ${isDoomedCall("call_name.id")})`;
const TAKEN = `EXISTS (SELECT FROM call_name WHERE ${OF_CALL} AND ${isDoomedCall("call_name.id")})`;

/** SQL: whether a row of `chat` goes. The chat of a call goes with the last of its records, one of no call by its own time. */
export const IS_DOOMED_CHAT = `(
  (chat.call_name = ANY($4::uuid[]) OR ($4::uuid[] IS NULL AND ${TAKEN})) AND NOT ${LEFT}
  OR chat.instant_ms < $5::float8 AND NOT EXISTS (SELECT FROM call_name WHERE ${OF_CALL}))`;

interface Archive {
  readonly ask: Ask;
  readonly timeZone: string;
  readonly form: RecordForm;
}

/** Throws `ArchiveError` for a day that is none. */
export async function findDoomed(archive: Archive, filter: ErasureFilter): Promise<Doomed> {
  const { ask, timeZone, form } = archive;
  if ("before" in filter) {
    const beforeMs = toBeforeMs(filter.before, timeZone);
    return ofRange({ fromId: FIRST_DATED_ID, untilId: toFirstId(beforeMs) }, beforeMs);
  }
  if ("isUndated" in filter)
    return ofRange({ fromId: EVERY_ID.fromId, untilId: FIRST_DATED_ID }, null);
  const [kind, name] =
    "callId" in filter ? ["c", toName(filter.callId)] : ["r", toName(filter.reference)];
  const found = await ask<{ id: string }>(
    `SELECT id FROM call_name WHERE name = $1::uuid AND kind = $2::text::"char"`,
    [name, kind],
  );
  const ids = found.map(({ id }) => BigInt(id));
  const calls = await readItems(ask, await readCalls(ask, ids), form);
  // One that is damaged goes as well: what else belonged to its call is found by the call_id.
  const records = calls.map(({ toItem }) => readWhole(() => toItem().record));
  const callIds = [...new Set(records.flatMap((record) => record?.call_id ?? []))];
  const names = "callId" in filter ? [name] : callIds.map(toName);
  return { calls: ids, callIds, values: [toList(ids), null, null, toList(names), null] };
}

const ofRange = (range: IdRange, beforeMs: number | null): Doomed => ({
  calls: range,
  callIds: [],
  values: [null, range.fromId, range.untilId, null, beforeMs],
});

/** The calls that go, in batches. */
export async function* readDoomedCalls(
  ask: Ask,
  calls: Doomed["calls"],
): AsyncGenerator<readonly CallRow[]> {
  if ("fromId" in calls) yield* readRange(ask, calls);
  else yield await readCalls(ask, calls);
}
