// The kinds of fields, and what of a search the service answers.
import { document, fieldsOf } from "@call-media/api";
import { isNumberField } from "@call-media/words";
import { expect, test } from "vitest";
import { isCustom, parseCondition, splitValues, toKind, toNarrowing } from "../src/index.ts";

const FIELDS = fieldsOf("MetadataRecord");

test("the kinds of fields are those of the contract and of searches by words", () => {
  const filter = document.components.schemas["MetadataFilter"]?.properties ?? {};
  expect(FIELDS.filter((field) => toKind(field) === "seconds").toSorted()).toEqual(
    Object.keys(filter)
      .filter((field) => filter[field]?.type === "integer")
      .toSorted(),
  );
  expect(FIELDS.filter((field) => toKind(field) === "telephone")).toEqual(
    FIELDS.filter(isNumberField),
  );
  expect(FIELDS.filter(isCustom).toSorted()).toEqual(fieldsOf("CustomFieldsFilter").toSorted());
});

test("the service looks for single values of one kind of fields, and the rest is judged", () => {
  expect(
    splitValues([
      ["agent", ["ann"]],
      ["talk_time", [60]],
      ["campaign", ["a", "b"]],
      ["custom_field_1", ["x"]],
      ["phone_number1", ["030998877"]],
      ["skill", []],
    ]),
  ).toEqual({
    by: "fields",
    filter: { agent: "ann", talk_time: 60 },
    rest: [
      {
        any: [
          { field: "campaign", comparison: "==", value: "a" },
          { field: "campaign", comparison: "==", value: "b" },
        ],
      },
      { field: "custom_field_1", comparison: "==", value: "x" },
      { field: "phone_number1", comparison: "==", value: "030998877" },
    ],
  });
  expect(splitValues([["custom_field_1", ["x"]]])).toMatchObject({
    by: "custom fields",
    filter: { custom_field_1: "x" },
  });
});

test.each([
  ['ani == "+49 30 998877" && talk_time > 1', '"30998877"'],
  ['ani == 030998877 && dnis == "0441 632 960961"', '"30998877" "441632960961"'],
  ['ani == "+49 30 998877" || talk_time > 1', ""],
  ['!(ani == "+49 30 998877")', ""],
  ['ani == "201"', ""],
  ['ani ~ "998877"', ""],
])("%s is found among the words %s", (condition, words) => {
  expect(toNarrowing(parseCondition(condition, FIELDS))).toBe(words);
});
