// References, and what stands beside them.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const call = { $ref: "#/components/schemas/Call" };
const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));

/** The rating of what is answered, in two documents of a version, each with a schema for calls of its own. */
function rateCalls(
  [before, callBefore]: readonly [JsonObject, JsonObject],
  [after, callAfter]: readonly [JsonObject, JsonObject],
  openapi = "3.1.0",
) {
  const toVersion = (schema: JsonObject, Call: JsonObject) =>
    toDocument(text, schema, { openapi, components: { schemas: { Call } } });
  return greatestOf(compareDocuments(toVersion(before, callBefore), toVersion(after, callAfter)));
}

const named = { type: "object", properties: fields("id", "name") };

test("fields that a reference or the keys next to it require are all required", () => {
  const beside = { ...call, required: ["id"] };
  const strict = { ...named, required: ["name"] };
  expect(rateCalls([beside, strict], [beside, named])).toBe("breaking");
  expect(rateCalls([beside, named], [beside, strict])).toBe("additive");
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["a field more", named, { properties: fields("agent") }, "additive"],
  ["the same field again", named, { properties: fields("id") }, "prose"],
  ["a description", named, { description: "A call." }, "prose"],
  ["its own type again", named, { type: "object" }, "prose"],
  ["a bound", named, { minProperties: 1 }, "additive"],
  ["a looser bound", { type: "string", maxLength: 3 }, { maxLength: 9 }, "additive"],
  ["another in allOf", { allOf: [named] }, { allOf: [{ required: ["id"] }] }, "additive"],
])("keys next to a reference in a response are rated: %s", (_, Call, beside, rating) => {
  expect(rateCalls([call, Call], [{ ...call, ...beside }, Call])).toBe(rating);
});

test("a reference stays in force if the keys next to it concern the same fields", () => {
  const short = { ...call, maxLength: 9 };
  const name = (maxLength: number) => ({ type: "string", maxLength });
  expect(rateCalls([short, name(3)], [short, name(5)])).toBe("breaking");
  const open = { ...call, properties: { id: { minLength: 1 } } };
  expect(rateCalls([open, named], [open, { ...named, properties: fields("id") }])).toBe("breaking");
});

test("keys next to one reference do not apply to another reference to the same schema", () => {
  const beside = (inner: JsonObject) => ({
    ...call,
    properties: { more: { type: "object", properties: { inner } } },
  });
  const both = (inner: JsonObject) => ({ properties: { a: beside(text), b: beside(inner) } });
  expect(rateCalls([both(text), named], [both({ type: "integer" }), named])).toBe("breaking");
  const plain = (b: JsonObject) => ({ properties: { a: call, b } });
  expect(rateCalls([plain(beside(text)), named], [plain(call), named])).toBe("breaking");
});

test("keys next to a reference of a schema to itself count", () => {
  const tree = (more: JsonObject) => ({
    properties: { id: text, below: { ...call, properties: { more } } },
  });
  expect(rateCalls([call, tree(text)], [call, tree({ type: "integer" })])).toBe("breaking");
});

test("additionalProperties next to a reference differs from additionalProperties in its target", () => {
  const closed = { ...call, properties: fields("agent"), additionalProperties: false };
  expect(rateCalls([closed, named], [closed, { ...named, additionalProperties: false }])).not.toBe(
    "prose",
  );
});

test("a key next to a reference is reported at its own place", () => {
  const components = { schemas: { Call: text } };
  const [before, after] = [call, { ...call, maxLength: 9 }].map((schema) =>
    toDocument(text, schema, { components }),
  );
  expect(compareDocuments(before ?? {}, after ?? {})).toMatchObject([
    { pointer: expect.stringMatching(/^#\/paths\/.*\/schema\/maxLength$/) },
  ]);
});

test("OpenAPI 3.0 ignores keys next to a reference", () => {
  const short = { ...call, maxLength: 3 };
  expect(rateCalls([call, text], [short, text], "3.0.3")).toBe("prose");
  expect(rateCalls([short, text], [{ ...call, maxLength: 9 }, text], "3.0.3")).toBe("prose");
});

test("next to a reference to a parameter, only a description has a meaning", () => {
  const document = (beside: JsonObject) => {
    const page = { name: "page", in: "query", schema: text };
    const parameters = [{ $ref: "#/components/parameters/Page", ...beside }];
    const paths = { "/calls": { get: { parameters, responses: {} } } };
    return toDocument(text, text, { paths, components: { parameters: { Page: page } } });
  };
  const required = compareDocuments(document({}), document({ required: true }));
  expect(required).toMatchObject([{ rating: "prose" }]);
});

test("a reference may name the anchor of a schema", () => {
  const byAnchor = { $ref: "#call" };
  const anchored = { ...text, $anchor: "call" };
  expect(rateCalls([byAnchor, anchored], [byAnchor, { ...anchored, type: "integer" }])).toBe(
    "breaking",
  );
  expect(rateCalls([call, anchored], [byAnchor, anchored])).toBe("prose");
  expect(() => rateCalls([byAnchor, text], [byAnchor, anchored])).toThrow(
    "#call, which is not there",
  );
});

test.each<[string, (link: string) => JsonObject]>([
  ["an example", (example) => ({ anyOf: [{ example: { $ref: example } }, text] })],
  ["examples", (example) => ({ anyOf: [{ examples: [{ $ref: example }] }, text] })],
  ["an extension", (note) => ({ anyOf: [{ "x-note": { $ref: note } }, text] })],
])("$ref in %s is not a reference", (_, toSchema) => {
  const [before, after] = ["https://a.example", "https://b.example"].map((link) =>
    toDocument(text, toSchema(link)),
  );
  expect(compareDocuments(before ?? {}, after ?? {})).toMatchObject([{ rating: "prose" }]);
});

test("nor is it in an extension of a path, or of what is answered", () => {
  const document = (link: string) => {
    const note = { "x-note": { $ref: link } };
    const get = { responses: { 200: { description: "Calls." }, ...note } };
    return toDocument(text, text, { paths: { "/calls": { get, ...note }, ...note } });
  };
  const findings = compareDocuments(document("https://a.example"), document("https://b.example"));
  expect(findings).toMatchObject([{ rating: "prose" }]);
});

test.each([[null], ["text"], [[]]])("%j is not a document", (none) => {
  // What was parsed of a file may be anything.
  const document = none as unknown as JsonObject;
  const fault = "no OpenAPI document";
  expect(() => compareDocuments(document, toDocument(text, text))).toThrow(fault);
  expect(() => compareDocuments(toDocument(text, text), document)).toThrow(fault);
});
