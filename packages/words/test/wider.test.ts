// Other forms of a search by words, each of which the service takes.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findOperator, hasBeginning, listWider, parseQuery, toExact } from "../src/index.ts";
import { text } from "./texts.ts";

const wider = (words: string) => listWider(words).map((form) => form.words);

test("a word is a beginning, from six letters on with one letter less, and never two", () => {
  expect(wider("refund")).toEqual(["refund*", "refun*"]);
  expect(wider("bill")).toEqual(["bill*"]);
  expect(wider("my refund* 4711 FHR-1")).toEqual([]);
  expect(wider("Zählerstände estimated").at(-1)).toBe("Zählerstände estimate*");
});

test("a phrase stays unchanged, whatever its quotation marks", () => {
  expect(wider('bill "the bill came"')).toEqual(['bill* "the bill came"']);
  expect(wider("bill „the bill came“")).toEqual(['bill* "the bill came"']);
  expect(wider('"the bill came"')).toEqual([]);
});

test("letters outside of the basic plane are not cut in half, and words without spaces stay", () => {
  expect(wider("𐐨𐐩𐐪𐐫𐐬𐐭")).toEqual(["𐐨𐐩𐐪𐐫𐐬𐐭*", "𐐨𐐩𐐪𐐫𐐬*"]);
  expect(wider("返金対応窓口")).toEqual([]);
});

test("stars go, of words and of phrases", () => {
  expect(toExact('complaint* "early term"* bill')).toBe('complaint "early term" bill');
  expect(toExact("complaint＊")).toBe("complaint");
  expect(toExact("complaint")).toBeUndefined();
});

test("an operator stands outside of quotation marks, in capitals", () => {
  expect(
    ["bill OR refund", "NOT paid", '"this OR that"', "bill or refund"].map(findOperator),
  ).toEqual(["OR", "NOT", undefined, undefined]);
});

test("a beginning is folded as words are", () => {
  expect(hasBeginning("Réclamation réglée", ["reclam"])).toBe(true);
  expect(hasBeginning("Payment taken", ["pay", "bill"])).toBe(true);
  expect(hasBeginning("Repayment", ["pay"])).toBe(false);
});

test("the wider forms of any query are queries", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (parts) => {
      const words = parts.join(" ");
      try {
        parseQuery(words);
      } catch {
        return;
      }
      for (const form of [...wider(words), toExact(words) ?? words])
        expect(() => parseQuery(form)).not.toThrow();
    }),
  );
});
