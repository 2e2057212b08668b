// Suggests the name that was probably meant.

/** ` Did you mean "index"?`, or nothing. */
export function toSuggestion(word: string, names: readonly string[]): string {
  const ranked = names
    .map((name) => [name, distance(word.toLowerCase(), name.toLowerCase())] as const)
    .toSorted(([, one], [, other]) => one - other);
  const [best] = ranked;
  return best !== undefined && best[1] <= Math.max(2, word.length / 3)
    ? ` Did you mean "${best[0]}"?`
    : "";
}

/** Levenshtein distance: the number of letters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of one.split("").entries()) {
    const next = [at + 1];
    for (const [index, theirs] of other.split("").entries())
      next.push(
        Math.min(
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
          (row[index] ?? 0) + (letter === theirs ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
