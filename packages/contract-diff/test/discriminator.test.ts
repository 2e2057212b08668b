// What tells the schemas of a list apart, and the names that it goes by.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const components = {
  schemas: {
    Name: { ...text, maxLength: 9 },
    Named: { type: "object", properties: { name: { $ref: "#/components/schemas/Name" } } },
  },
};
const name = { $ref: "#/components/schemas/Name" };
const named = { $ref: "#/components/schemas/Named" };

const rate = (before: JsonObject, after: JsonObject) => greatestOf(compareDocuments(before, after));

const kinds = (discriminator?: JsonObject): JsonObject => ({
  oneOf: [name, named],
  ...(discriminator && { discriminator }),
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["that comes", kinds(), kinds({ propertyName: "kind" }), "additive"],
  ["that goes", kinds({ propertyName: "kind" }), kinds(), "breaking"],
  ["by another field", kinds({ propertyName: "a" }), kinds({ propertyName: "b" }), "breaking"],
  [
    "with a name more",
    kinds({ propertyName: "a" }),
    kinds({ propertyName: "a", mapping: { n: "Name" } }),
    "additive",
  ],
  [
    "with a name less",
    kinds({ propertyName: "a", mapping: { n: "Name" } }),
    kinds({ propertyName: "a" }),
    "breaking",
  ],
  [
    "with a name for another schema",
    kinds({ propertyName: "a", mapping: { n: "Name" } }),
    kinds({ propertyName: "a", mapping: { n: "Named" } }),
    "breaking",
  ],
  [
    "with the same schema, named otherwise",
    kinds({ propertyName: "a", mapping: { n: "Name", o: "none" } }),
    kinds({ propertyName: "a", mapping: { o: "none", n: "#/components/schemas/Name" } }),
    "prose",
  ],
])("a discriminator %s", (_, before, after, rating) => {
  const sent = (schema: JsonObject) => toDocument(schema, text, { components });
  const answered = (schema: JsonObject) => toDocument(text, schema, { components });
  expect(rate(sent(before), sent(after))).toBe(rating);
  expect(rate(answered(before), answered(after))).toBe(rating);
});

const kind = (more: JsonObject = {}) => ({ type: "object", properties: { kind: text }, ...more });

/** An answer that is one of several components, which are told apart by a field. */
function toChoice(schemas: JsonObject, mapping?: JsonObject) {
  const oneOf = Object.keys(schemas).map((schema) => ({ $ref: `#/components/schemas/${schema}` }));
  const discriminator = { propertyName: "kind", ...(mapping && { mapping }) };
  return toDocument(text, { oneOf, discriminator }, { components: { schemas } });
}

test("without a mapping the names of components are values", () => {
  const before = toChoice({ Call: kind(), Chat: kind({ required: ["kind"] }) });
  const renamed = { Talk: kind(), Chat: kind({ required: ["kind"] }) };
  expect(rate(before, toChoice(renamed))).toBe("breaking");
  expect(rate(before, toChoice(renamed, { Call: "Talk" }))).toBe("prose");
  expect(rate(before, toChoice({ Chat: kind({ required: ["kind"] }) }))).toBe("additive");
});

test("with one they are none", () => {
  const before = toChoice({ Call: kind() }, { call: "Call" });
  expect(rate(before, toChoice({ Talk: kind() }, { call: "Talk" }))).toBe("prose");
});

test("a component that extends the one with the discriminator is chosen by its name, too", () => {
  const document = (extending: string) => {
    const Item = kind({ discriminator: { propertyName: "kind" } });
    const Extending = { allOf: [{ $ref: "#/components/schemas/Item" }] };
    const schemas = { Item, [extending]: Extending };
    return toDocument(text, { $ref: "#/components/schemas/Item" }, { components: { schemas } });
  };
  expect(rate(document("Call"), document("Talk"))).toBe("breaking");
});

test.each([
  ["is described", kind({ description: "A call." }), "prose"],
  ["gets a field", { ...kind(), properties: { kind: text, id: text } }, "additive"],
  ["loses one", kind({ properties: {} }), "breaking"],
])("a mapped schema that %s is the only finding", (_, after, rating) => {
  const mapping = { call: "#/components/schemas/Call" };
  const findings = compareDocuments(
    toChoice({ Call: kind() }, mapping),
    toChoice({ Call: after }, mapping),
  );
  expect(findings).toMatchObject([{ rating }]);
});
