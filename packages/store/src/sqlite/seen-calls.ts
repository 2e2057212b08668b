// Which calls that an identifier names somebody may see, told by the search index: in the same steps, however many there are that
// they may not (D21).
import type { Visibility } from "../call-store.ts";
import type { SearchIndex } from "./open-index.ts";
import { listPlaces } from "./pieces/layout.ts";
import { toQuestion } from "./pieces/question.ts";
import type { REFERENCE } from "./search-index.ts";

/** An identifier, and whose eyes look for it: they have restrictions. */
export interface Sought {
  /** Where the index has it. */
  readonly field: "call_id" | typeof REFERENCE;
  readonly name: string;
  readonly visibility: Visibility;
}

/**
 * Gives the ids of the calls that are seen, in no order. The index compares match keys, so that other names may be among them
 * which differ in case alone, for instance.
 */
export function createSeenFinder({
  reader,
  toTerm,
  toMatch,
  listPieces,
  readAtOnce,
}: SearchIndex): (sought: Sought) => BigInt64Array {
  const find = ({ field, name, visibility }: Sought): bigint[] => {
    const question = toQuestion(toTerm, { [field]: name }, visibility);
    if (question === undefined) return [];
    const match = toMatch(question);
    return listPieces().flatMap((piece) => {
      // Most have none of them, which takes a fourth less to count than to make a set of.
      if (match.count({ piece, from: 0, until: piece.calls }) === 0) return [];
      const places = match.places(piece) ?? new Uint16Array();
      return Array.from(listPlaces(places), (place) => reader.idOf(piece, place));
    });
  };
  return (sought) => BigInt64Array.from(readAtOnce(() => find(sought)));
}
