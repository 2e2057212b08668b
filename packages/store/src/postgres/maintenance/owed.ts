// What purges have named while it was held, with their cases. An archive that took it from its ledger knows marks alone until the calls are
// there.
import { readWhole } from "../../values/damaged-records.ts";
import {
  createOwedMarker,
  filterOwed,
  findOwed as findAllOwed,
  isNothing,
  joinOwed,
  mapOwed,
  NOTHING_OWED,
  type OwedCases,
  type OwedMarker,
  parseOwedMarks,
  type StoredOwed,
  toAllMarks,
  toChanges,
  toMarked,
  toOwedText,
  withoutOwed,
} from "../../values/owed-marks.ts";
import { type RecordForm, toLinked } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { toName } from "../names.ts";
import { findSetting, putSetting, removeSetting } from "../settings.ts";
import { toList } from "../values.ts";
import { EVERY_ID, readRange } from "./id-ranges.ts";
import { readMessages } from "./marked.ts";

const TABLES = {
  callIds: ["owed", "call_id"],
  references: ["owed_reference", "reference"],
} as const;

/** What is owed by its name. */
async function readOwed(ask: Ask): Promise<OwedCases> {
  const read = async (kind: keyof OwedCases) => {
    const [table, column] = TABLES[kind];
    const rows = await ask<{ text: string; reason: string | null }>(
      `SELECT ${column} AS text, reason FROM ${table}`,
    );
    const toReason = (reason: string | null): string | null =>
      reason === null ? null : JSON.parse(reason);
    return new Map(
      rows.map(({ text, reason }): [string, string | null] => [JSON.parse(text), toReason(reason)]),
    );
  };
  const [callIds, references] = [await read("callIds"), await read("references")];
  return mapOwed(NOTHING_OWED, (_none, kind) => (kind === "callIds" ? callIds : references));
}

const OWED_MARKS = "owed_marks";

async function readStored(ask: Ask): Promise<StoredOwed> {
  const marks = parseOwedMarks(await findSetting(ask, OWED_MARKS));
  return { byName: await readOwed(ask), marks };
}

async function putMarks(ask: Ask, marks: OwedCases): Promise<void> {
  const text = toOwedText(marks);
  await (text === undefined ? removeSetting(ask, OWED_MARKS) : putSetting(ask, OWED_MARKS, text));
}

interface Owing {
  readonly ask: Ask;
  readonly form: RecordForm;
  readonly tombstoneKey: string;
}

/** See `findOwed` of values/owed-marks.ts. Reads every record if something is owed by its mark. */
export async function findOwed({ ask, form, tombstoneKey }: Owing) {
  const stored = await readStored(ask);
  const names = isNothing(stored.marks) ? undefined : await readNames(ask, form);
  return findAllOwed(stored, names, createOwedMarker(tombstoneKey));
}

async function readNames(ask: Ask, form: RecordForm) {
  const names = { callIds: new Set<string>(), references: new Set<string>() };
  for await (const rows of readRange(ask, EVERY_ID))
    for (const row of rows) {
      const { call_id: callId, ref_id: refId } = form.readNames(row) ?? {};
      const { sessionId, masterId } = readWhole(() => toLinked(row.linked)) ?? {};
      if (typeof callId === "string") names.callIds.add(callId);
      for (const one of [refId, sessionId, masterId])
        if (typeof one === "string") names.references.add(one);
    }
  for await (const { message } of readMessages(ask))
    if (typeof message?.call_id === "string") names.callIds.add(message.call_id);
  return names;
}

type Marking = Pick<Owing, "ask" | "tombstoneKey">;

/** The marks of those that the archive does not know as owed yet. */
export async function listNewMarks(
  { ask, tombstoneKey }: Marking,
  owed: OwedCases,
): Promise<OwedCases> {
  if (isNothing(owed)) return owed;
  const known = await listMarks({ ask, tombstoneKey });
  return withoutOwed(toMarked(owed, createOwedMarker(tombstoneKey)), known);
}

/** The marks of all that is owed. */
export const listMarks = async ({ ask, tombstoneKey }: Marking): Promise<OwedCases> =>
  toAllMarks(await readStored(ask), createOwedMarker(tombstoneKey));

