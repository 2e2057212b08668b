// The folding: what the examples say, and what holds of any text.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText, MAX_TOKEN_UNITS, toTokens } from "../src/index.ts";
import { SAMPLES } from "../src/samples.ts";
import { text } from "./texts.ts";

const fold = (of: string): string[] => toTokens(of).map((token) => token.text);

test.each(SAMPLES.filter(({ isNumber }) => !isNumber))("$text is $tokens", (sample) => {
  expect(fold(sample.text).join(" ")).toBe(sample.tokens);
});

test.each([
  ["ŉ", "n"],
  ["½ ⅷ x²", "1 2 viii x2"],
  ["Hawaiʻi", "hawai i"],
  ["１２３ ٤٥٦ 𝟕𝟖𝟗", "123 456 789"],
  ["1️⃣", "1"],
  ["ǆ Ǆ", "dz dz"],
  ["אָלֶף־בֵּית", "אלף בית"],
  ["ক্ষ", "ক্ষ"],
  ["\u0301a \u3099か", "a か"],
  ["㆒㆓", "一二 二"],
])("%s is %s", (of, tokens) => {
  expect(fold(of).join(" ")).toBe(tokens);
});

test("İ, I, ı and i are one letter, and so are Σ, σ and ς", () => {
  expect(new Set(fold("İ I ı i"))).toEqual(new Set(["i"]));
  expect(new Set(fold("Σ σ ς"))).toEqual(new Set(["σ"]));
});

test("canonical equivalents are the same tokens", () => {
  fc.assert(
    fc.property(text, (of) => {
      for (const form of ["NFC", "NFD"]) expect(fold(of.normalize(form))).toEqual(fold(of));
    }),
  );
});

test("a long word is cut, never within a character", () => {
  expect(fold("x".repeat(100))).toEqual(["x".repeat(MAX_TOKEN_UNITS)]);
  expect(fold(`x${"𐐷".repeat(100)}`)).toEqual([`x${"𐐷".repeat(31)}`]);
});

test("an unspaced run is its pairs in order, and its last character", () => {
  expect(toTokens("a返金し")).toEqual([
    { text: "a", start: 0, end: 1, isUnspaced: false, isTail: false },
    { text: "返金", start: 1, end: 3, isUnspaced: true, isTail: false },
    { text: "金し", start: 2, end: 4, isUnspaced: true, isTail: false },
    { text: "し", start: 3, end: 4, isUnspaced: true, isTail: true },
  ]);
});

describe("of any text", () => {
  test("words are folded once and for all", () => {
    fc.assert(
      fc.property(text, (of) => {
        const words = toTokens(of)
          .filter(({ isUnspaced }) => !isUnspaced)
          .map((token) => token.text);
        expect(fold(words.join(" "))).toEqual(words);
      }),
      { numRuns: 2000 },
    );
  });

  test("places are in the text, ascend, and part no character", () => {
    fc.assert(
      fc.property(text, (of) => {
        let before = { start: 0, end: 0 };
        for (const { start, end } of toTokens(of)) {
          expect(start).toBeGreaterThanOrEqual(before.start);
          expect(end).toBeGreaterThanOrEqual(before.end);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(of.length);
          expect(of.slice(start, end).isWellFormed()).toBe(true);
          before = { start, end };
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("ASCII alone is folded as next to other text", () => {
    const ascii = fc.string({ unit: "binary-ascii", maxLength: 200 });
    fc.assert(
      fc.property(ascii, (of) => {
        expect(toTokens(`${of} é`).slice(0, -1)).toEqual(toTokens(of));
      }),
    );
  });
});

test("a folded text has its tokens as words", () => {
  fc.assert(
    fc.property(text, (of) => {
      const tokens = toTokens(of.normalize("NFC"));
      // Runs of unspaced characters are cut into pairs.
      fc.pre(tokens.every((token) => !token.isUnspaced && token.text.length < MAX_TOKEN_UNITS));
      const folded = foldText(of.normalize("NFC")).text;
      expect(folded).toBe(tokens.map((token) => token.text).join(" "));
    }),
  );
});

test("a mark after a sign that folds to a digit is not a word", () => {
  expect(foldText("\u2474\u0e34 a").text).toBe("1 a");
});

test("a folded text has a place in the text for each of its units", () => {
  fc.assert(
    fc.property(text, (of) => {
      const { text: folded, starts, ends } = foldText(of);
      expect([starts.length, ends.length]).toEqual([folded.length, folded.length]);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
      for (const [at, start] of starts.entries()) expect(start).toBeLessThanOrEqual(ends[at] ?? 0);
    }),
  );
});

test.each([
  ["Frau San\u00adtos", "santos", "San\u00adtos"],
  ["an STRAẞE 5", "asse 5", "AẞE 5"],
  ["½ Liter", "2 l", "½ L"],
])("in %j the folded %j stands for %j", (of, part, written) => {
  const { text: folded, starts, ends } = foldText(of);
  const at = folded.indexOf(part);
  expect(of.slice(starts[at], ends[at + part.length - 1])).toBe(written);
});
