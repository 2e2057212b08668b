// The calls of a crowd as their rows tell of them: all that an identifier names, each with what rights look at in it.
import type { DatabaseSync } from "node:sqlite";
import { RESTRICTED_FIELDS } from "../../visibility.ts";
import { prepareBig } from "../files/connection.ts";
import type { Identifier } from "../identifiers.ts";
import { createFieldReader } from "../restricted-values.ts";
import { createTerms } from "../search-terms.ts";
import type { Member } from "./block.ts";

/** A row of `call`, as far as its rights go. */
export interface RightsRow {
  readonly id: bigint;
  readonly restricted: unknown;
}

/** The term of an identifier: names that differ in case alone are others. */
export function createNameTerm(database: DatabaseSync, { kind }: Identifier) {
  const toTerm = createTerms(database);
  return (name: string): number => toTerm(`crowd ${kind}`, name);
}

export type ToNumbers = (row: RightsRow) => readonly number[];

/** For a transaction: the numbers of one that is undone are given again. */
export function createNumbersReader(database: DatabaseSync): ToNumbers {
  const read = createFieldReader(database);
  return ({ restricted }) => {
    const numbers = RESTRICTED_FIELDS.map(() => 0);
    for (const { number, field } of read(restricted)) numbers[field] = number;
    return numbers;
  };
}

/** Lists what an identifier names in the order of the ids. */
export function createMemberLister(database: DatabaseSync, identifier: Identifier) {
  const toTerm = createNameTerm(database, identifier);
  const select = prepareBig<RightsRow>(
    database,
    `SELECT id, restricted FROM call WHERE ${identifier.where} ORDER BY id`,
  );
  return function* (name: string, toNumbers: ToNumbers): Generator<Member, void> {
    const term = toTerm(name);
    for (const row of select.iterate({ name })) yield { term, id: row.id, numbers: toNumbers(row) };
  };
}
