/** The text, or its beginning of `length` characters and "...". */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}...` : text;