/** Stores what is owed after `change`, which gets marks and returns marks. */
export async function changeOwed(
  { ask, tombstoneKey }: Marking,
  change: (marks: OwedCases) => OwedCases,
): Promise<void> {
  const toMark = createOwedMarker(tombstoneKey);
  const stored = await readStored(ask);
  const { gone, marks } = toChanges(stored, change(toAllMarks(stored, toMark)), toMark);
  for (const kind of ["callIds", "references"] as const)
    await ask(`DELETE FROM ${TABLES[kind][0]} WHERE name = ANY($1::uuid[])`, [
      toList(Array.from(gone[kind].keys(), toName)),
    ]);
  await putMarks(ask, marks);
}

export async function saveOwed(ask: Ask, owed: OwedCases): Promise<void> {
  for (const kind of ["callIds", "references"] as const) {
    const [table, column] = TABLES[kind];
    const names = [...owed[kind].keys()];
    if (names.length === 0) continue;
    const reasons = [...owed[kind].values()];
    await ask(
      `INSERT INTO ${table} (name, ${column}, reason) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
      [
        toList(names.map(toName)),
        toList(names.map((one) => JSON.stringify(one))),
        toList(reasons.map((one) => (one === null ? undefined : JSON.stringify(one)))),
      ],
    );
  }
}

interface Gone {
  /** What may no longer be there, in addition to what the archive stores by its name. */
  readonly debt: OwedCases;
  /** Marks. */
  readonly unknown: OwedCases;
}

const IS_GONE = (name: string) =>
  `NOT EXISTS (SELECT FROM call_name WHERE kind = 'r' AND call_name.name = ${name})`;

/**
 * Removes the calls that are not there any more and stay out for ever, the references that no record has, and these marks; returns the marks
 * of the references.
 */
export async function forgetOwed(
  { ask, tombstoneKey }: Marking,
  { debt, unknown }: Gone,
): Promise<readonly string[]> {
  const toMark = createOwedMarker(tombstoneKey);
  const stored = await readStored(ask);
  const callIds = await listPaid(ask, joinOwed(stored.byName, debt).callIds.keys(), toMark);
  await ask("DELETE FROM owed WHERE name = ANY($1::uuid[])", [toList(callIds.map(toName))]);
  const settled = await ask<{ reference: string }>(
    `DELETE FROM owed_reference WHERE ${IS_GONE("owed_reference.name")} RETURNING reference`,
  );
  const asked = [...debt.references.keys()];
  const lost = await ask<{ at: number }>(
    `SELECT at::float8 FROM unnest($1::uuid[]) WITH ORDINALITY AS one (name, at) WHERE ${IS_GONE("one.name")}`,
    [toList(asked.map(toName))],
  );
  const named = [
    ...settled.map(({ reference }): string => JSON.parse(reference)),
    ...lost.flatMap(({ at }) => asked[at - 1] ?? []),
  ];
  const gone = {
    callIds: new Set(callIds.map(toMark.callIds)),
    references: new Set(named.map(toMark.references)),
  };
  const { marks } = stored;
  if (!isNothing(marks))
    await putMarks(
      ask,
      filterOwed(marks, (mark, kind) => !unknown[kind].has(mark) && !gone[kind].has(mark)),
    );
  return [...gone.references, ...unknown.references.keys()];
}

/** Those of these calls that are not there, and stay out for ever. */
async function listPaid(
  ask: Ask,
  names: Iterable<string>,
  toMark: OwedMarker,
): Promise<readonly string[]> {
  const callIds = [...names];
  if (callIds.length === 0) return [];
  const rows = await ask<{ at: number }>(
    `SELECT at::float8 FROM unnest($1::uuid[], $2::bytea[]) WITH ORDINALITY AS one (name, mark, at)
     WHERE NOT EXISTS (SELECT FROM call_name WHERE call_name.name = one.name AND kind = 'c')
       AND NOT EXISTS (SELECT FROM chat WHERE call_name = one.name)
       AND EXISTS (SELECT FROM tombstone WHERE tombstone.mark = one.mark AND until_day IS NULL)`,
    [toList(callIds.map(toName)), toList(callIds.map((one) => `\\x${toMark.callIds(one)}`))],
  );
  return rows.flatMap(({ at }) => callIds[at - 1] ?? []);
}
