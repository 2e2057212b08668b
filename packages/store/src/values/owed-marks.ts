// What is owed an erasure, with the case of the erasure that named it. An archive that has it from its ledger alone knows marks, since the
// ledger has no identifiers; a setting has those.
import { ArchiveError } from "../port/faults.ts";
import type { InternalRow } from "../port/internals.ts";
import type { LedgerEntry } from "./ledger.ts";

/** By their names, or by their marks in hexadecimal: the case; null without one. */
export interface OwedCases {
  readonly callIds: ReadonlyMap<string, string | null>;
  readonly references: ReadonlyMap<string, string | null>;
}

export const NOTHING_OWED: OwedCases = { callIds: new Map(), references: new Map() };

export const isNothing = ({ callIds, references }: OwedCases): boolean =>
  callIds.size + references.size === 0;

type Kind = keyof OwedCases;

/** Both kinds in the same way. */
export const mapOwed = (
  given: OwedCases,
  change: (
    of: ReadonlyMap<string, string | null>,
    kind: Kind,
  ) => ReadonlyMap<string, string | null>,
): OwedCases => ({
  callIds: change(given.callIds, "callIds"),
  references: change(given.references, "references"),
});

export const filterOwed = (
  given: OwedCases,
  isWanted: (name: string, kind: Kind) => boolean,
): OwedCases =>
  mapOwed(given, (of, kind) => new Map([...of].filter(([name]) => isWanted(name, kind))));

/** The cases, and the one that was given with the command, as one text. */
export function toCase(
  given: string | undefined,
  ...owed: readonly OwedCases[]
): string | undefined {
  const all = owed.flatMap(({ callIds, references }) => [
    ...callIds.values(),
    ...references.values(),
  ]);
  const cases = new Set([given, ...all].filter((one) => typeof one === "string"));
  return cases.size === 0 ? undefined : [...cases].join(", ");
}

/** What a row of an archive that is moved says is owed. */
export function toOwedRow(row: InternalRow): OwedCases {
  const { kind } = row;
  if (kind === "owed")
    return { ...NOTHING_OWED, callIds: new Map([[row.callId, row.reason ?? null]]) };
  if (kind === "owed_reference")
    return { ...NOTHING_OWED, references: new Map([[row.reference, row.reason ?? null]]) };
  return NOTHING_OWED;
}

/** What is owed after applying the entries of the ledger in order. A call that was erased for ever is owed no more. */
export function replayOwed(entries: readonly LedgerEntry[], before: OwedCases): OwedCases {
  const [callIds, references] = [new Map(before.callIds), new Map(before.references)];
  for (const { kind, why, marks, references: told = [] } of entries) {
    const ofCase = typeof why["case"] === "string" ? why["case"] : null;
    for (const [mark, untilDay] of marks)
      if (kind === "owed") callIds.set(mark, callIds.get(mark) ?? ofCase);
      else if (kind === "erased" && untilDay === null) callIds.delete(mark);
    for (const mark of told)
      if (kind === "owed") references.set(mark, references.get(mark) ?? ofCase);
      else references.delete(mark);
  }
  return { callIds, references };
}

export function parseOwedMarks(text: string | undefined): OwedCases {
  if (text === undefined) return NOTHING_OWED;
  const { callIds, references }: Record<Kind, [string, string | null][]> = JSON.parse(text);
  return { callIds: new Map(callIds), references: new Map(references) };
}

/** Undefined if nothing is owed by a mark alone. */
export const toOwedText = (owed: OwedCases): string | undefined =>
  isNothing(owed)
    ? undefined
    : JSON.stringify({ callIds: [...owed.callIds], references: [...owed.references] });

/** For an adapter that keeps names alone. Throws `ArchiveError`. */
export function refuseMarks(text: string): never {
  const { callIds, references } = parseOwedMarks(text);
  throw new ArchiveError(
    `what is owed an erasure is known by marks alone (${callIds.size + references.size}), because no record here has these identifiers, and an archive in PostgreSQL keeps no marks: import their records, or release the holds and run "purge --owed"; then migrate again`,
  );
}
