// A block of a crowd: some of its calls in the order of their ids, and what rights look at in them (D21): of each restricted
// field, in their order, the numbers of all calls. So a right is judged of a whole block without looking at the other fields.
import { RecordDamaged } from "../../call-store.ts";
import { RESTRICTED_FIELDS } from "../../visibility.ts";
import type { Bits } from "../pieces/bits.ts";
import { toAligned } from "../pieces/layout.ts";

/** A call of a crowd. */
export interface Member {
  readonly id: bigint;
  /** Of its value of each restricted field, see restricted-values.ts; 0 for null. */
  readonly numbers: readonly number[];
}

/** With more, a change would write more; with fewer, a look-up would read more rows. */
export const MAX_CALLS = 1_024;

/** What a look-up reads of a block. */
export interface Rights {
  readonly calls: number;
  /** The greatest of its numbers. */
  readonly newest: number;
  readonly numbers: Uint8Array;
}

export interface Block extends Rights {
  readonly ids: Uint8Array;
}

/** A right that restricts, as numbers. */
export interface Restriction {
  /** The place of its field among the restricted ones. */
  readonly field: number;
  /** A bit for each number, set where it is allowed. */
  readonly allowed: Bits;
}

const MAX_SHORT = 2 ** 16 - 1;

export function toBlock(members: readonly Member[]): Block {
  const flat = RESTRICTED_FIELDS.flatMap((_field, at) =>
    members.map(({ numbers }) => numbers[at] ?? 0),
  );
  const newest = flat.reduce((greatest, number) => Math.max(greatest, number), 0);
  const numbers = newest > MAX_SHORT ? Uint32Array.from(flat) : Uint16Array.from(flat);
  return {
    calls: members.length,
    newest,
    numbers: new Uint8Array(numbers.buffer),
    ids: new Uint8Array(BigInt64Array.from(members, ({ id }) => id).buffer),
  };
}

/** Throws `RecordDamaged`. */
export function readMembers(block: Block): Member[] {
  const numbers = readNumbers(block);
  return Array.from(readIds(block), (id, place) => ({
    id,
    numbers: RESTRICTED_FIELDS.map((_field, at) => numbers[at * block.calls + place] ?? 0),
  }));
}

/** Throws `RecordDamaged`. */
export function readIds({ calls, ids }: Pick<Block, "calls" | "ids">): BigInt64Array {
  const { buffer, byteLength } = toAligned(ids);
  if (byteLength !== calls * BigInt64Array.BYTES_PER_ELEMENT) throw toDamaged();
  return new BigInt64Array(buffer);
}

/** Of each restricted field the numbers of all calls, one field after the other. */
export type Numbers = Uint16Array | Uint32Array;

/** Throws `RecordDamaged`. */
export function readNumbers({ calls, newest, numbers }: Rights): Numbers {
  const { buffer, byteLength } = toAligned(numbers);
  const Kind = newest > MAX_SHORT ? Uint32Array : Uint16Array;
  if (byteLength !== RESTRICTED_FIELDS.length * calls * Kind.BYTES_PER_ELEMENT) throw toDamaged();
  return new Kind(buffer);
}

const toDamaged = () => new RecordDamaged("the search index is damaged");

/** The places of those of so many calls that meet all restrictions. Each call takes as long, whichever it meets. */
export function judgeCalls(
  calls: number,
  numbers: Numbers,
  restrictions: readonly Restriction[],
): number[] {
  const isSeen = new Uint8Array(calls).fill(1);
  for (const { field, allowed } of restrictions)
    judgeField(isSeen, numbers.subarray(field * calls, (field + 1) * calls), allowed);
  const seen: number[] = [];
  for (let place = 0; place < calls; place += 1) if (isSeen[place] === 1) seen.push(place);
  return seen;
}

// Without a branch, which a processor would foresee better where all calls are alike.
function judgeField(isSeen: Uint8Array, numbers: Numbers, allowed: Bits): void {
  for (let place = 0; place < isSeen.length; place += 1) {
    const number = numbers[place] ?? 0;
    isSeen[place] = (isSeen[place] ?? 0) & ((allowed[number >>> 5] ?? 0) >>> (number & 31));
  }
}
