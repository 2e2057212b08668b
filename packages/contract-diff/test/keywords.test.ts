// How each keyword of JSON Schema is judged, in what is sent and in what is answered.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { rateBoth, rateParameter, text, toDocument } from "./documents.ts";

type Line = readonly [what: string, before: JsonObject, after: JsonObject];

const none = { type: "null" };
const object = (id: JsonObject, more: JsonObject = {}) => ({
  type: "object",
  properties: { id },
  ...more,
});

const NARROWER: readonly Line[] = [
  ["a lower maximum", { maximum: 9 }, { maximum: 5 }],
  ["a maximum that is itself not allowed", { maximum: 9 }, { exclusiveMaximum: 9 }],
  ["the same, as OpenAPI 3.0 says it", { maximum: 9 }, { maximum: 9, exclusiveMaximum: true }],
  ["a second bound that binds", { minimum: 1 }, { minimum: 1, exclusiveMinimum: 3 }],
  ["a longer least length", { minLength: 1 }, { minLength: 2 }],
  ["a pattern", {}, { pattern: "^a" }],
  ["a kind of content", {}, { contentMediaType: "audio/wav" }],
  [
    "a pattern that a listed value does not keep",
    { enum: ["a", "b"] },
    { enum: ["a", "b"], pattern: "^a" },
  ],
  ["a maximum under a listed value", { enum: [1, 20] }, { enum: [1, 20], maximum: 9 }],
  [
    "a format, of which it is not known what keeps it",
    { enum: ["a"] },
    { enum: ["a"], format: "id" },
  ],
  ["multiples of a multiple", { multipleOf: 2 }, { multipleOf: 4 }],
  ["items that are all different", { uniqueItems: false }, { uniqueItems: true }],
  ["a smaller kind of number", { format: "double" }, { format: "float" }],
  ["a field that is always there", {}, { required: ["id"] }],
  [
    "no other keys, where they had a schema",
    { additionalProperties: text },
    { additionalProperties: false },
  ],
  ["no items", { type: "array" }, { type: "array", items: false }],
  ["values that are not allowed", {}, { not: { const: "" } }],
  ["a condition on names", {}, { propertyNames: { maxLength: 9 } }],
  ["fields that come together", {}, { dependentRequired: { id: ["no"] } }],
  ["a condition for a case", {}, { if: text, else: { minimum: 1 } }],
  ["something that is in the list", {}, { contains: text }],
  ["a choice fewer, the first", { oneOf: [none, text] }, { oneOf: [text] }],
  [
    "a choice that is narrower",
    { anyOf: [none, text] },
    { anyOf: [none, { ...text, maxLength: 3 }] },
  ],
];

const WIDER: readonly Line[] = [
  ["a pattern that is lifted", { pattern: "^a" }, {}],
  ["a bound that may be reached", { minimum: 0, exclusiveMinimum: true }, { minimum: 0 }],
  ["divisors", { multipleOf: 10 }, { multipleOf: 5 }],
  ["items that may be the same", { uniqueItems: true }, { uniqueItems: false }],
  ["a larger kind of number", { format: "int32" }, { format: "int64" }],
  ["a format that is lifted", { format: "date" }, {}],
  ["a pattern of any text", { pattern: "^a" }, { pattern: ".*" }],
  ["fewer items that must be contained", { contains: text, minContains: 3 }, { contains: text }],
  ["more items that may be contained", { maxContains: 3 }, { maxContains: 4 }],
  [
    "a field that asks for no other",
    { dependentRequired: { a: ["b", "c"] } },
    { dependentRequired: { a: ["b"] } },
  ],
  ["content without a schema", { contentSchema: text }, {}],
  ["a field that may be missing", { required: ["id"] }, { required: [] }],
  ["a condition that is lifted", { not: { const: "" } }, {}],
  ["null among types", text, { type: ["string", "null"] }],
  ["a value more", { const: "a" }, { enum: ["a", "b"] }],
  ["a choice more, the first", { anyOf: [text] }, { anyOf: [none, text] }],
  ["a condition fewer of all, the first", { allOf: [{ minLength: 1 }, text] }, { allOf: [text] }],
];

