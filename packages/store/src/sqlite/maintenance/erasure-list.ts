// Lists what an erasure removes and what holds keep, on its connection. Lists it again if the holds change before everything is removed.
import type { DatabaseSync } from "node:sqlite";
import type { ErasureFilter, HeldBack } from "../../port/index.ts";
import { toBeforeMs } from "../../values/days.ts";
import { type Named, toNamed } from "../../values/erasure-entry.ts";
import { toHeldBack } from "../../values/holds.ts";
import { type Doomed, type DoomedRows, listDoomed } from "../erasure.ts";
import { listHeldCallIds, toHoldsMark } from "../holds.ts";
import { prepareRows } from "../files/connection.ts";
import { HAS_REFERENCE } from "../identifiers.ts";
import { toInsert } from "../schema/digested.ts";
import { hasTable } from "../schema/has-column.ts";
import { readTimeZone } from "../settings.ts";

interface Listed {
  readonly rows: DoomedRows;
  readonly held: HeldBack | undefined;
  /** See `ErasurePlan`. */
  readonly soundless: number;
  /** What the erasure names and holds keep. */
  readonly owed: Owed;
  /** The call_ids that are erased. */
  readonly callIds: readonly string[];
  /** The owed call_ids that do not exist. */
  readonly absent: readonly string[];
}

type Owed = Readonly<Record<keyof Named, Iterable<string>>>;

export interface ErasureList {
  readonly now: () => Listed;
  /** Stores what is owed; call it in a transaction before rows are removed. */
  readonly owe: () => void;
  /** Lists again and calls `owe` if the holds have changed, or if `isAnew`, because a rollback also undoes the list. */
  readonly judgeAgain: (isAnew: boolean) => void;
  /** Removes what was owed and is erased now. */
  readonly settle: () => void;
}

export function createErasureList(database: DatabaseSync, filter: ErasureFilter): ErasureList {
  const named = toNamed(filter, readOwed(database));
  const { isSound = false } = filter;
  const isOwing = named !== undefined && !isSound;
  const doomed = named === undefined ? toDoomed(database, filter) : { named };
  // What was erased before the holds changed is no longer listed.
  const gone = new Set<string>();
  const read = (): Listed => {
    const { held, soundless, ...rows } = listDoomed(database, doomed, { isSound });
    const kept = new Set(listHeldCallIds(held));
    const callIds = readListed(database);
    for (const callId of callIds) gone.add(callId);
    const isThere = new Set([...kept, ...callIds]);
    const wanted = named?.callIds ?? new Set<string>();
    return {
      rows,
      held: toHeldBack(held, isOwing),
      soundless: named === undefined ? 0 : soundless,
      // If a call is held, a purge by reference has named only some of its records.
      owed: {
        callIds: isOwing ? [...wanted].filter((one) => kept.has(one)) : [],
        references: isOwing && held.all().size > 0 ? (named?.references ?? []) : [],
      },
      callIds,
      absent: "isOwed" in filter ? [...wanted].filter((one) => !isThere.has(one)) : [],
    };
  };
  let mark = toHoldsMark(database);
  let listed = read();
  const owe = () => putOwed(database, listed.owed);
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
      if (named === undefined || isSound) return;
      const callIds = [...gone, ...listed.absent].filter((one) => named.callIds.has(one));
      forgetOwed(database, { callIds, references: readOwed(database).references });
    },
  };
}

/** The number of calls that are owed an erasure and not held; one without a call_id counts as one. */
export function countOwed(database: DatabaseSync): number {
  const { callIds, absent } = createErasureList(database, { isOwed: true }).now();
  const row = database
    .prepare("SELECT count(*) AS rows FROM call JOIN doomed_call USING (id) WHERE call_id IS NULL")
    .get();
  return callIds.length + absent.length + Number(row?.["rows"]);
}

export function readOwed(database: DatabaseSync): Named {
  const read = (column: string, table: "owed" | "owed_reference") =>
    hasTable(database, table)
      ? prepareRows<{ name: string }>(
          database,
          `SELECT ${column} AS name FROM ${table} ORDER BY name`,
        ).all()
      : [];
  return {
    callIds: new Set(read("call_id", "owed").map(({ name }) => name)),
    references: new Set(read("reference", "owed_reference").map(({ name }) => name)),
  };
}

export function putOwed(database: DatabaseSync, { callIds, references }: Owed): void {
  const call = database.prepare(toInsert("owed", "ON CONFLICT DO NOTHING"));
  for (const call_id of callIds) call.run({ call_id });
  const ofReference = database.prepare(toInsert("owed_reference", "ON CONFLICT DO NOTHING"));
  for (const reference of references) ofReference.run({ reference });
}

/** Removes those that no longer exist. */
function forgetOwed(database: DatabaseSync, { callIds, references }: Owed): void {
  const call = database.prepare(`DELETE FROM owed WHERE call_id = :name
    AND NOT EXISTS (SELECT 1 FROM call WHERE call_id = :name) AND NOT EXISTS (SELECT 1 FROM chat WHERE call_id = :name)`);
  for (const name of callIds) call.run({ name });
  const isThere = database.prepare(`SELECT 1 FROM call WHERE ${HAS_REFERENCE}`);
  const remove = database.prepare("DELETE FROM owed_reference WHERE reference = ?");
  for (const reference of references)
    if (isThere.get(reference) === undefined) remove.run(reference);
}

function readListed(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare(
      `SELECT call_id FROM call JOIN doomed_call USING (id) WHERE call_id IS NOT NULL
       UNION SELECT call_id FROM chat JOIN doomed_chat USING (id) WHERE call_id IS NOT NULL`,
    )
    .all();
  return rows.map(({ call_id }) => String(call_id));
}

function toDoomed(database: DatabaseSync, filter: ErasureFilter): Doomed {
  if ("isUndated" in filter || "due" in filter) return filter;
  const before = "before" in filter ? filter.before : "";
  return { beforeMs: toBeforeMs(before, readTimeZone(database)) };
}
