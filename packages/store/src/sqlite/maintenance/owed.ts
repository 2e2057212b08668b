// What erasures have named while holds kept it. An archive that took it from its ledger knows marks alone until the calls are there.
import type { DatabaseSync } from "node:sqlite";
import { toOwnMarks } from "../../values/erasure-entry.ts";
import {
  createOwedMarker,
  filterOwed,
  findOwed as findAllOwed,
  isNothing,
  mapOwed,
  NOTHING_OWED,
  type OwedCases,
  parseOwedMarks,
  toAllMarks,
  toChanges,
  toMarked,
  toOwedText,
  withoutOwed,
} from "../../values/owed-marks.ts";
import { prepareRows } from "../files/connection.ts";
import { HAS_REFERENCE } from "../identifiers.ts";
import { toInsert } from "../schema/digested.ts";
import { hasColumn } from "../schema/has-column.ts";
import { findSetting, putSetting, readSetting, removeSetting } from "../settings.ts";
import { createTombstones } from "../tombstones.ts";

const COLUMNS = {
  callIds: ["owed", "call_id"],
  references: ["owed_reference", "reference"],
} as const;

interface OwedRow {
  readonly name: string;
  readonly reason: string | null;
}

/** What is owed by its name. */
export const readOwed = (database: DatabaseSync): OwedCases =>
  mapOwed(NOTHING_OWED, (_none, kind) => {
    const [table, column] = COLUMNS[kind];
    if (!hasColumn(database, table, column)) return new Map();
    // A backup of an earlier version has no reasons.
    const reason = hasColumn(database, table, "reason") ? "reason" : "NULL AS reason";
    const rows = prepareRows<OwedRow>(
      database,
      `SELECT ${column} AS name, ${reason} FROM ${table} ORDER BY name`,
    );
    return new Map(rows.all().map((row) => [row.name, row.reason]));
  });

const OWED_MARKS = "owed_marks";

const readMarks = (database: DatabaseSync): OwedCases =>
  parseOwedMarks(findSetting(database, OWED_MARKS));

function putMarks(database: DatabaseSync, marks: OwedCases): void {
  const text = toOwedText(marks);
  if (text === undefined) removeSetting(database, OWED_MARKS);
  else putSetting(database, OWED_MARKS, text);
}

const createMarker = (database: DatabaseSync) =>
  createOwedMarker(readSetting(database, "tombstone_key"));

const NAMES = {
  callIds: `SELECT call_id AS name FROM call WHERE call_id IS NOT NULL
    UNION SELECT call_id FROM chat WHERE call_id IS NOT NULL`,
  references: `SELECT ref_id AS name FROM call WHERE ref_id IS NOT NULL
    UNION SELECT session_id FROM call WHERE session_id IS NOT NULL
    UNION SELECT master_id FROM call WHERE master_id IS NOT NULL`,
} as const;

/**
 * All that is owed. `here`: by its name; `unknown`: the marks of which the archive has no call and no record. Reads every identifier if
 * something is owed by its mark.
 */
export function findOwed(database: DatabaseSync): Record<"here" | "unknown", OwedCases> {
  const marks = readMarks(database);
  const list = (kind: keyof OwedCases) =>
    prepareRows<{ readonly name: string }>(database, NAMES[kind])
      .all()
      .map(({ name }) => name);
  const names = isNothing(marks)
    ? undefined
    : { callIds: list("callIds"), references: list("references") };
  return findAllOwed({ byName: readOwed(database), marks }, names, createMarker(database));
}

/** The marks of those that the archive does not know as owed yet. */
export const listNewMarks = (database: DatabaseSync, owed: OwedCases): OwedCases =>
  withoutOwed(toMarked(owed, createMarker(database)), listMarks(database));

/** The marks of all that is owed. */
export const listMarks = (database: DatabaseSync): OwedCases =>
  toAllMarks({ byName: readOwed(database), marks: readMarks(database) }, createMarker(database));

export function putOwed(database: DatabaseSync, owed: OwedCases): void {
  for (const kind of ["callIds", "references"] as const) {
    const [table, column] = COLUMNS[kind];
    const insert = database.prepare(toInsert(table, "ON CONFLICT DO NOTHING"));
    for (const [name, reason] of owed[kind]) insert.run({ [column]: name, reason });
  }
}

/** Those of these references that no record has. */
export function listSettled(database: DatabaseSync, references: Iterable<string>): string[] {
  const isThere = database.prepare(`SELECT 1 FROM call WHERE ${HAS_REFERENCE}`);
  return [...references].filter((reference) => isThere.get(reference) === undefined);
}

interface Gone {
  readonly callIds: Iterable<string>;
  readonly references: Iterable<string>;
  /** Marks. */
  readonly unknown: OwedCases;
}

/** Removes those that no longer exist and stay out for ever, and these marks. */
export function forgetOwed(database: DatabaseSync, { callIds, references, unknown }: Gone): void {
  const isThere = database.prepare(
    "SELECT 1 FROM call WHERE call_id = :name UNION ALL SELECT 1 FROM chat WHERE call_id = :name LIMIT 1",
  );
  const { find, toStored } = createTombstones(database);
  const isOut = (callId: string) =>
    toOwnMarks([callId]).some((mark) => find(toStored(mark)[0])?.untilDay === null);
  const gone = {
    callIds: [...callIds].filter((name) => isThere.get({ name }) === undefined && isOut(name)),
    references: listSettled(database, references),
  };
  const toMark = createMarker(database);
  const marks = mapOwed(NOTHING_OWED, (_none, kind) => {
    remove(database, kind, gone[kind]);
    return new Map(gone[kind].map((name) => [toMark[kind](name), null]));
  });
  putMarks(
    database,
    filterOwed(
      readMarks(database),
      (mark, kind) => !unknown[kind].has(mark) && !marks[kind].has(mark),
    ),
  );
}

function remove(database: DatabaseSync, kind: keyof OwedCases, names: readonly string[]): void {
  const [table, column] = COLUMNS[kind];
  const statement = database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`);
  for (const name of names) statement.run(name);
}

/** Stores what is owed after `change`, which gets marks and returns marks. Call it in a transaction. */
export function changeOwed(database: DatabaseSync, change: (marks: OwedCases) => OwedCases): void {
  const byName = readOwed(database);
  const { gone, marks } = toChanges(
    { byName },
    change(listMarks(database)),
    createMarker(database),
  );
  for (const kind of ["callIds", "references"] as const)
    remove(database, kind, [...gone[kind].keys()]);
  putMarks(database, marks);
}