const SAME: readonly Line[] = [
  [
    "more than 0 of integers, and at least 1",
    { type: "integer", minimum: 1 },
    { type: "integer", exclusiveMinimum: 0 },
  ],
  [
    "an open bound in the words of 3.0 and 3.1",
    { maximum: 9, exclusiveMaximum: true },
    { exclusiveMaximum: 9 },
  ],
  ["an open bound that is not", { minimum: 0, exclusiveMinimum: false }, { minimum: 0 }],
  ["a bound that another makes needless", { minimum: 5 }, { minimum: 5, exclusiveMinimum: 3 }],
  ["multiples of 1 that are integers", { type: "integer" }, { type: "integer", multipleOf: 1 }],
  [
    "bounds of listed numbers",
    { enum: [2, 4] },
    { enum: [2, 4], minimum: 2, maximum: 4, multipleOf: 2 },
  ],
  [
    "lengths of listed texts",
    { enum: ["in", "é😀"] },
    { enum: ["in", "é😀"], minLength: 2, maxLength: 2 },
  ],
  [
    "another pattern of listed texts",
    { enum: ["in"], pattern: "^i" },
    { enum: ["in"], pattern: "n$" },
  ],
  [
    "a type more than listed values have",
    { ...text, const: "a" },
    { type: ["string", "null"], const: "a" },
  ],
  [
    "what a listed object has",
    { const: { id: 1 } },
    { const: { id: 1 }, required: ["id"], maxProperties: 1 },
  ],
  ["what a listed list has", { const: [1, 2] }, { const: [1, 2], uniqueItems: true, minItems: 2 }],
  ["items that may be the same, said", {}, { uniqueItems: false }],
  ["its type, said of fields", { properties: { id: text } }, object(text)],
  ["its type, said of items", { items: text }, { type: "array", items: text }],
  ["a pattern of any text", {}, { pattern: "" }],
  ["a member that binds nothing", { allOf: [text] }, { allOf: [text, { description: "A." }] }],
  ["no bound, said", {}, { minLength: 0, minItems: 0, minProperties: 0 }],
  ["any items, said", { type: "array" }, { type: "array", items: {} }],
  ["any other keys, said", {}, { additionalProperties: {} }],
  ["a list of one value and that value", { enum: ["a"] }, { const: "a" }],
  ["choices in another order", { oneOf: [text, none] }, { oneOf: [none, text] }],
  ["a field that is not only read, said", object(text), object({ ...text, readOnly: false })],
  ["title, examples and comment", text, { ...text, title: "a", examples: ["a"], $comment: "a" }],
];

test.each(NARROWER)("%s: fewer values", (_, before, after) => {
  expect(rateBoth(before, after)).toEqual({ sent: "breaking", answered: "additive" });
});

test.each(WIDER)("%s: more values", (_, before, after) => {
  expect(rateBoth(before, after)).toEqual({ sent: "additive", answered: "breaking" });
});

test.each(SAME)("%s: the same values", (_, before, after) => {
  expect(rateBoth(before, after)).toEqual({ sent: "prose", answered: "prose" });
});

test.each<Line>([
  ["another pattern", { pattern: "^a" }, { pattern: "^b" }],
  ["another kind of content", { contentMediaType: "text/html" }, { contentMediaType: "text/csv" }],
  ["another format", { format: "date" }, { format: "date-time" }],
  ["another divisor", { multipleOf: 10 }, { multipleOf: 4 }],
  [
    "all of a choice others",
    { anyOf: [{ minLength: 1 }, { maxLength: 5 }] },
    { oneOf: [{ minLength: 1 }, { maxLength: 5 }] },
  ],
])("%s: other values", (_, before, after) => {
  expect(rateBoth(before, after)).toEqual({ sent: "breaking", answered: "breaking" });
});

const readOnly = { ...text, readOnly: true };
const writeOnly = { ...text, writeOnly: true };
const required = { required: ["id"] };

test.each<readonly [string, JsonObject, JsonObject, string, string]>([
  ["a default where none was said", text, { ...text, default: "a" }, "additive", "prose"],
  ["another default", { default: "a" }, { default: "b" }, "breaking", "prose"],
  ["deprecated", text, { ...text, deprecated: true }, "additive", "additive"],
  ["a field that is only read", object(text), object(readOnly), "breaking", "prose"],
  ["a field that was only read", object(readOnly), object(text), "additive", "prose"],
  ["the same, required", object(readOnly, required), object(text, required), "breaking", "prose"],
  ["a field that is only sent", object(text), object(writeOnly), "prose", "breaking"],
  ["a field that was only sent", object(writeOnly), object(text), "prose", "additive"],
  [
    "a required field more that is only read",
    { type: "object" },
    object(readOnly, required),
    "prose",
    "additive",
  ],
])("%s", (_, before, after, sent, answered) => {
  expect(rateBoth(before, after)).toEqual({ sent, answered });
});

