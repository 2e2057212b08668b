// What no rule can judge says what differs and where; lists of schemas are judged as far as both documents have the same.
import { expect, test } from "vitest";
import { compareDocuments, type JsonObject } from "../src/index.ts";
import { rateBoth, text, toDocument } from "./documents.ts";

test("a change that no rule can rate is reported with its place and both values", () => {
  const toNot = (pattern: string) =>
    toDocument(
      text,
      { not: { $ref: "#/components/schemas/Bad" } },
      {
        components: { schemas: { Bad: { properties: { id: { pattern } } } } },
      },
    );
  expect(compareDocuments(toNot("^a"), toNot("^b"))).toMatchObject([
    {
      rule: "unjudged",
      message: expect.stringContaining(
        'the change of not at #/components/schemas/Bad/properties/id/pattern ("^a" -> "^b")',
      ),
    },
  ]);
});

test.each([
  ["another schema", { "^x": text }, { "^x": { type: "integer" } }, "breaking", "breaking"],
  ["the same", { "^x": text }, { "^x": { ...text, title: "X" } }, "prose", "prose"],
  ["another pattern", { "^x": text }, { "^y": text }, "breaking", "breaking"],
  ["one pattern more", { "^x": text }, { "^x": text, "^y": text }, "breaking", "additive"],
  ["one pattern less", { "^x": text, "^y": text }, { "^x": text }, "additive", "breaking"],
])("patternProperties with %s", (_, before, after, sent, answered) => {
  const [old, now] = [{ patternProperties: before }, { patternProperties: after }];
  expect(rateBoth(old, now)).toEqual({ sent, answered });
});

test("where no other fields are allowed, one pattern more allows more, which no rule judges", () => {
  const toClosed = (patternProperties: JsonObject) => ({
    patternProperties,
    additionalProperties: false,
  });
  const ratings = rateBoth(toClosed({ "^x": text }), toClosed({ "^x": text, "^y": text }));
  expect(ratings).toEqual({ sent: "breaking", answered: "breaking" });
});

test("items at fixed places are compared one by one", () => {
  const toItems = (maxLength: number) => ({ prefixItems: [text, { ...text, maxLength }] });
  expect(rateBoth(toItems(3), toItems(5))).toEqual({ sent: "additive", answered: "breaking" });
  const longer = { prefixItems: [...toItems(3).prefixItems, text] };
  expect(rateBoth(toItems(3), longer)).toEqual({ sent: "breaking", answered: "additive" });
  const [closed, longerClosed] = [toItems(3), longer].map((schema) => ({
    ...schema,
    items: false,
  }));
  expect(rateBoth(closed ?? {}, longerClosed ?? {})).toEqual({
    sent: "breaking",
    answered: "breaking",
  });
});
