// The blocks of all crowds, in the order of their keys: each has the calls from its key on, up to the key of the next. The first
// of all is always there, and may be empty. A block never changes: another takes its place, with an id of its own, so that what
// was read of blocks can be kept.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig, prepareRows } from "../files/connection.ts";
import { createMemory } from "../pieces/memory.ts";
import {
  type Block,
  type Calls,
  compareKeys,
  type Edit,
  type Key,
  MAX_CALLS,
  type Member,
  readBlock,
  toBlock,
  toDamaged,
  toMembers,
} from "./block.ts";

/** SQL, for the tables of schema 21. */
export const MAKE_EMPTY = `
  DELETE FROM crowd;
  DELETE FROM large_crowd;
  DELETE FROM crowd_block;
  INSERT INTO crowd_block (from_term, from_id, calls, newest, keys, numbers) VALUES (-1, 0, 0, 0, x'', x'');`;

// Of blocks that were read, 1,800,000 calls: to read one takes as long as to judge ten. Fewer would tell whose were read lately.
const KEPT_BYTES = 64 * 1024 ** 2;

/** Reads the block of an id. Throws `RecordDamaged`. */
export type BlockReader = (id: number) => Calls;

export function createBlockReader(database: DatabaseSync): BlockReader {
  const select = prepareRows<Block>(
    database,
    "SELECT calls, newest, keys, numbers FROM crowd_block WHERE id = ?",
  );
  return (id) => readBlock(select.get(id));
}

/** Gives what was read before without reading it again. */
export function keepBlocks(read: BlockReader): BlockReader {
  const kept = createMemory<Calls>(KEPT_BYTES);
  return (id) => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const block = read(id);
    kept.set(id, block, block.terms.buffer.byteLength + block.numbers.byteLength);
    return block;
  };
}

/** Changes them, in a transaction of the caller's; edits are in no order. Throws `RecordDamaged`. */
export function createBlockWriter(database: DatabaseSync): (edits: readonly Edit[]) => void {
  const findKey = createKeyFinder(database);
  const select = prepareRows<Block>(
    database,
    "SELECT calls, newest, keys, numbers FROM crowd_block WHERE from_term = ? AND from_id = ?",
  );
  const remove = database.prepare("DELETE FROM crowd_block WHERE from_term = ? AND from_id = ?");
  const insert = database.prepare(
    "INSERT INTO crowd_block (from_term, from_id, calls, newest, keys, numbers) VALUES (?, ?, ?, ?, ?, ?)",
  );

  const read = ({ term, id }: Key): Member[] => toMembers(readBlock(select.get(term, id)));
  const write = (from: Key, members: readonly Member[]) => {
    const { term, id } = from;
    const { calls, newest, keys, numbers } = toBlock(members);
    insert.run(term, id, calls, newest, keys, numbers);
  };
  const writeAnew = (from: Key, members: readonly Member[]) => {
    remove.run(from.term, from.id);
    if (members.length === 0 && from.term < 0) write(from, members);
    for (const [index, part] of toParts(members).entries())
      write(index === 0 ? from : (part[0] ?? from), part);
  };

  return (edits) => {
    const sorted = edits.toSorted(compareKeys);
    for (let at = 0; at < sorted.length;) {
      const { from, until } = findKey(sorted[at] as Edit); // there is one
      let end = at;
      while (isBefore(sorted[end], until)) end += 1;
      writeAnew(from, toEdited(read(from), sorted.slice(at, end)));
      at = end;
    }
  };
}

interface KeyRow {
  readonly from_term: bigint;
  readonly from_id: bigint;
}

/** Finds the key of the block that a key belongs to, and that of the next block, if there is one. */
function createKeyFinder(database: DatabaseSync) {
  const last = prepareBig<KeyRow>(
    database,
    `SELECT from_term, from_id FROM crowd_block WHERE (from_term, from_id) <= (?, ?)
     ORDER BY from_term DESC, from_id DESC LIMIT 1`,
  );
  const next = prepareBig<KeyRow>(
    database,
    `SELECT from_term, from_id FROM crowd_block WHERE (from_term, from_id) > (?, ?)
     ORDER BY from_term, from_id LIMIT 1`,
  );
  const toKey = (row: KeyRow | undefined): Key | undefined =>
    row && { term: Number(row.from_term), id: row.from_id };
  return ({ term, id }: Key) => {
    const from = toKey(last.get(term, id));
    if (from === undefined) throw toDamaged();
    return { from, until: toKey(next.get(from.term, from.id)) };
  };
}

function isBefore(edit: Edit | undefined, until: Key | undefined): boolean {
  if (edit === undefined) return false;
  return until === undefined || compareKeys(edit, until) < 0;
}

/** Both in the order of their keys. */
function toEdited(members: readonly Member[], edits: readonly Edit[]): Member[] {
  const edited: Member[] = [];
  let place = 0;
  for (const { term, id, numbers } of edits) {
    for (let member; (member = members[place]) && compareKeys(member, { term, id }) < 0;) {
      edited.push(member);
      place += 1;
    }
    const member = members[place];
    if (member && compareKeys(member, { term, id }) === 0) place += 1;
    if (numbers !== null) edited.push({ term, id, numbers });
  }
  return edited.concat(members.slice(place));
}

// As full as blocks are that grew by few calls at a time, so that all take as long to judge.
const CALLS_OF_A_PART = 135;

/** As long as each other; none of none. */
function toParts(members: readonly Member[]): readonly (readonly Member[])[] {
  if (members.length > 0 && members.length <= MAX_CALLS) return [members];
  const parts = Math.ceil(members.length / CALLS_OF_A_PART);
  const length = Math.ceil(members.length / parts);
  return Array.from({ length: parts }, (_, at) => members.slice(at * length, (at + 1) * length));
}
