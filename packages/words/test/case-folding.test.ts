// Folding is Unicode's simple case folding. case-folding.verify.ts compares it with that of the regular expression engine.
import { expect, test } from "vitest";
import { foldCase } from "../src/index.ts";

const LAST_CODE_POINT = 0x10ffff;

test("folding a text folds each of its characters, and folding again changes nothing", () => {
  expect(foldCase("ÀÉ Straße ΣΑΣ İstanbul KELVIN \u212a \u{10400}")).toBe(
    "àé straße σασ İstanbul kelvin k \u{10428}",
  );
  const restless = listCharacters().filter((character) => {
    const folded = foldCase(character);
    return foldCase(folded) !== folded;
  });
  expect(restless).toEqual([]);
});

function listCharacters(): string[] {
  const isHalf = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;
  const codePoints = Array.from({ length: LAST_CODE_POINT + 1 }, (_, codePoint) => codePoint);
  return codePoints
    .filter((codePoint) => !isHalf(codePoint))
    .map((codePoint) => String.fromCodePoint(codePoint));
}
