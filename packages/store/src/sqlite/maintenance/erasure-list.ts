// Lists what an erasure removes and what holds keep, on its connection. Lists it again if the holds change before everything is removed.
import type { DatabaseSync } from "node:sqlite";
import type { ErasureFilter, HeldBack } from "../../port/index.ts";
import { toBeforeMs } from "../../values/days.ts";
import { type Named, toNamed } from "../../values/erasure-entry.ts";
import { toHeldBack } from "../../values/holds.ts";
import { filterOwed, NOTHING_OWED, type OwedCases, toOwed } from "../../values/owed-marks.ts";
import { type Doomed, type DoomedRows, listDoomed } from "../erasure.ts";
import { HAS_REFERENCE } from "../identifiers.ts";
import { listHeldCallIds, listPinned, readHolds, toHoldsMark } from "../holds.ts";
import { readTimeZone } from "../settings.ts";
import { findOwed, forgetOwed, listNewMarks, listSettled, putOwed, readOwed } from "./owed.ts";

interface Listed {
  readonly rows: DoomedRows;
  readonly held: HeldBack | undefined;
  /** See `ErasurePlan`. */
  readonly soundless: number;
  /** What the erasure names and holds keep. */
  readonly owed: OwedCases;
  /** The cases of what was owed and is erased. */
  readonly cases: OwedCases;
  /** The call_ids that are erased. */
  readonly callIds: readonly string[];
  /** The owed call_ids that do not exist and that no hold waits for. */
  readonly absent: readonly string[];
  /** What is owed by a mark alone, and can no longer be held: no hold is left. */
  readonly unknown: OwedCases;
}

export interface ErasureList {
  readonly now: () => Listed;
  /** Stores what is owed; call it in a transaction before rows are removed. */
  readonly owe: () => void;
  /** The marks of what is owed and was not before. The ledger has to have them before `owe` is called. */
  readonly listNewMarks: () => OwedCases;
  /** Lists again and returns true if the holds have changed, or if `isAnew`, because a rollback also undoes the list. */
  readonly judgeAgain: (isAnew: boolean) => boolean;
  /** The owed references of which no record is left. */
  readonly listSettled: () => readonly string[];
  /** Removes what was owed and is erased now. */
  readonly settle: () => void;
  /** What is owed and may be erased now, whatever the filter. */
  readonly debt: OwedCases;
}

/** `ofCase`: of the erasure. */
export function createErasureList(
  database: DatabaseSync,
  filter: ErasureFilter,
  ofCase: string | null = null,
): ErasureList {
  const isOwed = "isOwed" in filter;
  const { isSound = false } = filter;
  const known = isSound ? NOTHING_FOUND : findOwed(database);
  const named = toNamed(filter, toNames(known.here));
  const isOwing = named !== undefined && !isSound;
  const doomed = named === undefined ? toDoomed(database, filter) : { named };
  const read = (): Listed => {
    const { held, soundless, ...rows } = listDoomed(database, doomed, { isSound });
    const kept = new Set(listHeldCallIds(held));
    const callIds = readListed(database);
    const isListed = new Set(callIds);
    const isThere = new Set([...kept, ...callIds]);
    const wanted = named?.callIds ?? new Set<string>();
    const isAwaited = listPinned(database);
    const isHeld = (callId: string) => kept.has(callId);
    const isAnyHeld = held.all().size > 0;
    const owing = isOwing ? named : undefined;
    const isFree = isOwed && readHolds(database).length === 0;
    return {
      rows,
      held: toHeldBack(held, isOwing),
      soundless: named === undefined ? 0 : soundless,
      owed: toOwed(owing, { isHeld, isAnyHeld, known: known.here, ofCase }),
      cases: filterOwed(known.here, (name, kind) => {
        if (isOwed) return !kept.has(name);
        return kind === "callIds" ? isListed.has(name) : isListedReference(database, name);
      }),
      callIds,
      absent: isOwed ? [...wanted].filter((one) => !isThere.has(one) && !isAwaited.has(one)) : [],
      unknown: isFree ? known.unknown : NOTHING_OWED,
    };
  };
  let mark = toHoldsMark(database);
  let listed = read();
  const listOwed = (kind: keyof OwedCases) =>
    isSound ? [] : new Set([...readOwed(database)[kind].keys(), ...known.here[kind].keys()]);
  return {
    now: () => listed,
    owe: () => putOwed(database, listed.owed),
    listNewMarks: () => listNewMarks(database, listed.owed),
    judgeAgain: (isAnew) => {
      const found = toHoldsMark(database);
      if (found === mark && !isAnew) return false;
      mark = found;
      listed = read();
      return true;
    },
    listSettled: () => listSettled(database, listOwed("references")),
    settle: () => {
      if (isSound) return;
      const [callIds, references] = [listOwed("callIds"), listOwed("references")];
      forgetOwed(database, { callIds, references, unknown: listed.unknown });
    },
    debt: known.here,
  };
}

const NOTHING_FOUND = { here: NOTHING_OWED, unknown: NOTHING_OWED };

const isListedReference = (database: DatabaseSync, reference: string): boolean =>
  database
    .prepare(`SELECT 1 FROM call JOIN doomed_call USING (id) WHERE ${HAS_REFERENCE}`)
    .get(reference) !== undefined;

const toNames = ({ callIds, references }: OwedCases): Named => ({
  callIds: new Set(callIds.keys()),
  references: new Set(references.keys()),
});

/** The number of calls that are owed an erasure and not held; one without a call_id counts as one. */
export function countOwed(database: DatabaseSync): number {
  const { callIds, absent, unknown } = createErasureList(database, { isOwed: true }).now();
  const row = database
    .prepare("SELECT count(*) AS rows FROM call JOIN doomed_call USING (id) WHERE call_id IS NULL")
    .get();
  return callIds.length + absent.length + unknown.callIds.size + Number(row?.["rows"]);
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
