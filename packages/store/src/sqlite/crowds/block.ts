// A block of crowds: some of their calls, of one identifier after the other, and what rights look at in them (D21): of each
// restricted field, in their order, the numbers of all calls. So a right is judged of a block without looking at the other fields.
import { RecordDamaged } from "../../call-store.ts";
import { RESTRICTED_FIELDS } from "../../visibility.ts";
import type { Bits, Stretch } from "../pieces/bits.ts";
import { toAligned } from "../pieces/layout.ts";

/** Where a call of a crowd lies among all: by the term of its identifier, then by its id. */
export interface Key {
  readonly term: number;
  readonly id: bigint;
}

/** A call of a crowd. */
export interface Member extends Key {
  /** Of its value of each restricted field, see restricted-values.ts; 0 for null. */
  readonly numbers: readonly number[];
}

/** What becomes of a call of a crowd: the numbers that it has now, or null when it is gone. */
export interface Edit extends Key {
  readonly numbers: readonly number[] | null;
}

/** Of so many a block fills a page of the database. */
export const MAX_CALLS = 220;

/** As it is kept. */
export interface Block {
  readonly calls: number;
  /** The greatest of its numbers. */
  readonly newest: number;
  /** The terms of all calls, then their ids. */
  readonly keys: Uint8Array;
  readonly numbers: Uint8Array;
}

/** Of each restricted field the numbers of all calls, one field after the other. */
export type Numbers = Uint16Array | Uint32Array;

/** A right that restricts, as numbers. */
export interface Restriction {
  /** The place of its field among the restricted ones. */
  readonly field: number;
  /** A bit for each number, set where it is allowed. */
  readonly allowed: Bits;
}

/** Somebody's rights. */
export interface Rights {
  /** The same for the same rights, and for no others. */
  readonly name: string;
  /** By numbers, those up to `newest` among them. */
  readonly toRestrictions: (newest: number) => readonly Restriction[];
}

const KEY_BYTES = 8;
const MAX_SHORT = 2 ** 16 - 1;

export function compareKeys(a: Key, b: Key): number {
  if (a.term !== b.term) return a.term - b.term;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** Of members in the order of their keys. */
export function toBlock(members: readonly Member[]): Block {
  const calls = members.length;
  const keys = new ArrayBuffer(2 * KEY_BYTES * calls);
  new Float64Array(keys, 0, calls).set(members.map(({ term }) => term));
  new BigInt64Array(keys, KEY_BYTES * calls).set(members.map(({ id }) => id));
  const all = new Uint32Array(RESTRICTED_FIELDS.length * calls);
  for (const [place, { numbers }] of members.entries())
    for (const [field, number] of numbers.entries()) all[field * calls + place] = number;
  const newest = all.reduce((greatest, number) => Math.max(greatest, number), 0);
  const numbers = newest > MAX_SHORT ? all : Uint16Array.from(all);
  return { calls, newest, keys: new Uint8Array(keys), numbers: new Uint8Array(numbers.buffer) };
}

/** A block as it is read. */
export interface Calls {
  readonly calls: number;
  readonly newest: number;
  readonly terms: Float64Array;
  readonly ids: BigInt64Array;
  readonly numbers: Numbers;
}

/** Throws `RecordDamaged`, also where there is none. */
export function readBlock(block: Block | undefined): Calls {
  if (block === undefined) throw toDamaged();
  const { calls, newest, keys, numbers } = block;
  const Kind = newest > MAX_SHORT ? Uint32Array : Uint16Array;
  const numberBytes = RESTRICTED_FIELDS.length * Kind.BYTES_PER_ELEMENT;
  if (keys.length !== 2 * KEY_BYTES * calls || numbers.length !== numberBytes * calls)
    throw toDamaged();
  const { buffer } = toAligned(keys);
  return {
    calls,
    newest,
    terms: new Float64Array(buffer, 0, calls),
    ids: new BigInt64Array(buffer, KEY_BYTES * calls),
    numbers: new Kind(toAligned(numbers).buffer),
  };
}

export function toMembers({ calls, terms, ids, numbers }: Calls): Member[] {
  return Array.from(ids, (id, place) => ({
    term: terms[place] ?? 0,
    id,
    numbers: RESTRICTED_FIELDS.map((_field, at) => numbers[at * calls + place] ?? 0),
  }));
}

export const toDamaged = () => new RecordDamaged("the search index is damaged");

/** The places of those calls of a stretch that meet all restrictions. Each takes as long, whichever it meets. */
export function judgeCalls(
  { calls, numbers }: Calls,
  { from, until }: Stretch,
  restrictions: readonly Restriction[],
): number[] {
  const isSeen = new Uint8Array(until - from).fill(1);
  for (const { field, allowed } of restrictions)
    judgeField(isSeen, numbers.subarray(field * calls + from, field * calls + until), allowed);
  const seen: number[] = [];
  for (let at = 0; at < isSeen.length; at += 1) if (isSeen[at] === 1) seen.push(from + at);
  return seen;
}

// Without a branch, which a processor would foresee better where all calls are alike.
function judgeField(isSeen: Uint8Array, numbers: Numbers, allowed: Bits): void {
  for (let place = 0; place < isSeen.length; place += 1) {
    const number = numbers[place] ?? 0;
    isSeen[place] = (isSeen[place] ?? 0) & ((allowed[number >>> 5] ?? 0) >>> (number & 31));
  }
}
