// What a search asks of a piece: the terms that its calls must have all of, and for each right the terms of which they must
// have one. Rights are asked again and again, so the calls that they let be seen are kept, for each piece.
import type { Filter, Visibility } from "../../port/index.ts";
import { toMatchKey } from "../../values/match-key.ts";
import type { ToTerm } from "../search-terms.ts";
import type { Slice } from "./bands.ts";
import { addBits, addPlaces, type Bits, countBoth, createBits, keepBoth } from "./bits.ts";
import type { Places } from "./layout.ts";
import { createMemory } from "./memory.ts";
import type { Piece } from "./piece-list.ts";
import type { PieceReader } from "./piece-reader.ts";
import { countPlaces, intersect } from "./places.ts";

export interface Question {
  readonly terms: readonly number[];
  readonly rights: Visibility;
}

/** What is asked with a filter, by a caller with these rights; undefined when no call can match. */
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
    rights: visibility,
  };
}

/** Which calls match. */
export interface Match {
  /** The places of those of a piece, not to be changed; undefined or empty when none does. */
  readonly places: (piece: Piece) => Places | undefined;
  /** How many of a slice do. */
  readonly count: (slice: Slice) => number;
}

/** Asks pieces; keeps up to `maxBytes` of what rights came to. */
export function createMatcher(reader: PieceReader, toTerm: ToTerm, maxBytes: number) {
  const seenBits = createSeen(reader, toTerm, maxBytes);
  return ({ terms, rights }: Question): Match => {
    const seen = seenBits(rights);
    const setsOf = (piece: Piece): Places[] | undefined => {
      const postings = terms.map((term) => reader.find(piece, term));
      const found = postings.filter((posting) => posting !== undefined);
      // The bits of dense values are read only when all the others occur.
      if (found.length < postings.length) return undefined;
      const sets = found.map((posting) => reader.places(piece, posting));
      return rights.length > 0 ? [seen(piece), ...sets] : sets;
    };
    const known = new Map<Piece, Places | undefined>();
    const places = (piece: Piece): Places | undefined => {
      if (known.has(piece)) return known.get(piece);
      const sets = setsOf(piece);
      const found = sets && intersect(sets, piece);
      known.set(piece, found);
      return found;
    };
    const count = (slice: Slice): number => {
      const { piece } = slice;
      if (piece.removed === undefined && !known.has(piece)) {
        const [first, second, ...others] = setsOf(piece) ?? [];
        // Without a set of what they share: half the time of a far page.
        if (isBits(first) && isBits(second) && others.length === 0)
          return countBoth(first, second, slice);
      }
      const found = places(piece);
      return found === undefined ? 0 : countPlaces(found, slice);
    };
    return { places, count };
  };
}

function isBits(places: Places | undefined): places is Bits {
  return places instanceof Uint32Array;
}

function createSeen(reader: PieceReader, toTerm: ToTerm, maxBytes: number) {
  const memory = createMemory<Bits>(maxBytes);
  const numberOf = createNumbers(maxBytes);
  return (rights: Visibility): ((piece: Piece) => Bits) => {
    const number = numberOf(JSON.stringify(rights));
    let terms: readonly Float64Array[] | undefined;
    return (piece) => {
      const key = `${number} ${piece.id}`;
      const known = memory.get(key);
      if (known !== undefined) return known;
      terms ??= rights.map(({ field, allowed }) =>
        Float64Array.from(allowed, (value) => toTerm(field, value)).toSorted(),
      );
      const bits = see(reader, piece, terms);
      memory.set(key, bits, bits.byteLength);
      return bits;
    };
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
