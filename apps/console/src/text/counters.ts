// Numbers in a language: written in its way, and with their noun.
import { type Language, LOCALES } from "./languages.ts";

export interface Counters {
  readonly number: Intl.NumberFormat;
  /** `one` is the noun of a single thing. */
  readonly count: (value: number, one: string, other: string) => string;
}

export function toCounters(language: Language): Counters {
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(LOCALES[language]);
  return {
    number,
    count: (value, one, other) =>
      `${number.format(value)} ${plural.select(value) === "one" ? one : other}`,
  };
}
