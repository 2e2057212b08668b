// Callbacks, which are requests that the service sends: the client answers them.
import { expect, test } from "vitest";
import { compareDocuments, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const media = (schema: JsonObject) => ({ content: { "application/json": { schema } } });

/** A document whose operation calls back: what it sends, and what it takes as an answer. */
function toCalling(sent: JsonObject, answered: JsonObject, more: JsonObject = {}): JsonObject {
  const post = { requestBody: media(sent), responses: { "200": media(answered) } };
  const callbacks = { onCall: { "{$request.body#/url}": { post } }, ...more };
  return toDocument(text, text, {
    paths: { "/watch": { post: { callbacks, responses: {} } } },
  });
}

const name = "POST callback onCall of POST /watch to {$request.body#/url}";

test("the client reads the request of a callback and sends its response", () => {
  const nullable = { type: ["string", "null"] };
  expect(compareDocuments(toCalling(text, text), toCalling(nullable, nullable))).toMatchObject([
    { rating: "breaking", message: expect.stringContaining(`${name} body application/json: type`) },
    { rating: "additive", message: expect.stringContaining(`${name} 200 application/json: type`) },
  ]);
});

test("a callback may come, but not go", () => {
  const post = { responses: {} };
  const more = { onEnd: { "{$request.body#/url}": { post } } };
  const [less, both] = [toCalling(text, text), toCalling(text, text, more)];
  expect(compareDocuments(less, both)).toMatchObject([{ rating: "additive", rule: "new" }]);
  expect(compareDocuments(both, less)).toMatchObject([{ rating: "breaking", rule: "gone" }]);
});
