// Which values the calls of a large crowd have, as one set. Where none of them is allowed by one of somebody's rights, they see no
// call of the crowd, however many it has: what lies beyond the calls that every look-up judges need not be judged.
import type { DatabaseSync } from "node:sqlite";
import { addBits, addPlaces, type Bits, createBits, haveCommon } from "../pieces/bits.ts";
import { toAligned } from "../pieces/layout.ts";
import {
  type Block,
  type Calls,
  type Edit,
  readBlock,
  toDamaged,
  type ToRestrictions,
} from "./block.ts";

/** A bit for each number that a call of a crowd has, or had; the last word is not empty. */
export type Values = Bits;

/** A crowd of more than `LEAST_CALLS` has at least as many blocks that begin with one of its calls. */
const LARGE_BLOCKS = 1;

// The sets of an archive with more values would take more than 16 KB each: its large crowds are judged call by call.
const MAX_WORDS = 2 ** 12;

/**
 * Whether none of the calls of the crowd of a term is allowed, by what is known of its values. It looks through those of another
 * crowd where it has none of this one, so that a clock does not tell which crowds are large. Throws `RecordDamaged`.
 */
export function createShutOutFinder(database: DatabaseSync) {
  const select = database.prepare(
    `SELECT term, bits FROM crowd_values WHERE term = coalesce(
       (SELECT min(term) FROM crowd_values WHERE term >= ?), (SELECT min(term) FROM crowd_values))`,
  );
  return (term: number, toRestrictions: ToRestrictions): boolean => {
    const nearest = select.get(term);
    if (nearest === undefined) return false;
    const values = toValues(nearest["bits"]);
    const isShutOut = toRestrictions(toNewest(values)).some(
      ({ allowed }) => !haveCommon(values, allowed),
    );
    return isShutOut && nearest["term"] === term;
  };
}

/** The greatest number of a set. */
function toNewest(values: Values): number {
  return 32 * values.length - 1 - Math.clz32(values.at(-1) ?? 0);
}

/** Gives those of the crowd of a term; undefined where they are not known, as of one that is not large. Throws `RecordDamaged`. */
export function createValuesReader(database: DatabaseSync): (term: number) => Values | undefined {
  const select = database.prepare("SELECT bits FROM crowd_values WHERE term = ?");
  return (term) => {
    const row = select.get(term);
    return row && toValues(row["bits"]);
  };
}

function toValues(bits: unknown): Values {
  const { buffer } = toAligned(bits as Uint8Array); // of a STRICT table
  if (buffer.byteLength % Uint32Array.BYTES_PER_ELEMENT !== 0) throw toDamaged();
  return new Uint32Array(buffer);
}

/** Keeps them, in a transaction of the caller's, once the blocks are written. Throws `RecordDamaged`. */
export function createValuesWriter(database: DatabaseSync): (edits: readonly Edit[]) => void {
  const read = createValuesReader(database);
  const collect = createValuesCollector(database);
  const write = database.prepare("INSERT OR REPLACE INTO crowd_values (term, bits) VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM crowd_values WHERE term = ?");
  const isLarge = createLargeFinder(database);
  return (edits) => {
    for (const [term, own] of Map.groupBy(edits, (edit) => edit.term)) {
      const kept = read(term);
      const isKnown = kept !== undefined;
      const values = isLarge(term) && (isKnown ? addNumbers(kept, own) : collect(term));
      if (values === false || values.length > MAX_WORDS) {
        if (isKnown) remove.run(term);
      } else if (!isSame(values, kept)) write.run(term, new Uint8Array(values.buffer));
    }
  };
}

function createLargeFinder(database: DatabaseSync): (term: number) => boolean {
  const select = database.prepare(
    `SELECT 1 FROM crowd_block WHERE from_term = ? LIMIT 1 OFFSET ${LARGE_BLOCKS - 1}`,
  );
  return (term) => select.get(term) !== undefined;
}

/** Reads the blocks of a crowd. Throws `RecordDamaged`. */
function createValuesCollector(database: DatabaseSync): (term: number) => Values {
  const columns = "calls, newest, keys, numbers";
  // The crowd may begin within a block.
  const list = database.prepare(
    `SELECT ${columns} FROM crowd_block WHERE from_term = :term UNION ALL
     SELECT ${columns} FROM (SELECT ${columns} FROM crowd_block WHERE from_term < :term
                             ORDER BY from_term DESC, from_id DESC LIMIT 1)`,
  );
  return (term) => {
    const numbers = new Set<number>();
    for (const row of list.iterate({ term })) {
      const block = readBlock(row as unknown as Block); // the columns that are selected
      for (const number of numbersOf(block, term)) numbers.add(number);
    }
    return addNumbers(createBits(0), [{ numbers: [...numbers] }]);
  };
}

function* numbersOf({ calls, terms, numbers }: Calls, term: number): Generator<number, void> {
  for (const [index, number] of numbers.entries()) if (terms[index % calls] === term) yield number;
}

function addNumbers(kept: Values, edits: readonly Pick<Edit, "numbers">[]): Values {
  const numbers = edits.flatMap((edit) => edit.numbers ?? []);
  const last = numbers.reduce((greatest, number) => Math.max(greatest, number), -1);
  const values = createBits(Math.max(32 * kept.length, last + 1));
  addBits(values, kept);
  addPlaces(values, numbers);
  return values;
}

function isSame(values: Values, others: Values | undefined): boolean {
  return values.length === others?.length && values.every((word, at) => word === others[at]);
}
