// The quick test of a call's words finds what the model finds.
import { matches, MAX_TOKEN_UNITS, parseQuery } from "@call-media/words";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createWordTest } from "../src/values/word-test.ts";

const isLong = process.env["CALL_MEDIA_TIER"] !== "test";

const LONG = "x".repeat(MAX_TOKEN_UNITS);
const WORDS = ["to", "The", "tó", "返金", "1234", LONG, `${LONG}y`];
const word = fc.constantFrom(...WORDS);
const part = fc.constantFrom(...WORDS, "_", "½", "a");
const text = fc
  .array(fc.tuple(part, fc.constantFrom(" ", "", ", ", "\n", "-", "\u00ad")), { maxLength: 6 })
  .map((parts) => parts.flat().join(""));
const item = fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "*"));

test("whatever the texts and the query", () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 2 }), fc.array(text), (items, texts) => {
      const typed = items.map(([parts, star]) => `"${parts.join(" ")}"${star}`).join(" ");
      const query = parseQuery(typed);
      const searched = { texts, numbers: ["+1 1234"] };
      const isFound = matches(query, searched);
      found += Number(isFound);
      expect(createWordTest(query)(searched)).toBe(isFound);
    }),
    { numRuns: isLong ? 5_000 : 500 },
  );
  expect(found).toBeGreaterThan(isLong ? 100 : 5);
});
