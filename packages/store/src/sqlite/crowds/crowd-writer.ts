// Crowds, kept as calls come and go. A crowd begins when more calls of a stretch have an identifier than a look-up judges first
// (identifiers.ts), has all calls of the identifier from then on, and ends with the last of them.
import type { DatabaseSync } from "node:sqlite";
import { type Identifier, IDENTIFIERS } from "../identifiers.ts";
import type { Member } from "./block.ts";
import { createCrowdBlocks, type Edits } from "./crowd-blocks.ts";
import {
  createMemberLister,
  createMemberReader,
  type RightsRow,
  type ToMember,
} from "./members.ts";

/** By the columns of `call` that have identifiers. */
type Names = Readonly<Record<string, unknown>>;

/** A call that goes, with its identifiers. */
export interface GoneCall {
  readonly id: bigint;
  readonly names: Names;
}

/** A call that came, with those of its identifiers that are of crowds, or that it makes crowds of. */
type CrowdedCall = RightsRow & Names;

export interface CrowdWriter {
  /** To be called while the call is still there. */
  toGone(id: bigint): GoneCall;
  /**
   * Once those that came are there, and those that went are not; one that did both is in both. In a transaction of the caller's.
   * Throws `RecordDamaged`.
   */
  change(gone: readonly GoneCall[], come: readonly bigint[]): void;
}

const COLUMNS = IDENTIFIERS.flatMap(({ columns }) => columns);

export function createCrowdWriter(database: DatabaseSync): CrowdWriter {
  const selectNames = database.prepare(`SELECT ${COLUMNS.join()} FROM call WHERE id = ?`);
  const listCrowded = createCrowdedLister(database);
  const writers = IDENTIFIERS.map((identifier) => createKindWriter(database, identifier));
  return {
    toGone: (id) => ({ id, names: selectNames.get(id) ?? {} }),
    change: (gone, come) => {
      const crowded = listCrowded(come);
      const toMember = createMemberReader(database);
      for (const write of writers) write(gone, crowded, toMember);
    },
  };
}

// One statement for all columns: to find the rows of the calls takes as long as to ask for one of their identifiers.
function createCrowdedLister(database: DatabaseSync) {
  const crowded = IDENTIFIERS.flatMap((identifier) =>
    identifier.columns.map((column) => ({ column, isCrowded: toCrowded(identifier, column) })),
  );
  const names = crowded.map(
    ({ column, isCrowded }) => `iif(${isCrowded}, ${column}, NULL) AS ${column}`,
  );
  const select = database.prepare(
    `SELECT id, restricted, ${names.join()} FROM call WHERE id IN (SELECT value FROM json_each(?))
     AND (${crowded.map(({ isCrowded }) => isCrowded).join(" OR ")})`,
  );
  select.setReadBigInts(true);
  return (come: readonly bigint[]) => select.all(`[${come.join()}]`) as unknown as CrowdedCall[]; // the columns that are selected
}

const toCrowded = ({ kind, toStretch, most }: Identifier, column: string) =>
  `(${column} IS NOT NULL
    AND (EXISTS (SELECT 1 FROM crowd WHERE kind = '${kind}' AND name = call.${column})
      OR (SELECT 1 FROM call AS other
          WHERE ${toStretch("other")} = ${toStretch("call")} AND other.${column} = call.${column}
          LIMIT 1 OFFSET ${most}) IS NOT NULL))`;

/** Of one kind of identifier. */
function createKindWriter(database: DatabaseSync, identifier: Identifier) {
  const listMembers = createMemberLister(database, identifier);
  const blocks = createCrowdBlocks(database, identifier.kind);
  return (gone: readonly GoneCall[], crowded: readonly CrowdedCall[], toMember: ToMember): void => {
    const crowds = createCrowdEdits(identifier);
    for (const { id, names } of gone) crowds.add(names, id, null);
    for (const call of crowded) crowds.add(call, call.id, toMember(call));
    for (const [name, edits] of crowds.all)
      if (!blocks.change(name, edits) && hasCome(edits))
        blocks.create(name, listMembers(name, toMember));
  };
}

/** Edits by the names of crowds. */
function createCrowdEdits({ columns }: Identifier) {
  const all = new Map<string, Map<bigint, Member | null>>();
  return {
    all,
    add: (names: Names, id: bigint, member: Member | null) => {
      for (const column of columns) {
        const name = names[column];
        if (typeof name !== "string") continue;
        const edits = all.get(name) ?? new Map<bigint, Member | null>();
        all.set(name, edits.set(id, member));
      }
    },
  };
}

// What only went from where there is no crowd began none.
const hasCome = (edits: Edits) => [...edits.values()].some((member) => member !== null);
