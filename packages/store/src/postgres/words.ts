// What a search by words (D30) reads of a call: its tokens and the ends of its numbers as lexemes of a tsvector. This program makes
// tsvector and tsquery itself: how PostgreSQL folds a text depends on its version and its locale.
import {
  type Alternative,
  type Item,
  type Phrase,
  type Query,
  type Searched,
  toStoredDigits,
  toTokens,
} from "@call-media/words";

// No token begins with these: they are neither letters nor digits.
const NUMBER = "\u2116";
/** The lexeme of a call with more words than a tsvector holds: only its record tells what is in it. */
const TOO_LONG = "\u2026";

/** SQL: whether the tsvector in `words` says nothing of its call. */
export const IS_TOO_LONG = `words @@ '${TOO_LONG}'::tsquery`;

// 1,048,575 in PostgreSQL.
const MAX_BYTES = 1_000_000;

/** As PostgreSQL reads it, to be cast: `::tsvector`; empty for a call that says nothing. */
export function toVector({ texts, numbers }: Searched): string {
  const lexemes = new Set([
    ...texts.flatMap((text) => toTokens(text).map((token) => token.text)),
    ...numbers.flatMap((number) => toNumberLexeme(toStoredDigits(number)) ?? []),
  ]);
  let bytes = 0;
  for (const lexeme of lexemes) bytes += Buffer.byteLength(lexeme);
  return Array.from(bytes > MAX_BYTES ? [TOO_LONG] : lexemes, toQuoted).join(" ");
}

/**
 * As PostgreSQL reads it, to be cast: `::tsquery`. It finds all that match, and, for phrases, calls that only have their words. A
 * beginning that stands in several phrases is there once: all words that have it are listed each time.
 */
export function toTsQuery(query: Query): string {
  return all([...new Set(query.flatMap(toParts))]);
}

function toParts(item: Item): readonly string[] {
  const [only] = item;
  return only?.kind === "phrase" && item.length === 1 ? toLexemes(only) : [toItem(item)];
}

/** True if every call that `toTsQuery` finds matches. */
export function isExact(query: Query): boolean {
  return query.flat().every((alternative) => {
    if (alternative.kind === "group") return isExact(alternative.items);
    return alternative.kind === "number" || alternative.tokens.length === 1;
  });
}

const toItem = (item: Item): string => `(${item.map(toAlternative).join(" | ")})`;

function toAlternative(alternative: Alternative): string {
  if (alternative.kind === "group") return `(${all(alternative.items.map(toItem))})`;
  if (alternative.kind === "number")
    return `${toQuoted(toNumberLexeme(alternative.digits) ?? "")}:*`;
  return `(${all(toLexemes(alternative))})`;
}

function toLexemes({ tokens, isBeginning }: Phrase): readonly string[] {
  const last = tokens.length - 1;
  return tokens.map(
    (token, place) => `${toQuoted(token)}${isBeginning && place === last ? ":*" : ""}`,
  );
}

const all = (parts: readonly string[]) => parts.join(" & ");

/** From the last digit on, so that an ending is a beginning. */
const toNumberLexeme = (digits: string): string | undefined =>
  digits === "" ? undefined : `${NUMBER}${digits.split("").toReversed().join("")}`;

const toQuoted = (lexeme: string) => `'${lexeme.replaceAll(/['\\]/g, "$&$&")}'`;
