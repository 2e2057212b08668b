// Null, which OpenAPI 3.0 allows by `nullable` and 3.1 by a type.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { rateBoth, text, toDocument } from "./documents.ts";

const sent = (openapi: string, schema: JsonObject) => toDocument(schema, text, { openapi });
const answered = (openapi: string, schema: JsonObject) => toDocument(text, schema, { openapi });
const rate = (before: JsonObject, after: JsonObject) => greatestOf(compareDocuments(before, after));

const nullable = { ...text, nullable: true };

test("in 3.0 it allows null", () => {
  expect(rate(sent("3.0.3", text), sent("3.0.3", nullable))).toBe("additive");
  expect(rate(answered("3.0.3", text), answered("3.0.3", nullable))).toBe("breaking");
});

test.each<[string, JsonObject, JsonObject]>([
  ["by itself", text, nullable],
  ["beside a reference in a list", text, { allOf: [text], nullable: true }],
])("in 3.1 it says nothing, but means null to who wrote it: %s", (_, before, after) => {
  const gained = compareDocuments(answered("3.1.0", before), answered("3.1.0", after));
  expect(gained).toMatchObject([
    { rating: "breaking", rule: "nullable", message: expect.stringContaining("says nothing") },
  ]);
  expect(rate(sent("3.1.0", before), sent("3.1.0", after))).toBe("additive");
  expect(rate(sent("3.1.0", after), sent("3.1.0", before))).toBe("breaking");
});

test("next to the null of 3.1, nullable changes nothing", () => {
  const typed = { type: ["string", "null"] };
  expect(rate(answered("3.1.0", typed), answered("3.1.0", { ...typed, nullable: true }))).toBe(
    "prose",
  );
});

test("nullable no longer allows null after a move from 3.0 to 3.1", () => {
  expect(rate(sent("3.0.3", nullable), sent("3.1.0", nullable))).toBe("breaking");
  expect(rate(answered("3.0.3", nullable), answered("3.1.0", nullable))).toBe("additive");
});

test("null in the words of 3.0 and 3.1 is the same", () => {
  const typed = { type: ["string", "null"] };
  expect(rate(sent("3.0.3", nullable), sent("3.1.0", typed))).toBe("prose");
  expect(rate(answered("3.0.3", nullable), answered("3.1.0", typed))).toBe("prose");
});

test("nullable next to a wrapped schema differs from nullable in it", () => {
  const wrapped = { allOf: [text], nullable: true };
  expect(rate(answered("3.0.3", text), answered("3.0.3", wrapped))).not.toBe("prose");
});

const none = { type: "null" };
const listed = { type: "string", enum: ["user", "service"] };
const named = { type: "object", properties: { name: text }, required: ["name"] };

test.each<[string, JsonObject, JsonObject]>([
  ["of anyOf", text, { anyOf: [text, none] }],
  ["of oneOf beside listed values", listed, { oneOf: [none, listed] }],
  [
    "beside a value",
    { type: "string", const: "a" },
    { anyOf: [{ type: "string", const: "a" }, none] },
  ],
  ["beside an object", named, { oneOf: [named, none] }],
  ["beside a description", text, { anyOf: [text, none], description: "Or none." }],
  ["more", { anyOf: [text, { type: "integer" }] }, { anyOf: [text, { type: "integer" }, none] }],
])("null as a choice %s is judged by what it allows", (_, before, after) => {
  expect(rateBoth(before, after)).toEqual({ sent: "additive", answered: "breaking" });
  expect(rateBoth(after, before)).toEqual({ sent: "breaking", answered: "additive" });
});

test.each<[string, JsonObject, JsonObject]>([
  ["a list of types", { type: ["string", "null"] }, { anyOf: [text, none] }],
  ["the other list", { anyOf: [named, none] }, { oneOf: [none, named] }],
  [
    "a list of values",
    { enum: ["a", null], type: ["string", "null"] },
    { anyOf: [none, { type: "string", enum: ["a"] }] },
  ],
])("null as a choice says the same as %s", (_, before, after) => {
  expect(rateBoth(before, after)).toEqual({ sent: "prose", answered: "prose" });
});

test("a choice of which two hold for null is not joined", () => {
  const both = { oneOf: [{ type: ["string", "null"] }, none] };
  expect(rateBoth({ type: ["string", "null"] }, both).sent).toBe("breaking");
});

test("a change in a choice with null is reported at its own place", () => {
  const inner = (name: JsonObject) => ({ oneOf: [{ ...named, properties: { name } }, none] });
  const findings = compareDocuments(toDocument(text, inner(text)), toDocument(text, inner(none)));
  expect(findings).toMatchObject([
    { pointer: expect.stringMatching(/oneOf\/0\/properties\/name/) },
  ]);
});
