// What is written otherwise and means the same to who calls the service, and what comes along with it.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { rateBoth, text, toDocument } from "./documents.ts";

const components = {
  schemas: {
    Name: { ...text, maxLength: 9 },
    Named: { type: "object", properties: { name: { $ref: "#/components/schemas/Name" } } },
  },
};
const name = { $ref: "#/components/schemas/Name" };
const named = { $ref: "#/components/schemas/Named" };

/** The findings if a response has this schema. */
const findIn = (before: JsonObject, after: JsonObject) =>
  compareDocuments(
    toDocument(text, before, { components }),
    toDocument(text, after, { components }),
  );

const prose = [{ rating: "prose" }];

test.each<[string, JsonObject, JsonObject]>([
  ["alone", name, { allOf: [name] }],
  ["with prose beside it", name, { allOf: [name], description: "Of the agent.", "x-note": 1 }],
  ["with its own type beside it", named, { type: "object", allOf: [named] }],
  ["in another one", name, { allOf: [{ allOf: [name] }] }],
  ["as a field", { properties: { a: name } }, { properties: { a: { allOf: [name] } } }],
  [
    "as a choice",
    { anyOf: [name, { type: "null" }] },
    { anyOf: [{ allOf: [name] }, { type: "null" }] },
  ],
  [
    "with another in it",
    { allOf: [{ properties: { a: name } }] },
    { properties: { a: { allOf: [name] } } },
  ],
])("a schema that is wrapped in allOf means the same, either way: %s", (_, plain, wrapped) => {
  expect(findIn(plain, wrapped)).toMatchObject(prose);
  expect(findIn(wrapped, plain)).toMatchObject(prose);
});

test("a change of a schema that was also wrapped is reported at its definition", () => {
  const shorter = { schemas: { ...components.schemas, Name: { ...text, maxLength: 5 } } };
  const before = toDocument(text, named, { components });
  const after = toDocument(text, { allOf: [named], title: "A" }, { components: shorter });
  expect(compareDocuments(before, after)).toMatchObject([
    { rating: "additive", pointer: "#/components/schemas/Name/maxLength" },
  ]);
  expect(compareDocuments(after, before)).toMatchObject([{ rating: "breaking" }]);
});

test.each<[string, JsonObject, JsonObject]>([
  ["a bound beside it", name, { allOf: [name], minLength: 1 }],
  ["no more keys beside it", named, { allOf: [named], additionalProperties: false }],
  ["another of two", { allOf: [name] }, { allOf: [name, { minLength: 1 }] }],
])("keys next to a wrapped schema count: %s", (_, before, after) => {
  expect(greatestOf(findIn(before, after))).not.toBe("prose");
});

test("a schema that only refers to itself does not hang the comparison", () => {
  const itself = { $ref: "#/components/schemas/A" };
  const document = (A: JsonObject) =>
    toDocument(text, itself, { components: { schemas: { A, B: { allOf: [itself] } } } });
  const circle = document({ allOf: [{ $ref: "#/components/schemas/B" }] });
  expect(compareDocuments(document(text), circle).length).toBeGreaterThan(0);
  expect(compareDocuments(circle, document(text)).length).toBeGreaterThan(0);
});

/** A document with a path, one header that is answered and one that is sent. */
function toNotation(path: string, more: { answered?: string; sent?: string; media?: string } = {}) {
  const { answered = "X-Request-Id", sent = "If-Range", media = "application/json" } = more;
  const [, id = ""] = /\{(\w+)\}/.exec(path) ?? [];
  const ok = {
    description: "Calls.",
    headers: { [answered]: { schema: text } },
    content: { [media]: { schema: text } },
  };
  const parameters = [
    { name: id, in: "path", required: true, schema: text },
    { name: sent, in: "header", schema: text },
  ];
  const get = { operationId: "getCall", parameters, responses: { 200: ok } };
  return toDocument(text, text, { paths: { [path]: { get } } });
}

test.each([
  ["a header that is answered", { answered: "x-request-id" }],
  ["a header that is sent", { sent: "IF-RANGE" }],
  ["a media type", { media: "Application/JSON" }],
])("the letter case of %s means nothing", (_, more) => {
  const [before, after] = [toNotation("/calls/{id}"), toNotation("/calls/{id}", more)];
  expect(compareDocuments(before, after)).toMatchObject(prose);
});

test("a header in another letter case is compared with what it was", () => {
  const after = toNotation("/calls/{id}", { answered: "x-request-id" });
  const changed = JSON.parse(
    JSON.stringify(after).replace(
      '"x-request-id":{"schema":{',
      '"x-request-id":{"schema":{"minLength":1,',
    ),
  );
  expect(compareDocuments(toNotation("/calls/{id}"), changed)).toMatchObject([
    { rating: "additive", rule: "minLength", message: expect.stringContaining("X-Request-Id") },
  ]);
});

test("the letter case of a path counts", () => {
  const findings = compareDocuments(toNotation("/calls/{id}"), toNotation("/Calls/{id}"));
  expect(findings.map(({ rule }) => rule)).toEqual(["gone", "new"]);
});

test("a renamed path parameter is one finding", () => {
  const documents = [toNotation("/calls/{id}"), toNotation("/calls/{call_id}")] as const;
  expect(compareDocuments(...documents)).toMatchObject([{ rating: "prose", rule: "rest" }]);
  const findings = compareDocuments(...documents, { rules: { "path-parameter-name": "on" } });
  expect(findings).toMatchObject([
    {
      rating: "breaking",
      rule: "path-parameter-name",
      pointer: "#/paths/~1calls~1{call_id}/get/parameters/0/name",
      message:
        'GET /calls/{id} path id: generated clients call it by another name ("id" -> "call_id")',
    },
  ]);
});

test("a change of a wrapped schema is rated for both sides", () => {
  expect(rateBoth({ allOf: [text] }, { ...text, maxLength: 3 })).toEqual({
    sent: "breaking",
    answered: "additive",
  });
});

const LETTERS = ["a", "b"];
const titled = LETTERS.map((letter) => ({ const: letter, title: letter.toUpperCase() }));

test.each<[string, JsonObject, JsonObject]>([
  ["with a type of all", { type: "string", enum: LETTERS }, { type: "string", oneOf: titled }],
  [
    "with a type of each",
    { type: "string", enum: LETTERS },
    { anyOf: titled.map((one) => ({ ...one, type: "string" })) },
  ],
  ["in lists", { enum: [1, 2, 3] }, { oneOf: [{ enum: [1, 2] }, { const: 3 }] }],
])("listed values are the same as a choice of constants: %s", (_, listed, choice) => {
  expect(rateBoth(listed, choice)).toEqual({ sent: "prose", answered: "prose" });
  expect(rateBoth(choice, listed)).toEqual({ sent: "prose", answered: "prose" });
});

test("a value that two members of oneOf have is allowed by none", () => {
  const twice = { oneOf: [{ enum: ["a", "b"] }, { const: "b" }] };
  expect(rateBoth({ enum: LETTERS }, twice).sent).toBe("breaking");
});

test.each([
  ["binary", { contentMediaType: "application/octet-stream" }],
  ["byte", { contentEncoding: "base64" }],
])("%s of 3.0 is the same in the words of 3.1", (format, said) => {
  const [old, now] = [{ format }, said].map((more, at) =>
    toDocument({ type: "string", ...more }, { type: "string", ...more }, { openapi: `3.${at}.0` }),
  ) as [JsonObject, JsonObject];
  expect(greatestOf(compareDocuments(old, now))).toBe("prose");
});
