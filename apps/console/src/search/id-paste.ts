// Recognises a list of identifiers that was copied from elsewhere.

/** Each is asked for by a request of its own. */
export const MAX_LISTED = 500;

/** The values of a list, each once: one a line, or with commas, semicolons or tabs between them. */
export const splitList = (pasted: string): readonly string[] => [
  ...new Set(
    pasted
      .split(/[\r\n,;\t]+/)
      .map((one) => one.trim().replaceAll(/^"|"$/g, ""))
      // The head of a column.
      .filter((one) => one !== "" && !/^(?:call|ref)[ _]?id$/i.test(one)),
  ),
];

/** Undefined for text that is looked for by its words. */
export function toPastedIds(pasted: string): readonly string[] | undefined {
  const values = splitList(pasted);
  const areIds =
    values.every((one) => /^\S{2,64}$/.test(one)) && values.some((one) => /\d/.test(one));
  return values.length > 1 && areIds ? values : undefined;
}
