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

test("explode means nothing for a parameter with one value", () => {
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

test("a number in a form may become any text, and in JSON may not", () => {
  const toSent = (type: string, media: string) =>
    toDocument(text, text, {
      paths: {
        "/calls": {
          post: { requestBody: { content: { [media]: { schema: { type } } } }, responses: {} },
        },
      },
    });
  const rate = (media: string) =>
    greatestOf(compareDocuments(toSent("integer", media), toSent("string", media)));
  expect(rate("application/x-www-form-urlencoded")).toBe("additive");
  expect(rate("application/xml; charset=utf-8")).toBe("additive");
  expect(rate("application/json")).toBe("breaking");
});

test("the message of a field that becomes read-only says so, instead of reporting it as gone", () => {
  const toField = (readOnly: boolean) => ({ properties: { id: { ...text, readOnly } } });
  const [written, read] = [false, true].map((readOnly) => toDocument(toField(readOnly), text));
  expect(compareDocuments(written ?? {}, read ?? {})).toMatchObject([
    { rating: "breaking", rule: "gone", message: expect.stringContaining("is only read now") },
  ]);
  expect(compareDocuments(read ?? {}, written ?? {})).toMatchObject([
    { rating: "additive", rule: "new", message: expect.stringContaining("is sent now") },
  ]);
});

test("a new declaration of a path parameter is not a change, because the path already had it", () => {
  const toPath = (parameters: JsonObject[]) =>
    toDocument(text, text, { paths: { "/calls/{id}": { get: { parameters, responses: {} } } } });
  const parameter = { name: "id", in: "path", required: true, schema: text };
  const [bare, full] = [toPath([]), toPath([parameter])];
  expect(compareDocuments(bare, full)).toMatchObject([{ rating: "prose" }]);
  expect(compareDocuments(full, bare)).toMatchObject([{ rating: "prose" }]);
});
