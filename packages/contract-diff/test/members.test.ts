// Members of anyOf, oneOf and allOf: which of them are compared with each other.
import { describe, expect, test } from "vitest";
import { compareDocuments, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const kind = (value: string, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { kind: { const: value }, ...more },
});
const toRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

test("a member is compared with the one that is called the same, wherever it stands", () => {
  const toChoice = (names: string[], more: JsonObject) => {
    const schemas = {
      Call: kind("call", more),
      Chat: kind("chat", more),
      Mail: kind("mail", more),
    };
    return toDocument(text, { oneOf: names.map(toRef) }, { components: { schemas } });
  };
  const found = compareDocuments(
    toChoice(["Call", "Chat", "Mail"], {}),
    toChoice(["Mail", "Chat"], { agent: text }),
  );
  expect(found.map(({ rule }) => rule).toSorted()).toEqual(["new", "new", "oneOf"]);
});

test("a member without a name of its own goes by its title", () => {
  const toChoice = (...values: string[]) => {
    const more = { more: values.length > 1 ? text : { type: "string", maxLength: 9 } };
    return toDocument(text, {
      anyOf: values.map((value) => ({ ...kind(value, more), title: value })),
    });
  };
  const found = compareDocuments(toChoice("call", "chat"), toChoice("chat"));
  expect(found.map(({ rule }) => rule).toSorted()).toEqual(["anyOf", "maxLength"]);
});

describe("a schema that says its fields in allOf, and one that says them itself", () => {
  const flat = { type: "object", required: ["id"], properties: { id: text, name: text } };
  const base = { type: "object", required: ["id"], properties: { id: text } };
  const more = { properties: { name: text }, description: "Its name." };
  const toDocuments = (Call: JsonObject) =>
    toDocument(Call, text, { components: { schemas: { Base: base, Same: base } } });

  test.each<[string, JsonObject]>([
    ["two members", { allOf: [base, more] }],
    ["a reference and a member", { allOf: [toRef("Base"), more] }],
    ["fields beside a reference", { ...more, allOf: [toRef("Base")] }],
    ["members of members", { allOf: [{ allOf: [toRef("Base")] }, { allOf: [more, {}] }] }],
    ["another reference that says the same", { allOf: [toRef("Same"), toRef("Base"), more] }],
    ["a member twice", { allOf: [toRef("Base"), { allOf: [toRef("Base"), more] }] }],
  ])("are the same: %s", (_, extended) => {
    const [one, other] = [toDocuments(flat), toDocuments(extended)];
    expect(compareDocuments(one, other)).toMatchObject([{ rating: "prose" }]);
    expect(compareDocuments(other, one)).toMatchObject([{ rating: "prose" }]);
  });

  test("lists of as many members that refer to other schemas are the same", () => {
    const schemas = { Base: base, More: more, Flat: flat, Empty: {} };
    const [one, other] = [
      ["Base", "More"],
      ["Flat", "Empty"],
    ].map((names) => toDocument({ allOf: names.map(toRef) }, text, { components: { schemas } }));
    expect(compareDocuments(one ?? {}, other ?? {})).toMatchObject([{ rating: "prose" }]);
  });

  test("a lost field is reported at its own place", () => {
    const extended = { allOf: [toRef("Base"), { properties: { agent: text } }] };
    expect(compareDocuments(toDocuments(flat), toDocuments(extended))).toMatchObject([
      { rule: "gone", pointer: expect.stringMatching(/\/schema\/properties\/name$/) },
      { rule: "new", pointer: expect.stringMatching(/\/schema\/allOf\/1\/properties\/agent$/) },
    ]);
  });

  test("a bound that only one document has is a change", () => {
    const strict = {
      allOf: [toRef("Base"), { properties: { ...more.properties, id: { maxLength: 9 } } }],
    };
    expect(compareDocuments(toDocuments(flat), toDocuments(strict))).toMatchObject([
      { rating: "breaking", rule: "maxLength" },
    ]);
  });
});

const messageOf = (before: JsonObject, after: JsonObject) =>
  compareDocuments(toDocument(text, before), toDocument(text, after)).map(({ message }) => message);

test("the message names the first new and removed values of a long list", () => {
  const months = ["january", "february", "march", "april", "may", "june", "july", "august"];
  const told = messageOf({ enum: months }, { enum: [...months.slice(1), "undecember"] });
  expect(told).toEqual([expect.stringContaining('("undecember" is new; "january" is gone)')]);
  expect(messageOf({ enum: ["undecember"] }, { enum: [...months, "undecember"] })).toEqual([
    expect.stringContaining('("january", "february", "march" and 5 other are new)'),
  ]);
});

test("the message names new schemas of a choice by their title or their text", () => {
  const [call, chat, mail] = ["call", "chat", "mail"].map((name) => kind(name, { id: text }));
  const titled = { ...mail, title: "Mail" };
  expect(messageOf({ oneOf: [call, chat] }, { oneOf: [titled, chat, call] })).toEqual([
    expect.stringContaining("oneOf allows more values (Mail is new)"),
  ]);
  expect(messageOf({ oneOf: [call] }, { oneOf: [chat, call] })).toEqual([
    expect.stringContaining('({"type":"object","properties":{"kind":{"const":"chat"}'),
  ]);
});

test("a change within a choice is reported once", () => {
  const [old, now] = [["integer"], ["integer", "null"]].map((type) => ({
    oneOf: [{ type: ["string", "null"] }, { type }],
  }));
  expect(compareDocuments(toDocument(old ?? {}, text), toDocument(now ?? {}, text))).toMatchObject([
    { rating: "breaking", rule: "oneOf" },
  ]);
});
