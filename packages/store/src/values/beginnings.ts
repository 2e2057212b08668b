// Beginnings of words (D30): what a search by them may cost is decided by the calls that the caller sees, never by the words of others.
import type { Alternative, Query } from "@call-media/words";
import { StoreFault } from "../port/faults.ts";

/** Of so few calls the records are read, sooner than all words with a beginning are listed. */
const FEW_CALLS = 100;

/** Two letters begin any number of words: they are looked for in records alone, and in so many, within about a second. */
export const MAX_CALLS_OF_SHORT = 10_000;

/** A short beginning would have to be looked for in too many calls. */
export class BeginningTooShort extends StoreFault {
  override readonly name = "BeginningTooShort";

  constructor() {
    super(
      "broad",
      `words has a beginning of two letters or digits, for which at most ${MAX_CALLS_OF_SHORT.toLocaleString("en")} calls are looked through: ` +
        "give it a third one, or narrow the days or the filter",
    );
  }
}

export function hasBeginning(words: Query): boolean {
  return words.flat().flatMap(toBeginnings).length > 0;
}

/**
 * Whether a beginning is looked for in the records themselves, of which the caller sees so many by the days and the filter, whatever
 * their words. Throws `BeginningTooShort`.
 */
export function readsRecords(words: Query, calls: number): boolean {
  const isShort = words
    .flat()
    .flatMap(toBeginnings)
    .some((one) => SHORT.test(one));
  if (isShort && calls > MAX_CALLS_OF_SHORT) throw new BeginningTooShort();
  return isShort || calls <= FEW_CALLS;
}

// A syllable of Korean says more than a letter: of other scripts two characters are not short.
const SHORT = /^[0-9a-z]{2}$/;

function toBeginnings(alternative: Alternative): readonly string[] {
  if (alternative.kind === "group") return alternative.items.flat().flatMap(toBeginnings);
  return alternative.kind === "phrase" && alternative.isBeginning
    ? alternative.tokens.slice(-1)
    : [];
}
