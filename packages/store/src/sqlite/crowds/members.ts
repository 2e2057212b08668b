// The calls of a crowd as their rows tell of them: all that an identifier names, each with what rights look at in it.
import type { DatabaseSync } from "node:sqlite";
import { RESTRICTED_FIELDS } from "../../visibility.ts";
import type { Identifier } from "../identifiers.ts";
import { createFieldReader } from "../restricted-values.ts";
import type { Member } from "./block.ts";

/** A row of `call`, as far as its rights go. */
export interface RightsRow {
  readonly id: bigint;
  readonly restricted: unknown;
}

export type ToMember = (row: RightsRow) => Member;

/** For a transaction: the numbers of one that is undone are given again. */
export function createMemberReader(database: DatabaseSync): ToMember {
  const read = createFieldReader(database);
  return ({ id, restricted }) => {
    const numbers = RESTRICTED_FIELDS.map(() => 0);
    for (const { number, field } of read(restricted)) numbers[field] = number;
    return { id, numbers };
  };
}

/** Lists what an identifier names in the order of the ids. */
export function createMemberLister(database: DatabaseSync, { where }: Identifier) {
  const select = database.prepare(`SELECT id, restricted FROM call WHERE ${where} ORDER BY id`);
  select.setReadBigInts(true);
  return function* (name: string, toMember: ToMember): Generator<Member, void> {
    for (const row of select.iterate({ name })) yield toMember(row as unknown as RightsRow); // the columns that are selected
  };
}
