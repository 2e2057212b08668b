// Defines what a query matches (D30): the model that every adapter is compared with.
import { toStoredDigits } from "./numbers.ts";
import type { Alternative, Item, Phrase, Query } from "./query.ts";
import type { Searched } from "./sources.ts";
import { toTokens } from "./tokens.ts";

/** Returns whether the query finds a call with these texts and numbers. */
export function matches(query: Query, { texts, numbers }: Searched): boolean {
  const tokens = texts.map((text) => toTokens(text).map((token) => token.text));
  const digits = numbers.map(toStoredDigits);
  const isMatch = (alternative: Alternative): boolean => {
    if (alternative.kind === "group") return alternative.items.every(hasMatch);
    if (alternative.kind === "number")
      return digits.some((own) => own.endsWith(alternative.digits));
    return tokens.some((text) => text.some((_, place) => isAt(text, place, alternative)));
  };
  const hasMatch = (item: Item): boolean => item.some(isMatch);
  return query.every(hasMatch);
}

/** Returns whether the phrase begins at this index of a text's tokens. */
export function isAt(text: readonly string[], place: number, phrase: Phrase): boolean {
  const last = phrase.tokens.length - 1;
  return phrase.tokens.every((token, offset) => {
    const own = text[place + offset];
    return phrase.isBeginning && offset === last ? own?.startsWith(token) : own === token;
  });
}
