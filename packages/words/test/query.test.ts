// Queries: what they mean, and which faults they have.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matches, parseQuery, QueryFault, toTokens } from "../src/index.ts";
import { SAMPLES } from "../src/samples.ts";
import { text } from "./texts.ts";

const isFound = (query: string, ...texts: string[]): boolean =>
  matches(parseQuery(query), { texts, numbers: [] });
const isNumber = (query: string, ...numbers: string[]): boolean =>
  matches(parseQuery(query), { texts: [], numbers });

test.each(SAMPLES)("$query in $text: $isFound", (sample) => {
  const find = sample.isNumber ? isNumber : isFound;
  expect(find(sample.query, sample.text)).toBe(sample.isFound);
});

test("all items must match, in any order and in any text", () => {
  expect(isFound("bill refund", "a refund", "the bill")).toBe(true);
  expect(isFound("refund OR bill", "a refund of a bill")).toBe(false);
  expect(isFound("-refund", "a refund")).toBe(true);
  expect(isFound('the "The The"', "the the")).toBe(true);
});

test("a phrase never crosses two texts", () => {
  expect(isFound('"early termination"', "early", "termination")).toBe(false);
});

test("quotation marks and stars of other keyboards", () => {
  expect(isFound("„early term＊“", "early termination")).toBe(true);
  expect(isFound("«early termination»", "termination, early")).toBe(false);
  expect(isFound('"early term"*', "early termination")).toBe(true);
});

test("items that fold to nothing are ignored, unless the query has no other", () => {
  expect(isFound("refund - 😀", "refund")).toBe(true);
  expect(() => parseQuery('- 😀 ""')).toThrow("has no word in it");
});

test("a single unspaced character is a beginning, and a star changes nothing", () => {
  expect(isFound("金", "金額")).toBe(true);
  expect(isFound("返金*", "返金額")).toBe(isFound("返金", "返金額"));
  expect(isFound("ID金", "id金額")).toBe(true);
});

describe("numbers", () => {
  test.each([
    ["+1 614 555 0121", "6145550121", true],
    ["+1 614 555 – 0121", "6145550121", true],
    ['"614 555 0121"', "+1 (614) 555-0121", true],
    ["00 49 30 901820", "030901820", true],
    ["011 49 30 901820", "030901820", true],
    ["+353 1 234 5678", "012345678", true],
    ["٦١٤٥٥٥٠١٢١", "6145550121", true],
    ["6145550121", "٦١٤٥٥٥٠١٢١", true],
    ["0121", "tel:614-555-0121;ext=9", true],
    ["9121", "tel:614-555-0121;ext=9121", false],
    ["1230", "123", false],
    ["55501210", "6145550121", false],
    ["614 555 0121 4471", "6145550121", false],
  ])("%s in %s: %s", (query, number, is) => {
    expect(isNumber(query, number)).toBe(is);
  });

  test("each of several groups may match by itself", () => {
    expect(isFound("4471 12", "order 12 of 4471")).toBe(true);
    const query = parseQuery("6145550121 4471");
    expect(matches(query, { texts: [], numbers: ["6145550121", "99994471"] })).toBe(true);
  });

  test("a number does not match a word, and a word does not match a number", () => {
    expect(isNumber("6145*", "6145550121")).toBe(false);
    expect(isFound("0121", "call 6145550121")).toBe(false);
  });
});

describe("faults", () => {
  test.each([
    ["x".repeat(1001), "longer than 1000 characters"],
    ["x ".repeat(33), "33 words; at most 32"],
    ['"early termination', "a quotation mark that is not closed"],
    ["*", "a * after fewer than 2 characters"],
    ["r*", "a * after fewer than 2 characters"],
    ["- 😀*", "a * after fewer than 2 characters"],
    ["re**", "a * that does not end a word"],
    ["re*fund", "a * that does not end a word"],
    ['"re*"*', "a * that does not end a word"],
    ["a\0b", "a control character"],
    ["\ud800", "half of a surrogate pair"],
    ["", "has no word in it"],
    [" \t", "has no word in it"],
  ])("%j", (query, message) => {
    expect(() => parseQuery(query)).toThrow(QueryFault);
    expect(() => parseQuery(query)).toThrow(message);
  });

  test("the limits themselves are kept", () => {
    expect(parseQuery("𐐷".repeat(1000))).toHaveLength(1);
    expect(parseQuery("x ".repeat(32))).toHaveLength(32);
  });
});

test("every word of a text finds it, in lower case as well", () => {
  fc.assert(
    fc.property(text, (of) => {
      for (const { start, end, isUnspaced } of toTokens(of).slice(0, 8)) {
        const own = of.slice(start, end);
        // A run may be split at a boundary inside its folded form. In ½x, for example, the ½ is not a word.
        if (!isUnspaced && toTokens(own).length > 1) continue;
        expect(isFound(own, of)).toBe(true);
        expect(isFound(`"${own.toLowerCase()}"`, of)).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
});

test("any string is a query or a fault, and quickly so", () => {
  const piece = fc.constantFrom('"', "*", "(", "+", "-", " ", "1", "12 ", "ab", "返", "é", "”");
  const any = fc.oneof(
    fc.string({ unit: "binary", maxLength: 1100 }),
    fc.array(piece, { maxLength: 1000 }).map((pieces) => pieces.join("")),
  );
  let slowest = 0;
  fc.assert(
    fc.property(any, (query) => {
      const before = process.cpuUsage();
      try {
        matches(parseQuery(query), { texts: [query], numbers: [query] });
      } catch (error) {
        if (!(error instanceof QueryFault)) throw error;
      }
      slowest = Math.max(slowest, process.cpuUsage(before).user);
    }),
    { numRuns: 10_000 },
  );
  // A pattern that backtracks would need seconds.
  expect(slowest).toBeLessThan(1_000_000);
});

test.each(['"', "(", "+", "+1(", '"a', "1 ", "\u0301", "返", "ｶﾞ", "x@"])(
  "100,000 times %j is searched quickly",
  (piece) => {
    const long = piece.repeat(100_000);
    const before = process.cpuUsage();
    matches(parseQuery("refund 4471"), { texts: [long], numbers: [long] });
    expect(() => parseQuery(long)).toThrow("longer than 1000 characters");
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  },
);
