// The labels of fields: each field has one of its own in every language.
import { expect, test } from "vitest";
import { DE_LABELS, EN_LABELS, RECORD_FIELDS } from "../src/index.ts";

test.each([
  ["English", EN_LABELS],
  ["German", DE_LABELS],
])("each field has a label of its own in %s", (_, labels) => {
  expect(Object.keys(labels).toSorted()).toEqual(RECORD_FIELDS.toSorted());
  expect(new Set(Object.values(labels)).size).toBe(RECORD_FIELDS.length);
  expect(Object.values(labels).filter((label) => label.includes("_") || label === "")).toEqual([]);
});

test("fields that operators name themselves are numbered", () => {
  expect([EN_LABELS.custom_field_3, EN_LABELS.security_field_02]).toEqual([
    "Field 3",
    "Access field 2",
  ]);
  expect([DE_LABELS.custom_field_20, DE_LABELS.security_field_05]).toEqual([
    "Feld 20",
    "Rechtefeld 5",
  ]);
});
