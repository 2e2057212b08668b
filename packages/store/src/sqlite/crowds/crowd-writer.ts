// Crowds, kept as calls come and go. A crowd begins when more calls of a stretch have an identifier than a look-up judges first
// (identifiers.ts), has all calls of the identifier from then on, and ends with the last of them.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig } from "../files/connection.ts";
import { type Identifier, IDENTIFIERS } from "../identifiers.ts";
import type { Edit } from "./block.ts";
import { createBlockWriter } from "./crowd-blocks.ts";
import { createLargeWriter } from "./large-crowds.ts";
import {
  createMemberLister,
  createNameTerm,
  createNumbersReader,
  type RightsRow,
  type ToNumbers,
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
  const listers = IDENTIFIERS.map((identifier) => createEditLister(database, identifier));
  const writeBlocks = createBlockWriter(database);
  const listLarge = createLargeWriter(database);
  return {
    toGone: (id) => ({ id, names: selectNames.get(id) ?? {} }),
    change: (gone, come) => {
      const changes = { gone, crowded: listCrowded(come) };
      const toNumbers = createNumbersReader(database);
      for (const list of listers)
        for (const edits of toBatches(list(changes, toNumbers))) {
          writeBlocks(edits);
          listLarge(edits);
        }
    },
  };
}

// One statement for all columns: to find the row of a call takes as long as to ask for one of its identifiers.
function createCrowdedLister(database: DatabaseSync) {
  const crowded = IDENTIFIERS.flatMap((identifier) =>
    identifier.columns.map((column) => ({ column, isCrowded: toCrowded(identifier, column) })),
  );
  const names = crowded.map(
    ({ column, isCrowded }) => `iif(${isCrowded}, ${column}, NULL) AS ${column}`,
  );
  const select = prepareBig<CrowdedCall>(
    database,
    `SELECT id, restricted, ${names.join()} FROM call WHERE id IN (SELECT value FROM json_each(?))
     AND (${crowded.map(({ isCrowded }) => isCrowded).join(" OR ")})`,
  );
  return (come: readonly bigint[]) => select.all(`[${come.join()}]`);
}

const toCrowded = ({ kind, toStretch, most }: Identifier, column: string) =>
  `(${column} IS NOT NULL
    AND (EXISTS (SELECT 1 FROM crowd WHERE kind = '${kind}' AND name = call.${column})
      OR (SELECT 1 FROM call AS other
          WHERE ${toStretch("other")} = ${toStretch("call")} AND other.${column} = call.${column}
          LIMIT 1 OFFSET ${most}) IS NOT NULL))`;

interface Changes {
  readonly gone: readonly GoneCall[];
  readonly crowded: readonly CrowdedCall[];
}

/** Lists what changes in the crowds of a kind of identifier, no call of one twice, and keeps the list of crowds. */
function createEditLister(database: DatabaseSync, identifier: Identifier) {
  const { kind, where } = identifier;
  const toTerm = createNameTerm(database, identifier);
  const listMembers = createMemberLister(database, identifier);
  const has = database.prepare("SELECT 1 FROM crowd WHERE kind = ? AND name = ?");
  const begin = database.prepare("INSERT INTO crowd (kind, name) VALUES (?, ?)");
  const end = database.prepare("DELETE FROM crowd WHERE kind = ? AND name = ?");
  const isLeft = database.prepare(`SELECT 1 FROM call WHERE ${where} LIMIT 1`);

  return function* (changes: Changes, toNumbers: ToNumbers): Generator<Edit, void> {
    for (const [name, calls] of toCrowds(identifier, changes)) {
      const rows = [...calls.values()];
      if (has.get(kind, name) !== undefined) {
        const term = toTerm(name);
        for (const [id, row] of calls) yield { term, id, numbers: row && toNumbers(row) };
        if (rows.includes(null) && isLeft.get({ name }) === undefined) end.run(kind, name);
      } else if (rows.some((row) => row !== null)) {
        begin.run(kind, name);
        yield* listMembers(name, toNumbers);
      }
    }
  };
}

/** By the names of crowds, what became of calls in the end: null of one that went. */
function toCrowds({ columns }: Identifier, { gone, crowded }: Changes) {
  const crowds = new Map<string, Map<bigint, RightsRow | null>>();
  const add = (names: Names, id: bigint, row: RightsRow | null) => {
    for (const column of columns) {
      const name = names[column];
      if (typeof name !== "string") continue;
      const calls = crowds.get(name) ?? new Map<bigint, RightsRow | null>();
      crowds.set(name, calls.set(id, row));
    }
  };
  for (const { id, names } of gone) add(names, id, null);
  for (const call of crowded) add(call, call.id, call);
  return crowds;
}

// A crowd that begins may have millions of calls.
const EDITS_OF_A_BATCH = 20_000;

function* toBatches(edits: Iterable<Edit>): Generator<readonly Edit[], void> {
  let batch: Edit[] = [];
  for (const edit of edits) {
    batch.push(edit);
    if (batch.length < EDITS_OF_A_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
