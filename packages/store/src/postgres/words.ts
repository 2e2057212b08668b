// The words of a call for searches (D30): its tokens and the endings of its numbers as lexemes of a tsvector. This program makes
// tsvector and tsquery itself, because the way PostgreSQL folds a text depends on its version and its locale.
import {
  type Alternative,
  type Item,
  type Phrase,
  type Query,
  type Searched,
  toStoredDigits,
  toTokens,
} from "@call-media/words";

// No token begins with these characters: they are neither letters nor digits.
const NUMBER = "\u2116";
/** The lexeme of a call with more words than a tsvector can hold. Only its record shows whether it matches. */
const TOO_LONG = "\u2026";

/** SQL: true if the tsvector in `words` does not describe its call. */
export const IS_TOO_LONG = `words @@ '${TOO_LONG}'::tsquery`;

// PostgreSQL's limit is 1,048,575.
const MAX_BYTES = 1_000_000;

/** In PostgreSQL's syntax, to be cast: `::tsvector`; empty for a call without words. */
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
 * In PostgreSQL's syntax, to be cast: `::tsquery`. It finds every matching call, and for phrases also calls that merely have their words.
 * A prefix in several phrases is included only once, because each occurrence would be expanded to all its words.
 */
export function toTsQuery(query: Query): string {
  return all([...new Set(query.flatMap(toParts))]);
}

function toParts(item: Item): readonly string[] {
  const [only] = item;
  return only?.kind === "phrase" && item.length === 1 ? toLexemes(only) : [toItem(item)];
}

/** True if every call that `toTsQuery` finds is a match. */
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

/** Reversed digits, so that a search for an ending becomes one for a prefix. */
const toNumberLexeme = (digits: string): string | undefined =>
  digits === "" ? undefined : `${NUMBER}${digits.split("").toReversed().join("")}`;

const toQuoted = (lexeme: string) => `'${lexeme.replaceAll(/['\\]/g, "$&$&")}'`;
