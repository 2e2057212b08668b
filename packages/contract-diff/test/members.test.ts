// Members of anyOf, oneOf and allOf: which of them are compared with each other.
import { expect, test } from "vitest";
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
