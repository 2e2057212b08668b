// Reads the calls of some days, or of all time, in batches.
import type { Instants } from "../../values/days.ts";
import { FIRST_DATED_ID, toFirstId } from "../../values/order-key.ts";
import type { CallRow } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import type { IdRange } from "../months.ts";

export const EVERY_ID: IdRange = { fromId: -(2n ** 63n), untilId: 2n ** 63n - 1n };

/** Calls without a datetime are in no range of days. */
export function toIdRange({ fromMs, untilMs }: Instants): IdRange {
  if (fromMs === undefined && untilMs === undefined) return EVERY_ID;
  return {
    fromId: fromMs === undefined ? FIRST_DATED_ID : toFirstId(fromMs),
    untilId: untilMs === undefined ? EVERY_ID.untilId : toFirstId(untilMs),
  };
}

export const BATCH_ROWS = 500;

/** The calls of the range, newest first. A call may be gone by the time its batch is read. */
export async function* readRange(
  ask: Ask,
  { fromId, untilId }: IdRange,
): AsyncGenerator<readonly CallRow[]> {
  for (let before = untilId; ;) {
    const rows = await ask<CallRow>(
      `SELECT id, identity, digest, linked, record FROM call
       WHERE id >= $1::int8 AND id < $2::int8 ORDER BY id DESC LIMIT ${BATCH_ROWS}`,
      [fromId, before],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    before = BigInt(last.id);
  }
}
