// Other forms of a search by words that found little: its words as beginnings, or as whole words, and what was no operator.
import { splitQuery } from "./query.ts";
import { toTokens } from "./tokens.ts";

/** A search that finds all that another one finds, and maybe more. */
export interface WiderForm {
  /** Of one of its words: `complaint`. */
  readonly beginning: string;
  /** With `complaint*` in place of the word. */
  readonly words: string;
}

/** Of each word of four letters and more its beginnings: itself and, from six letters on, one letter less. */
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

/** Two letters less would find other words: refu* finds refused. */
function toBeginnings(word: string): readonly string[] {
  const letters = Array.from(word);
  return letters.length < 6 ? [word] : [word, letters.slice(0, -1).join("")];
}

/** The search for the whole words alone; undefined if it has no beginning. */
export function toExact(text: string): string | undefined {
  const parts = splitQuery(text);
  const exact = parts.map((part) => part.replace(/\*$/, ""));
  return exact.some((part, index) => part !== parts[index]) ? exact.join(" ") : undefined;
}

/** OR, AND or NOT, as other searches know it and this one looks for it; undefined without. */
export const findOperator = (text: string): string | undefined =>
  splitQuery(text).find((part) => /^(?:OR|AND|NOT)$/.test(part));

/** Whether a word of the text begins with one of the beginnings. */
export function hasBeginning(text: string, beginnings: readonly string[]): boolean {
  const starts = beginnings.flatMap((beginning) => toTokens(beginning).map((token) => token.text));
  return toTokens(text).some((token) => starts.some((start) => token.text.startsWith(start)));
}
