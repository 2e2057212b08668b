// External text, such as a file's name or a caller's identifier, in a form that a terminal may show.

/** Replaces characters that would move a terminal's cursor or change the text's direction by their numbers. */
export function toPrintable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
