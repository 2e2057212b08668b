// The words of the page in the reader's language.
import { signal } from "@preact/signals";
import { kept } from "../kept.ts";
import type { Text } from "./en.ts";
import { type Language, LOCALES } from "./languages.ts";

export { type Language, LANGUAGES, LOCALES } from "./languages.ts";

const isLanguage = (value: unknown): value is Language => value === "en" || value === "de";

const preferred = (): Language =>
  navigator.languages.map((name) => name.slice(0, 2)).find(isLanguage) ?? "en";

export const language = kept<Language>("language", preferred(), (value) =>
  isLanguage(value) ? value : undefined,
);

// Nothing is drawn before a language is loaded.
export const text = signal({} as Text);

/** The locale that formats days and numbers. */
export const locale = signal("en-GB");

/** Loads the words before they are drawn. */
export async function useLanguage(wanted: Language): Promise<void> {
  language.value = wanted;
  text.value = wanted === "de" ? (await import("./de.ts")).de : (await import("./en.ts")).en;
  locale.value = LOCALES[wanted];
  document.documentElement.lang = wanted;
}

export const showNumber = (value: number): string => value.toLocaleString(locale.value);

/** In MB; in kB below 100,000 bytes: "0.3 MB". */
export function showBytes(bytes: number): string {
  const [value, unit] = bytes < 100_000 ? [bytes / 1000, "kB"] : [bytes / 1e6, "MB"];
  const digits = { maximumFractionDigits: value < 10 ? 1 : 0 };
  return `${value.toLocaleString(locale.value, digits)} ${unit}`;
}
