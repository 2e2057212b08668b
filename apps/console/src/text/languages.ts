// The languages of the page.
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** How days and numbers are written. */
export const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };
