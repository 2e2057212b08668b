// What is owed an erasure, with the case of the erasure that named it. An archive that has it from its ledger alone knows marks, since the
// ledger has no identifiers; a setting has those.
import type { InternalRow } from "../port/internals.ts";
import type { Named } from "./erasure-entry.ts";
import type { LedgerEntry } from "./ledger.ts";
import { nameCall, nameReference, toTombstone, type TombstoneName } from "./tombstones.ts";

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

interface Kept {
  readonly isHeld: (callId: string) => boolean;
  readonly isAnyHeld: boolean;
  /** What is owed already, which keeps its case. */
  readonly known: OwedCases;
  /** Of the erasure. */
  readonly ofCase: string | null;
}

/** What an erasure names and holds keep. `named`: undefined for an erasure that leaves nothing owed. */
export function toOwed(
  named: Named | undefined,
  { isHeld, isAnyHeld, known, ofCase }: Kept,
): OwedCases {
  const toCases = (kind: Kind, names: Iterable<string>) =>
    new Map(Array.from(names, (name) => [name, known[kind].get(name) ?? ofCase]));
  return {
    callIds: toCases("callIds", [...(named?.callIds ?? [])].filter(isHeld)),
    // If a call is held, a purge by reference has named only some of its records.
    references: toCases("references", isAnyHeld ? (named?.references ?? []) : []),
  };
}

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

/** Returns the marks by which something is owed. */
export type OwedMarker = Readonly<Record<Kind, (name: string) => string>>;

/** `key`: see `toTombstone`. */
export function createOwedMarker(key: string): OwedMarker {
  const toMark = (name: TombstoneName) => Buffer.from(toTombstone(key, name)).toString("hex");
  return {
    callIds: (callId) => toMark(nameCall(callId)),
    references: (reference) => toMark(nameReference(reference)),
  };
}

/** With marks in place of the names. */
export const toMarked = (named: OwedCases, toMark: OwedMarker): OwedCases =>
  mapOwed(
    named,
    (of, kind) => new Map(Array.from(of, ([name, ofCase]) => [toMark[kind](name), ofCase])),
  );

/** Those of both; for one in both, the case in `second`. */
export const joinOwed = (first: OwedCases, second: OwedCases): OwedCases =>
  mapOwed(first, (of, kind) => new Map([...of, ...second[kind]]));

export const withoutOwed = (owed: OwedCases, known: OwedCases): OwedCases =>
  filterOwed(owed, (mark, kind) => !known[kind].has(mark));

/** What an archive stores of what it owes: names, and the marks of those that it has from its ledger alone. */
export interface StoredOwed {
  readonly byName: OwedCases;
  readonly marks: OwedCases;
}

export const toAllMarks = ({ byName, marks }: StoredOwed, toMark: OwedMarker): OwedCases =>
  joinOwed(marks, toMarked(byName, toMark));

/**
 * All that is owed. `here`: by its name; `unknown`: the marks of which the archive has no call and no record. `names`: of the archive;
 * undefined if it stores no mark.
 */
export function findOwed(
  { byName, marks }: StoredOwed,
  names: Readonly<Record<Kind, Iterable<string>>> | undefined,
  toMark: OwedMarker,
): Readonly<Record<"here" | "unknown", OwedCases>> {
  const found = mapOwed(marks, (of, kind) => {
    const named = Array.from(names?.[kind] ?? [], (name) => [name, of.get(toMark[kind](name))]);
    return new Map(
      named.flatMap(([name, ofCase]) =>
        typeof name !== "string" || ofCase === undefined ? [] : [[name, ofCase] as const],
      ),
    );
  });
  return {
    here: joinOwed(found, byName),
    unknown: withoutOwed(marks, toMarked(found, toMark)),
  };
}

/** Of the result of `findOwed`. */
export const countOwed = ({
  here,
  unknown,
}: Readonly<Record<"here" | "unknown", OwedCases>>): number =>
  [here, unknown].reduce((sum, { callIds, references }) => sum + callIds.size + references.size, 0);

/** What an archive has to remove of its names, and which marks it has to store, to owe what these marks say. */
export function toChanges(
  { byName }: Pick<StoredOwed, "byName">,
  owed: OwedCases,
  toMark: OwedMarker,
): { readonly gone: OwedCases; readonly marks: OwedCases } {
  return {
    gone: filterOwed(byName, (name, kind) => !owed[kind].has(toMark[kind](name))),
    marks: withoutOwed(owed, toMarked(byName, toMark)),
  };
}
