// Folding is Unicode's simple case folding, for every character there is. The judge is the regular expression engine,
// whose flags i and u compare by that very table (ECMA-262, Canonicalize).
import { expect, test } from "vitest";
import { foldCase } from "../src/index.ts";

const LAST_CODE_POINT = 0x10ffff;

test("two characters fold to the same exactly when a regular expression takes them for the same", () => {
  const characters = listCharacters();
  const cased = characters.filter((character) =>
    /\p{CWCF}|\p{CWU}|\p{CWL}|\p{Cased}/u.test(character),
  );
  const faults: string[] = [];

  for (const character of characters) {
    const folded = foldCase(character);
    if (folded !== character && !toPattern(character).test(folded))
      faults.push(`${character} must not become ${folded}`);
  }
  const all = cased.join("");
  for (const character of cased) {
    const same = all.match(new RegExp(toPattern(character).source, "giu")) ?? [];
    const folds = new Set(same.map(foldCase));
    if (folds.size > 1) faults.push(`${same.join(" ")} must become one`);
  }

  expect(cased.length).toBeGreaterThan(2_800);
  expect(faults).toEqual([]);
});

function listCharacters(): string[] {
  const isHalf = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;
  const codePoints = Array.from({ length: LAST_CODE_POINT + 1 }, (_, codePoint) => codePoint);
  return codePoints
    .filter((codePoint) => !isHalf(codePoint))
    .map((codePoint) => String.fromCodePoint(codePoint));
}

function toPattern(character: string): RegExp {
  return new RegExp(`\\u{${character.codePointAt(0)?.toString(16)}}`, "iu");
}
