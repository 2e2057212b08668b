// Parses a search by words as typed (D30), or rejects it with a named fault.
import { NUMBER, toEnding } from "./numbers.ts";
import { type Token, toTokens } from "./tokens.ts";

export const MAX_QUERY_CHARACTERS = 1000;
export const MAX_QUERY_TOKENS = 32;
const MIN_BEGINNING = 2;

/** All items must match, in any order and position. */
export type Query = readonly Item[];
/** One of its alternatives must match. */
export type Item = readonly Alternative[];
export type Alternative = Phrase | NumberEnding | Group;

/** Consecutive tokens of one text. */
export interface Phrase {
  readonly kind: "phrase";
  readonly tokens: readonly string[];
  /** True if the last token is a prefix. */
  readonly isBeginning: boolean;
}

/** Matches a stored number that ends with these digits, at least four. */
export interface NumberEnding {
  readonly kind: "number";
  readonly digits: string;
}

/** Groups of digits, each of which can match separately. */
export interface Group {
  readonly kind: "group";
  readonly items: readonly Item[];
}

/** An error in a query, as a clause that follows the name of the query. */
export class QueryFault extends Error {
  override readonly name = "QueryFault";
}

/** A word or a quoted phrase as typed. */
interface Part {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly hasStar: boolean;
  readonly phrase: Phrase;
}

/**
 * Accepts at most 1,000 characters and 32 tokens; `"..."` is a phrase, `*` ends a prefix.
 * @throws QueryFault
 */
export function parseQuery(text: string): Query {
  checkCharacters(text);
  const parts = readParts(text);
  if (parts.length === 0) throw new QueryFault("has no word in it");
  const tokens = parts.reduce((sum, { phrase }) => sum + phrase.tokens.length, 0);
  if (tokens > MAX_QUERY_TOKENS)
    throw new QueryFault(`has ${tokens} words; at most ${MAX_QUERY_TOKENS} are allowed`);
  return toItems(parts);
}

function checkCharacters(text: string): void {
  const isLong =
    text.length > 2 * MAX_QUERY_CHARACTERS || Array.from(text).length > MAX_QUERY_CHARACTERS;
  if (isLong) throw new QueryFault(`is longer than ${MAX_QUERY_CHARACTERS} characters`);
  if (/\p{Cs}/u.test(text)) throw new QueryFault("has half of a surrogate pair");
  // oxlint-disable-next-line no-control-regex -- these are rejected
  if (/[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/.test(text)) throw new QueryFault("has a control character");
}

/** U+FEFF is a joiner within a word, but JavaScript treats it as whitespace. */
const PART = /"([^"]*)"(\*?)|((?:[^\s"]|\ufeff)+)|"/gu;

/** Normalizes the quotation marks and stars of all keyboards to `"` and `*`. */
const toPlain = (text: string): string => text.replaceAll(/[“”„«»＂]/g, '"').replaceAll("＊", "*");

/** The words and quoted phrases as typed. */
export const splitQuery = (text: string): readonly string[] => toPlain(text).match(PART) ?? [];

function readParts(text: string): Part[] {
  return [...toPlain(text).matchAll(PART)].flatMap(([, quoted, star, bare]) => {
    const written = quoted ?? bare;
    if (written === undefined) throw new QueryFault("has a quotation mark that is not closed");
    const own = written.endsWith("*") ? written.slice(0, -1) : written;
    const hasStar = star === "*" || own !== written;
    if (own.includes("*") || (star === "*" && own !== written))
      throw new QueryFault("has a * that does not end a word");
    const phrase = toPhrase(toTokens(own), hasStar);
    return phrase === undefined
      ? []
      : [{ text: own, isQuoted: quoted !== undefined, hasStar, phrase }];
  });
}

/** Undefined if the part folds to nothing, as punctuation and emoji do. */
function toPhrase(tokens: readonly Token[], hasStar: boolean): Phrase | undefined {
  const last = tokens.at(-1);
  if (hasStar && (last === undefined || (!last.isUnspaced && isShort(last.text))))
    throw new QueryFault(`has a * after fewer than ${MIN_BEGINNING} characters`);
  if (last === undefined) return undefined;
  const texts = tokens.map((token) => token.text);
  if (!last.isUnspaced) return { kind: "phrase", tokens: texts, isBeginning: hasStar };
  const before = tokens.at(-2);
  const isAlone = before === undefined || !before.isUnspaced || before.isTail;
  return { kind: "phrase", tokens: isAlone ? texts : texts.slice(0, -1), isBeginning: isAlone };
}

function isShort(text: string): boolean {
  return Array.from(text).length < MIN_BEGINNING;
}

const DIGIT_GROUP = /^[\p{Nd}+().\-\u2010-\u2015/]+$/u;

/** Turns adjacent groups of digits into one item, which matches each group alone or all of them as one number. */
function toItems(parts: readonly Part[]): Item[] {
  const items: Item[] = [];
  for (let place = 0; place < parts.length;) {
    const group = takeGroup(parts, place);
    const [first] = group;
    if (first === undefined) break;
    const own = group.map(toItem);
    const ending = group.length > 1 ? toNumber(group.map(({ text }) => text).join(" ")) : [];
    items.push(
      ...(ending.length > 0 ? [[{ kind: "group", items: own } as const, ...ending]] : own),
    );
    place += group.length;
  }
  return items;
}

function takeGroup(parts: readonly Part[], from: number): readonly Part[] {
  const isDigits = ({ text, isQuoted, hasStar }: Part): boolean =>
    !isQuoted && !hasStar && DIGIT_GROUP.test(text);
  let to = from;
  for (let part = parts[to]; part !== undefined && isDigits(part); part = parts[to]) to++;
  return parts.slice(from, Math.max(to, from + 1));
}

function toItem({ text, isQuoted, hasStar, phrase }: Part): Item {
  const isNumber = !hasStar && (isQuoted ? NUMBER : DIGIT_GROUP).test(text);
  return [phrase, ...(isNumber ? toNumber(text) : [])];
}

function toNumber(written: string): NumberEnding[] {
  const digits = toEnding(written);
  return digits === undefined ? [] : [{ kind: "number", digits }];
}
