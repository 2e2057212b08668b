// What a search asks of a piece: the terms that its calls must have all of, and for each right the terms of which they must
// have one. Rights are asked again and again, so the calls that they let be seen are kept, for each piece.
import type { Filter, Visibility } from "../../call-store.ts";
import { toMatchKey } from "../../values/match-key.ts";
import type { ToTerm } from "../search-terms.ts";
import { addBits, addPlaces, type Bits, createBits, keepBoth } from "./bits.ts";
import type { Places } from "./layout.ts";
import { createMemory } from "./memory.ts";
import type { Piece, PieceReader } from "./piece-reader.ts";
import { intersect } from "./places.ts";

export interface Question {
  readonly terms: readonly number[];
  readonly rights: Visibility;
}

/** What is asked with a filter by somebody's eyes; undefined when no call can match. */
export function toQuestion(
  toTerm: ToTerm,
  filter: Filter,
  visibility: Visibility,
): Question | undefined {
  const isRefused = visibility.some(({ field, allowed }) => {
    const asked = filter[field];
    return (
      allowed.length === 0 || (asked !== undefined && !allowed.includes(toMatchKey(field, asked)))
    );
  });
  if (isRefused) return undefined;
  return {
    terms: Object.entries(filter).map(([field, value]) => toTerm(field, toMatchKey(field, value))),
    // Of a field that is asked for, one value is left, and it is allowed.
    rights: visibility.filter(({ field }) => filter[field] === undefined),
  };
}

/** The places of the calls of a piece that match, not to be changed; undefined or empty when none does. */
export type Match = (piece: Piece) => Places | undefined;

// For a clock, a piece without the terms is one whose only call with them may not be seen (D21): it took 3 us less.
const DECOY = Uint16Array.of(0);
const NOWHERE = new Uint16Array();

/** Asks pieces; keeps up to `maxBytes` of what rights came to. */
export function createMatcher(reader: PieceReader, toTerm: ToTerm, maxBytes: number) {
  const seenBits = createSeen(reader, toTerm, maxBytes);
  return (question: Question): Match => {
    const { terms, rights } = question;
    const seen = rights.length === 0 ? undefined : seenBits(rights);
    const match = (piece: Piece): Places | undefined => {
      const found = findAll(reader, piece, terms);
      if (seen === undefined) return found && intersect(found, piece);
      // To find out what rights let be seen of a piece takes long, and happens once.
      if (found === undefined && !seen.isKnown(piece)) return NOWHERE;
      const places = intersect([...(found ?? [DECOY]), seen.of(piece)], piece);
      return found === undefined ? NOWHERE : places;
    };
    const known = new Map<Piece, Places | undefined>();
    return (piece) => {
      if (!known.has(piece)) known.set(piece, match(piece));
      return known.get(piece);
    };
  };
}

function findAll(
  reader: PieceReader,
  piece: Piece,
  terms: readonly number[],
): Places[] | undefined {
  const postings = terms.map((term) => reader.find(piece, term));
  const found = postings.filter((posting) => posting !== undefined);
  // The bits of dense values are read only when all the others occur.
  if (found.length < postings.length) return undefined;
  return found.map((posting) => reader.places(piece, posting));
}

interface Seen {
  readonly of: (piece: Piece) => Bits;
  readonly isKnown: (piece: Piece) => boolean;
}

function createSeen(reader: PieceReader, toTerm: ToTerm, maxBytes: number) {
  const memory = createMemory<Bits>(maxBytes);
  const numberOf = createNumbers(maxBytes);
  return (rights: Visibility): Seen => {
    const number = numberOf(JSON.stringify(rights));
    const keyOf = (piece: Piece) => `${number} ${piece.id}`;
    let terms: readonly Float64Array[] | undefined;
    const of = (piece: Piece) => {
      const key = keyOf(piece);
      const known = memory.get(key);
      if (known !== undefined) return known;
      terms ??= rights.map(({ field, allowed }) =>
        Float64Array.from(allowed, (value) => toTerm(field, value)).toSorted(),
      );
      const bits = see(reader, piece, terms);
      memory.set(key, bits, bits.byteLength);
      return bits;
    };
    return { of, isKnown: (piece) => memory.get(keyOf(piece)) !== undefined };
  };
}

// Rights may list thousands of values: they are compared once a search, not once a piece.
function createNumbers(maxBytes: number): (name: string) => number {
  const numbers = createMemory<number>(maxBytes);
  let last = 0;
  return (name) => {
    const number = numbers.get(name) ?? (last += 1);
    numbers.set(name, number, name.length);
    return number;
  };
}

/** The calls that have one of each of the terms; these are sorted, so that pages are read one after the other. */
function see(reader: PieceReader, piece: Piece, terms: readonly Float64Array[]): Bits {
  const bits = createBits(piece.calls).fill(0xffff_ffff);
  for (const allowed of terms) {
    const any = createBits(piece.calls);
    for (const term of allowed) {
      const posting = reader.findOnce(piece, term);
      const places = posting && reader.places(piece, posting);
      if (places instanceof Uint32Array) addBits(any, places);
      else if (places !== undefined) addPlaces(any, places);
    }
    keepBoth(bits, any);
  }
  return bits;
}
