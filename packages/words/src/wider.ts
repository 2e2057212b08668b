// Suggests other forms of a search by words that found little: prefixes, whole words, and the operator that was searched as a word.
import { splitQuery } from "./query.ts";
import { toTokens } from "./tokens.ts";

/** A search that finds everything another one finds, and perhaps more. */
export interface WiderForm {
  /** The prefix of one of its words: `complaint`. */
  readonly beginning: string;
  /** The search with `complaint*` instead of the word. */
  readonly words: string;
}

/** Lists prefixes of each word of at least four letters: the word itself and, from six letters on, the word less one letter. */
export function listWider(text: string): readonly WiderForm[] {
  const parts = splitQuery(text);
  return [...new Set(parts)].filter(isWord).flatMap((word) =>
    toBeginnings(word).map((beginning) => ({
      beginning,
      words: parts.map((part) => (part === word ? `${beginning}*` : part)).join(" "),
    })),
  );
}

const isWord = (part: string): boolean =>
  /^[\p{L}\p{M}]{4,}$/u.test(part) && toTokens(part).every(({ isUnspaced }) => !isUnspaced);

/** Removing two letters would find other words: refu* finds refused. */
function toBeginnings(word: string): readonly string[] {
  const letters = Array.from(word);
  return letters.length < 6 ? [word] : [word, letters.slice(0, -1).join("")];
}

/** The search for whole words only; undefined if it has no prefix. */
export function toExact(text: string): string | undefined {
  const parts = splitQuery(text);
  const exact = parts.map((part) => part.replace(/\*$/, ""));
  return exact.some((part, index) => part !== parts[index]) ? exact.join(" ") : undefined;
}

/** OR, AND or NOT: other searches treat it as an operator, this one as a word. Undefined without one. */
export const findOperator = (text: string): string | undefined =>
  splitQuery(text).find((part) => /^(?:OR|AND|NOT)$/.test(part));

/** Returns whether a word of the text starts with one of the prefixes. */
export function hasBeginning(text: string, beginnings: readonly string[]): boolean {
  const starts = beginnings.flatMap((beginning) => toTokens(beginning).map((token) => token.text));
  return toTokens(text).some((token) => starts.some((start) => token.text.startsWith(start)));
}
