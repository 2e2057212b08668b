// The kinds of fields, and what of a search the service answers.
import { document, fieldsOf } from "@call-media/api";
import type { CallRecord, WordsFilter } from "@call-media/client";
import { isNumberField, MAX_QUERY_TOKENS } from "@call-media/words";
import { describe, expect, test } from "vitest";
import {
  isCustom,
  narrow,
  parseCondition,
  splitValues,
  toKind,
  toNarrowing,
} from "../src/index.ts";

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

describe("a search is narrowed to what meets a condition", () => {
  const NUMBER = parseCondition('ani == "+49 30 998877"', FIELDS);

  test("by words in addition to those that are looked for", () => {
    expect(narrow({ words: "refund" }, NUMBER)).toEqual({ words: 'refund "30998877"' });
    expect(narrow({ words: undefined }, NUMBER)).toMatchObject({ words: '"30998877"' });
  });

  test("unless the condition gives no words, or the query has no room for them", () => {
    const full = Array.from({ length: MAX_QUERY_TOKENS }, (_, index) => `w${index}`).join(" ");
    const search = { words: full };
    expect(narrow(search, NUMBER)).toBe(search);
    expect(narrow(search, undefined)).toBe(search);
    expect(narrow(search, parseCondition("talk_time > 1", FIELDS))).toBe(search);
  });

  test("where the service does not search by words, only those are looked for here that were given", async () => {
    const asked: string[] = [];
    const filterWords: WordsFilter = (words) => {
      asked.push(words);
      return { filter: async (records) => records, chats: { read: 0, skipped: 0, refused: 0 } };
    };
    narrow({ words: "refund", filterWords }, NUMBER).filterWords?.("", async () => []);
    expect(asked).toEqual(["refund"]);
    const all = narrow({ words: undefined }, NUMBER).filterWords?.("", async () => []);
    const records = [{ call_id: "a" }] as CallRecord[];
    expect(await all?.filter(records)).toEqual(records);
  });
});
