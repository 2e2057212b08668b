// What a client sends and gets around the schemas: parameters, links, servers, credentials.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { rateParameter, text, toDocument } from "./documents.ts";

const json = (schema: JsonObject) => ({
  schema: undefined,
  content: { "application/json": { schema } },
});

test("a parameter that becomes JSON, or is so no more, is written differently", () => {
  expect(rateParameter({}, json(text))).toBe("breaking");
  expect(rateParameter(json(text), {})).toBe("breaking");
  expect(rateParameter(json(text), json({ ...text, title: "A" }))).toBe("prose");
});

test("whether values are repeated means nothing where there is one", () => {
  expect(rateParameter({}, { explode: false })).toBe("prose");
  const list = { schema: { type: "array", items: text } };
  expect(rateParameter(list, { ...list, explode: false })).toBe("breaking");
  expect(rateParameter({}, { ...list, explode: false })).toBe("breaking");
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["that comes", {}, { next: { operationId: "a" } }, "additive"],
  ["that goes", { next: { operationId: "a" } }, {}, "breaking"],
  ["to elsewhere", { next: { operationId: "a" } }, { next: { operationId: "b" } }, "breaking"],
  [
    "with another body, whatever its names",
    { next: { operationId: "a", requestBody: { title: "$response.body#/a" } } },
    { next: { operationId: "a", requestBody: { title: "$response.body#/b" } } },
    "breaking",
  ],
  [
    "that is described",
    { next: { operationId: "a" } },
    { next: { operationId: "a", description: "The next page." } },
    "prose",
  ],
])("a link %s", (_, before, after, rating) => {
  const document = (links: JsonObject) => {
    const get = { responses: { 200: { description: "Calls.", links } } };
    return toDocument(text, text, { paths: { "/calls": { get } } });
  };
  expect(greatestOf(compareDocuments(document(before), document(after)))).toBe(rating);
});
