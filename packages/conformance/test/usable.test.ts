// Schemas that no meta-schema allows, as documents of others have them: what is clear in them is still checked.
import { expect, test } from "vitest";
import { rename } from "../src/values/make.ts";
import { fields, inPath, operation, TEXT, toDocument } from "./styles.ts";

const faultsOf = (schema: object, value: unknown): readonly string[] => {
  const answer = { ...fields({ name: TEXT }, ["name"]), ...schema };
  const document = toDocument({ "/thing": { get: operation("getThing", { 200: answer }) } });
  const [response] = document.operations.get("getThing")?.responses ?? [];
  const pointer = response?.media[0]?.schema ?? "";
  return document.schemas
    .validatorOf(
      pointer,
      "closed",
    )(value)
    .map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
};
const has = (schema: object) => ({ properties: { name: schema } });

test.each<readonly [about: string, schema: object, right: unknown, wrong: unknown, fault: string]>([
  ["a name required twice", { required: ["name", "name"] }, { name: "a" }, {}, " required"],
  [
    "required at a property",
    has({ ...TEXT, required: true }),
    { name: "a" },
    { name: 1 },
    "/name type",
  ],
  [
    "a member of an enum twice",
    has({ enum: ["a", "a"] }),
    { name: "a" },
    { name: "b" },
    "/name enum",
  ],
  [
    "a type that does not exist",
    has({ type: "file", maxLength: 2 }),
    { name: "ab" },
    { name: "abc" },
    "/name maxLength",
  ],
  [
    "a bound as text",
    has({ ...TEXT, maxLength: "2" }),
    { name: "ab" },
    { name: "abc" },
    "/name maxLength",
  ],
  [
    "a bound as nothing",
    has({ ...TEXT, maxLength: null }),
    { name: "ab" },
    { name: 1 },
    "/name type",
  ],
  [
    "an exclusive bound of 3.0",
    has({ type: "integer", minimum: 0, exclusiveMinimum: true }),
    { name: 1 },
    { name: 0 },
    "/name exclusiveMinimum",
  ],
  ["no items", has({ type: "array", items: [TEXT] }), { name: ["a"] }, { name: "a" }, "/name type"],
  ["a union of nothing", has({ ...TEXT, oneOf: [] }), { name: "a" }, { name: 1 }, "/name type"],
  [
    "a pattern of another engine",
    has({ ...TEXT, pattern: "^[\\w-.]+$" }),
    { name: "a-b" },
    { name: "a b" },
    "/name pattern",
  ],
  [
    "a pattern that nobody here reads",
    has({ ...TEXT, pattern: "(?i)^a$" }),
    { name: "A" },
    { name: 1 },
    "/name type",
  ],
])("%s", (_about, schema, right, wrong, fault) => {
  expect(faultsOf(schema, right)).toEqual([]);
  expect(faultsOf(schema, wrong)).toEqual([fault]);
});

test("a pattern that nobody here reads is told", () => {
  const odd = fields({ name: { ...TEXT, pattern: "(?i)^a$" } });
  const document = toDocument({ "/thing": { get: operation("getThing", { 200: odd }) } });
  expect(document.notes.map(({ text }) => text)).toEqual([
    "a pattern cannot be read, here first: any text fits it",
  ]);
});

test("a name fits a pattern that allows no hyphen", () => {
  const path = inPath("id", { ...TEXT, pattern: "^\\w+$" });
  const { schemas, operations } = toDocument({
    "/things/{id}": {
      parameters: [path],
      get: operation("getThing", { 200: fields({ id: TEXT }) }),
    },
  });
  const pointer = operations.get("getThing")?.parameters[0]?.schema ?? "";
  const named = rename(schemas, pointer, { value: "probe", name: "probe-7-1" });
  expect(named).toBe("probe_7_1");
});
