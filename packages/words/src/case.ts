// Letter case in comparisons of whole values (D08): Unicode's simple case folding.

const ASCII_ONLY = /^\p{ASCII}*$/u;

// Lists the exceptions, where folding through upper case differs from CaseFolding.txt. Dotless i folds to itself outside Turkic
// languages. Three characters have a simple folding, but several letters in upper case.
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["\u0131", "\u0131"],
  ["\u1fd3", "\u0390"],
  ["\u1fe3", "\u03b0"],
  ["\ufb05", "\ufb06"],
]);

/**
 * Unicode simple case folding (CaseFolding.txt, status C and S): one code point to one code point. So "STRASSE" and
 * "straße" differ, as D08 says.
 */
export function foldCase(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += EXCEPTIONS.get(character) ?? foldCharacter(character);
  return folded;
}

// Goes through upper case, because several lower-case letters share one: σ and ς, k and the Kelvin sign.
function foldCharacter(character: string): string {
  const upper = character.toUpperCase();
  const lower = (isOneCodePoint(upper) ? upper : character).toLowerCase();
  return isOneCodePoint(lower) ? lower : character;
}

function isOneCodePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}
