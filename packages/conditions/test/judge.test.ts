// Conditions: what they mean for each kind of field, and for records that have nothing in it.
import { describe, expect, test } from "vitest";
import { type Comparison, joinAll, joinAny, type Test, toJudge } from "../src/index.ts";

const isMet = (
  field: string,
  own: unknown,
  comparison: Comparison,
  value: string | number | null,
) => toJudge({ field, comparison, value })({ [field]: own }, "");

describe("a telephone number is found in any notation, and by its end (D30):", () => {
  test.each([
    ["+49 30 998877", "030998877"],
    ["+49 (0)30 / 99 88-77", "+4930998877"],
    ["0049 30 998877", "(030) 99 88 77"],
    ["030 998877", "tel:+49-30-998877"],
    ["tel:+49-30-998877", "030998877"],
    ["sip:+4930998877@pbx.example;user=phone", "4930998877"],
    ["\u202a+49 30 998877\u202c", "030998877"],
    ["[030] 99·88·77", "+49 30 998877"],
    ["+49 30 998877 ext. 12", "030998877"],
    ["٠٣٠٩٩٨٨٧٧", "030998877"],
    ["8877", "+49 30 998877"],
    ["2-01", "201"],
    ["Withheld", "withheld"],
  ])("%s is %s", (value, own) => {
    for (const field of ["ani", "dnis", "phone_number3"]) {
      expect(isMet(field, own, "==", value)).toBe(true);
      expect(isMet(field, own, "!=", value)).toBe(false);
      expect(isMet(field, own, "~", value)).toBe(true);
    }
  });

  test.each([
    ["+49 30 998877", "+49 30 998878"],
    ["+49 30 998877", "8877"],
    ["201", "+49 30 998201"],
    ["withheld", "+49 30 998877"],
    ["+49 30 998877", null],
  ])("%s is not %s", (value, own) => {
    expect(isMet("ani", own, "==", value)).toBe(false);
    expect(isMet("ani", own, "!=", value)).toBe(true);
  });

  test("contains digits, whatever stands between them", () => {
    expect(isMet("ani", "+49 30 998877", "~", "099")).toBe(true);
    expect(isMet("ani", "+49 30 998877", "~", "(49) 3")).toBe(true);
    expect(isMet("ani", "+49 30 998877", "~", "37")).toBe(false);
    expect(isMet("ani", "sip:reception@example.com", "~", "RECEPTION")).toBe(true);
  });

  test("in other fields a number is a text", () => {
    expect(isMet("custom_field_1", "030998877", "==", "+49 30 998877")).toBe(false);
  });
});

test.each([
  ["Zoë Sántos", "ZOE SANTOS", true],
  ["Zoe\u0308", "zoë", true],
  ["Søren Łukasz", "soren lukasz", true],
  ["Straße", "STRASSE", true],
  ["ΟΔΟΣ", "οδος", true],
  ["İzmir", "i", true],
  ["Ｆｕｌｌ", "full", true],
  ["co\u00adoperate", "COOPERATE", true],
  ["Refund:\n agreed", "refund agreed", true],
  ["early-termination", "early termination", true],
  ["refunded", "fund", true],
  ["ab", "a b", false],
  ["100 calls", "10%", false],
  ["a discount of 10%", "10%", true],
  ["the letter C", "C++", false],
  ['said "no"', '"NO"', true],
  ["5 € back", "€", true],
  ["nothing", "€", false],
  ["any text", "", true],
  ["", "", false],
  [null, "", false],
])("%j contains %j: %j", (own, value, expected) => {
  expect(isMet("notes", own, "~", value)).toBe(expected);
});

test.each([
  [" ANN ", "ann", true],
  ["Zoe\u0308", "ZOË", true],
  ["Zoë", "Zoe", false],
  ["Straße", "STRASSE", false],
  ["ann b", "ann", false],
  ["", "", false],
  [null, "null", false],
  [undefined, "undefined", false],
])("%j is %j as the archive matches whole values (D08): %j", (own, value, expected) => {
  expect(isMet("agent", own, "==", value)).toBe(expected);
  expect(isMet("agent", own, "!=", value)).toBe(!expected);
});

test("orders are those of texts or of numbers, and false where there is nothing", () => {
  expect(isMet("talk_time", 601, ">", 600)).toBe(true);
  expect(isMet("talk_time", "95", "<=", 600)).toBe(true);
  expect(isMet("talk_time", null, "<", 600)).toBe(false);
  expect(isMet("talk_time", null, "!=", 600)).toBe(true);
  expect(isMet("zip", "0900", "<", 1000)).toBe(true);
  expect(isMet("agent", "ann", "<", 10)).toBe(false);
  expect(isMet("city", "berlin", "<", "Bonn")).toBe(true);
  expect(isMet("city", "BONN", ">=", "bonn")).toBe(true);
  expect(isMet("city", "", "<", "bonn")).toBe(false);
});

test("nothing is null, no value, or an empty text", () => {
  for (const own of [null, undefined, ""]) {
    expect(isMet("notes", own, "==", null)).toBe(true);
    expect(isMet("notes", own, "!=", null)).toBe(false);
  }
  expect(isMet("handle_time", 0, "==", null)).toBe(false);
});

test("a condition on the transcript also reads the chat, and one part that decides needs no others", () => {
  const isSaid: Test = { field: "transcript", comparison: "~", value: "refund" };
  const isLong: Test = { field: "talk_time", comparison: ">", value: 600 };
  const said = toJudge(isSaid);
  const call = { transcript: "a gift", talk_time: 60 };
  expect(said(call, undefined)).toBe(undefined);
  expect(said(call, "A REFUND")).toBe(true);
  expect(said({ transcript: "Refund" }, undefined)).toBe(true);
  expect(toJudge(joinAll([isSaid, isLong]))(call, undefined)).toBe(false);
  expect(toJudge(joinAny([isSaid, isLong]))(call, undefined)).toBe(undefined);
  expect(toJudge(joinAny([isSaid, isLong]))({ ...call, talk_time: 601 }, undefined)).toBe(true);
});
