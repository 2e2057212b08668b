// What an erasure takes and what holds keep of it, listed on its connection: anew if the holds change before all of it has gone.
import type { DatabaseSync } from "node:sqlite";
import type { ErasureFilter, HeldBack } from "../../port/index.ts";
import { toBeforeMs } from "../../values/days.ts";
import { isOfIdentifier, listNamed } from "../../values/erasure-entry.ts";
import { toHeldBack } from "../../values/holds.ts";
import { type Doomed, type DoomedRows, listDoomed } from "../erasure.ts";
import { listHeldCallIds, toHoldsMark } from "../holds.ts";
import { toInsert } from "../schema/digested.ts";
import { readTimeZone } from "../settings.ts";

interface Listed {
  readonly rows: DoomedRows;
  readonly held: HeldBack | undefined;
  /** The call_ids that the erasure names and that stay. */
  readonly owed: readonly string[];
  /** Those that are owed, and of which nothing is there. */
  readonly absent: readonly string[];
}

export interface ErasureList {
  readonly now: () => Listed;
  /** Remembers what stays; to be called in a transaction before rows go. */
  readonly owe: () => void;
  /** Lists anew and calls `owe`, if the holds are not what they were, or if `isAnew`: what was listed is kept with its transaction. */
  readonly judgeAgain: (isAnew: boolean) => void;
  /** Forgets what was owed and has gone. */
  readonly settle: () => void;
}

export function createErasureList(database: DatabaseSync, filter: ErasureFilter): ErasureList {
  const wanted = listNamed(filter, () => readOwed(database));
  const isOwed = isOfIdentifier(filter);
  // What went before the holds changed is listed no more.
  const gone = new Set<string>();
  const read = (): Listed => {
    const { held, ...rows } = listDoomed(database, toDoomed(database, filter, wanted));
    const kept = listHeldCallIds(held);
    const named = readListed(database);
    for (const callId of named) gone.add(callId);
    for (const callId of kept) gone.delete(callId);
    const isThere = new Set([...kept, ...named]);
    return {
      rows,
      held: toHeldBack(held, isOwed),
      owed: isOwed ? kept : [],
      absent: "isOwed" in filter ? [...wanted].filter((one) => !isThere.has(one)) : [],
    };
  };
  const put = database.prepare(toInsert("owed", "ON CONFLICT DO NOTHING"));
  const remove = database.prepare("DELETE FROM owed WHERE call_id = ?");
  let mark = toHoldsMark(database);
  let listed = read();
  const owe = () => {
    for (const call_id of listed.owed) put.run({ call_id });
  };
  return {
    now: () => listed,
    owe,
    judgeAgain: (isAnew) => {
      const found = toHoldsMark(database);
      if (found === mark && !isAnew) return;
      mark = found;
      listed = read();
      owe();
    },
    settle: () => {
      if (isOwed) for (const callId of [...gone, ...listed.absent]) remove.run(callId);
    },
  };
}

export const readOwed = (database: DatabaseSync): readonly string[] =>
  database
    .prepare("SELECT call_id FROM owed")
    .all()
    .map(({ call_id }) => String(call_id));

function readListed(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare(
      `SELECT call_id FROM call JOIN doomed_call USING (id) WHERE call_id IS NOT NULL
       UNION SELECT call_id FROM chat JOIN doomed_chat USING (id) WHERE call_id IS NOT NULL`,
    )
    .all();
  return rows.map(({ call_id }) => String(call_id));
}

function toDoomed(
  database: DatabaseSync,
  filter: ErasureFilter,
  callIds: ReadonlySet<string>,
): Doomed {
  if ("reference" in filter || "isUndated" in filter || "due" in filter) return filter;
  if (!("before" in filter)) return { callIds };
  return { beforeMs: toBeforeMs(filter.before, readTimeZone(database)) };
}
