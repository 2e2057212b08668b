// What OpenAPI 3.2 adds: other methods, and the schema of each item of a stream.
import { expect, test } from "vitest";
import { compareDocuments, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const toLatest = (item: JsonObject): JsonObject => ({
  ...toDocument(text, text, { paths: { "/calls": item } }),
  openapi: "3.2.0",
});

const answered = (media: JsonObject): JsonObject => ({
  operationId: "find",
  responses: { "200": { description: "Calls.", content: { "application/jsonl": media } } },
});

test.each([
  ["query", { query: answered({ schema: text }) }, "QUERY /calls is gone"],
  ["another method", { additionalOperations: { COPY: answered({ schema: text }) } }, "COPY /calls"],
])("an operation of %s is compared", (_, item, message) => {
  const findings = compareDocuments(toLatest(item), toLatest({}));
  expect(findings).toMatchObject([{ rating: "breaking", rule: "gone" }]);
  expect(findings[0]?.message).toContain(message);
});

test("the items of a stream have a schema", () => {
  const [one, two] = [{ type: "integer" }, { type: ["integer", "null"] }].map((itemSchema) =>
    toLatest({ get: answered({ itemSchema }) }),
  );
  expect(compareDocuments(one ?? {}, two ?? {})).toMatchObject([
    { rating: "breaking", rule: "type", message: expect.stringContaining("item") },
  ]);
});
