// Prefixes of words (D30). The calls that the caller sees decide which are rejected; the words of hidden calls never do.
import type { Alternative, Query } from "@call-media/words";
import { StoreFault } from "../port/faults.ts";

/** Reading this number of calls is faster than listing all words with a prefix. */
const FEW_CALLS = 100;

/** A prefix that no index supports is searched in at most this number of calls, in about a second. */
export const MAX_CALLS_OF_BEGINNING = 10_000;

/** PostgreSQL stores the words of each call in a row. It reads this number of rows of some hundred words in a few seconds. */
export const MAX_CALLS_READ = 300_000;

/** A prefix would have to be searched in too many calls. */
export class BeginningTooBroad extends StoreFault {
  override readonly name = "BeginningTooBroad";

  constructor(message: string) {
    super("broad", message);
  }
}

const MOST = MAX_CALLS_OF_BEGINNING.toLocaleString("en");
const MOST_READ = MAX_CALLS_READ.toLocaleString("en");

/** Two letters may start any number of words. */
const tooShort = () =>
  new BeginningTooBroad(
    `words has a beginning of two letters or digits, for which at most ${MOST} calls are looked through: ` +
      "give it a third one, or narrow the days or the filter",
  );

/** The index has at most `length` letters a to z or digits of a word. */
export const tooLong = (length: number): BeginningTooBroad =>
  new BeginningTooBroad(
    `words has a beginning of more than ${length} characters, or of others than letters a to z and digits, for which at most ${MOST} calls are looked through: ` +
      `give ${length} letters or digits of it, or narrow the days or the filter`,
  );

/** `calls`: the number that a caller with hidden calls sees, by the days and the filter. Throws `BeginningTooBroad`. */
export function checkSeen(calls: number): void {
  if (calls > MAX_CALLS_READ)
    throw new BeginningTooBroad(
      `words has a beginning, for which at most ${MOST_READ} calls are looked through: give the whole word, or narrow the days or the filter`,
    );
}

export function hasBeginning(words: Query): boolean {
  return words.flat().flatMap(toBeginnings).length > 0;
}

/**
 * True if a prefix is searched in each call instead of an index. `calls`: the number that the caller sees by the days and the filter,
 * whatever their words. Throws `BeginningTooBroad`.
 */
export function readsRecords(words: Query, calls: number): boolean {
  const isShort = words
    .flat()
    .flatMap(toBeginnings)
    .some((one) => SHORT.test(one));
  if (isShort && calls > MAX_CALLS_OF_BEGINNING) throw tooShort();
  return isShort || calls <= FEW_CALLS;
}

// Two characters of other scripts are not short: a syllable of Korean says more than a letter.
const SHORT = /^[0-9a-z]{2}$/;

function toBeginnings(alternative: Alternative): readonly string[] {
  if (alternative.kind === "group") return alternative.items.flat().flatMap(toBeginnings);
  return alternative.kind === "phrase" && alternative.isBeginning
    ? alternative.tokens.slice(-1)
    : [];
}
