// Null, which OpenAPI 3.0 allows by `nullable` and 3.1 by a type.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const sent = (openapi: string, schema: JsonObject) => toDocument(schema, text, { openapi });
const answered = (openapi: string, schema: JsonObject) => toDocument(text, schema, { openapi });
const rate = (before: JsonObject, after: JsonObject) => greatestOf(compareDocuments(before, after));

const nullable = { ...text, nullable: true };

test("in 3.0 it allows null", () => {
  expect(rate(sent("3.0.3", text), sent("3.0.3", nullable))).toBe("additive");
  expect(rate(answered("3.0.3", text), answered("3.0.3", nullable))).toBe("breaking");
});

test("in 3.1 it says nothing", () => {
  expect(rate(sent("3.1.0", text), sent("3.1.0", nullable))).toBe("prose");
  const wrapped = { allOf: [text], nullable: true };
  expect(rate(answered("3.1.0", text), answered("3.1.0", wrapped))).toBe("prose");
});

test("what is carried from 3.0 into 3.1 allows null no more", () => {
  expect(rate(sent("3.0.3", nullable), sent("3.1.0", nullable))).toBe("breaking");
  expect(rate(answered("3.0.3", nullable), answered("3.1.0", nullable))).toBe("additive");
});

test("null in the words of 3.0 and 3.1 is the same", () => {
  const typed = { type: ["string", "null"] };
  expect(rate(sent("3.0.3", nullable), sent("3.1.0", typed))).toBe("prose");
  expect(rate(answered("3.0.3", nullable), answered("3.1.0", typed))).toBe("prose");
});

test("beside a wrapped schema it counts as another thing than in it", () => {
  const wrapped = { allOf: [text], nullable: true };
  expect(rate(answered("3.0.3", text), answered("3.0.3", wrapped))).not.toBe("prose");
});
