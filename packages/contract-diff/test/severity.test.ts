// Rules that the owner of a document overrules by their ids.
import { expect, test } from "vitest";
import {
  compareDocuments,
  greatestOf,
  type JsonObject,
  OPTIONAL_RULES,
  RULE_IDS,
} from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const before = toDocument({ ...text, default: "a" }, text);
const after = toDocument({ ...text, default: "b", unknown: 1 }, text);

test.each([
  [{}, { default: "breaking", unjudged: "breaking" }],
  [{ default: "additive" }, { default: "additive", unjudged: "breaking" }],
  [{ default: "off", unjudged: "prose" }, { unjudged: "prose" }],
  [{ default: "off", unjudged: "off" }, { rest: "prose" }],
] as const)("severities %j", (rules, expected) => {
  const findings = compareDocuments(before, after, { rules });
  expect(Object.fromEntries(findings.map(({ rule, rating }) => [rule, rating]))).toEqual(expected);
});

test("a change that no rule can judge is named", () => {
  expect(compareDocuments(before, after)).toContainEqual(
    expect.objectContaining({
      pointer: expect.stringMatching(/\/schema\/unknown$/),
      message: expect.stringContaining("no rule can judge the change of unknown"),
    }),
  );
});

test("every rule that finds something has its id in the list", () => {
  expect(RULE_IDS).toEqual(expect.arrayContaining(["default", "gone", "new", "unjudged"]));
  expect(RULE_IDS).toEqual(expect.arrayContaining([...OPTIONAL_RULES]));
  expect(new Set(RULE_IDS).size).toBe(RULE_IDS.length);
});

const [A, B, C] = ["a", "b", "c"].map((kind) => ({
  type: "object",
  title: kind.toUpperCase(),
  properties: { kind: { const: kind } },
}));
const [two, three] = [{ oneOf: [A, B] }, { oneOf: [A, B, C] }];

test.each([
  ["of an answer alone", { oneOf: "additive" }, "additive", "breaking"],
  ["that is named", { "answer.oneOf": "additive" }, "additive", "breaking"],
  ["of a request by name", { "request.oneOf": "additive" }, "breaking", "additive"],
  [
    "that is named before the other",
    { oneOf: "off", "answer.oneOf": "on" },
    "breaking",
    "breaking",
  ],
] as const)("a severity of a schema is that %s", (_, rules, answered, sent) => {
  const rate = (old: JsonObject, now: JsonObject) =>
    greatestOf(compareDocuments(old, now, { rules }));
  expect(rate(toDocument(text, two), toDocument(text, three))).toBe(answered);
  expect(rate(toDocument(three, text), toDocument(two, text))).toBe(sent);
});