test.each<readonly [string, JsonObject, JsonObject, string]>([
  [
    "a listed value fewer",
    { schema: { enum: ["a", "b"] } },
    { schema: { enum: ["a"] } },
    "breaking",
  ],
  [
    "a listed value more",
    { schema: { enum: ["a"] } },
    { schema: { enum: ["a", "b"] } },
    "additive",
  ],
  ["its style, as it was unsaid", {}, { style: "form", explode: true }, "prose"],
  ["another style", {}, { style: "pipeDelimited" }, "breaking"],
  ["values that are not repeated", { schema: {} }, { schema: {}, explode: false }, "breaking"],
  ["a number that may be any text", { schema: { type: "integer" } }, {}, "additive"],
  ["a text that must be a number", {}, { schema: { type: "integer" } }, "breaking"],
  ["several values", {}, { schema: { type: "array", items: text } }, "additive"],
  [
    "several values of another type",
    {},
    { schema: { type: "array", items: { type: "integer" } } },
    "breaking",
  ],
  ["at least two values", {}, { schema: { type: "array", items: text, minItems: 2 } }, "breaking"],
  [
    "several values in one",
    {},
    { schema: { type: "array", items: text }, explode: false },
    "breaking",
  ],
  ["one value, where several were", { schema: { type: "array", items: text } }, {}, "breaking"],
  ["it may be empty", {}, { allowEmptyValue: true }, "additive"],
  ["it may be empty no more", { allowEmptyValue: true }, {}, "breaking"],
  ["no reserved characters, said", {}, { allowReserved: false }, "prose"],
])("a change of a parameter is rated: %s", (_, before, after, rating) => {
  expect(rateParameter(before, after)).toBe(rating);
});

test("other fields in a response that allowed none are breaking only by the rule closed-answer", () => {
  const [before, after] = [false, text].map((others) => ({ additionalProperties: others }));
  expect(rateBoth(before ?? {}, after ?? {})).toEqual({ sent: "additive", answered: "prose" });
  const documents = [before, after].map((schema) => toDocument(text, schema ?? {}));
  const rules = { "closed-answer": "on" } as const;
  expect(compareDocuments(documents[0] ?? {}, documents[1] ?? {}, { rules })).toMatchObject([
    { rating: "breaking", rule: "closed-answer" },
  ]);
});

test.each([
  ["not", "breaking"],
  ["if", "breaking"],
  ["propertyNames", "breaking"],
  ["prefixItems", "additive"],
  ["patternProperties", "additive"],
])("%s that refers to a schema changes with it, by whatever name: %s", (keyword, rating) => {
  const referring = (name: string, schema: JsonObject) => {
    const reference = { $ref: `#/components/schemas/${name}` };
    const components = { schemas: { [name]: schema } };
    const holders = { prefixItems: [reference], patternProperties: { "^x": reference } };
    const holder = Object.entries(holders).find(([key]) => key === keyword)?.[1] ?? reference;
    return toDocument({ [keyword]: holder }, text, { components });
  };
  const before = referring("Call", { ...text, maxLength: 3 });
  const after = (schema: JsonObject) =>
    greatestOf(compareDocuments(before, referring("Record", schema)));
  expect(after({ ...text, maxLength: 5 })).toBe(rating);
  expect(after({ ...text, maxLength: 3 })).toBe("prose");
});

test("a format and a bound that come with a new type have no finding of their own", () => {
  const rulesOf = (before: JsonObject, after: JsonObject) =>
    compareDocuments(toDocument(before, text), toDocument(after, text)).map(({ rule }) => rule);
  const number = { type: "integer", format: "int32", minimum: 1 };
  expect(rulesOf(text, number)).toEqual(["type"]);
  expect(rulesOf({ type: "number" }, number)).toEqual(["type", "format", "minimum"]);
});
