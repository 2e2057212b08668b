// Text from outside, such as a file's name or a caller's identifier, as a terminal may show it.

/** Characters that would move a terminal's cursor or turn its text around are replaced by their numbers. */
export function toPrintable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
