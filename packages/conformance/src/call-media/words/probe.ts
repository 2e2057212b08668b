// A probe: words that show whether a service applies them correctly.
import { toStoredDigits } from "@call-media/words";
import type { JsonObject } from "@call-media/contract-diff";
import type { Entry, Text, Vocabulary } from "./vocabulary.ts";

export interface Probe {
  readonly id: string;
  /** A short name, the same for every archive. */
  readonly about: string;
  readonly words: string;
  /** Default: none. */
  readonly filter?: JsonObject;
  /** Records that have the words in their chat. */
  readonly also?: readonly JsonObject[];
}

/** Probes, or why there are none. */
export type Choice = readonly Probe[] | string;

/** Less than a page, so that one response contains all of them. */
const FEW = 40;
/** A query has room for 32 of the longest (D30). */
const PLAIN = /^\p{L}{3,30}$/u;
const MAX_ENTRIES = 60;

export const isFew = (some: readonly unknown[]): boolean => some.length > 0 && some.length <= FEW;

export const isPlain = (token: string): boolean => PLAIN.test(token);

/** The records from which probes are chosen. */
export const richest = ({ entries }: Vocabulary): readonly Entry[] => entries.slice(0, MAX_ENTRIES);

/** A word of a record. */
export interface Word {
  readonly token: string;
  readonly written: string;
  readonly text: Text;
}

/** The rare words of a record that consist of letters, each once. */
export function listRareWords(entry: Entry, { having }: Vocabulary): readonly Word[] {
  const words = new Map<string, Word>();
  for (const text of entry.texts)
    for (const { text: token, start, end, isUnspaced } of text.tokens)
      if (!isUnspaced && isPlain(token) && isFew(having.get(token) ?? []))
        words.set(token, { token, written: text.text.slice(start, end), text });
  return [...words.values()];
}

/** Digits that end this number of the record and occur nowhere else in it. Undefined if there are none. */
export function toOwnEnding(number: string, { numbers, tokens }: Entry): string | undefined {
  const ending = toStoredDigits(number).slice(-ENDING);
  const ends = numbers.filter(({ text }) => toStoredDigits(text).endsWith(ending));
  return ending.length === ENDING && ends.length === 1 && !tokens.has(ending) ? ending : undefined;
}

const ENDING = 4;
