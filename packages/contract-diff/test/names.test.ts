// Parts of two documents that look alike in their names, or that contain themselves, and are held beside the right ones.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const number = { type: "integer" };
const object = (properties: JsonObject) => ({ type: "object", properties });

test.each<[string, JsonObject, JsonObject]>([
  ["a.b", { a: object({ b: text }) }, {}],
  ["*", {}, { additionalProperties: text }],
  ["x[]", { x: { type: "array", items: text } }, {}],
  ["x allOf 0", { x: { allOf: [text, {}] } }, {}],
  ['["a.b"]', { "a.b": text }, {}],
])("a field named %j is compared with its own part only", (name, fields, more) => {
  const document = (field: JsonObject) =>
    toDocument(text, { ...object({ ...field, ...fields }), ...more });
  const before = document({ [name]: text });
  expect(greatestOf(compareDocuments(before, document({ [name]: number })))).toBe("breaking");
  expect(greatestOf(compareDocuments(before, document({})))).toBe("breaking");
});

/** Components, of each of which a value is known and the component of what is below. */
function toTree(levels: Readonly<Record<string, readonly [JsonObject, string]>>) {
  const schemas = Object.entries(levels).map(([name, [value, below]]) => {
    const items = { $ref: `#/components/schemas/${below}` };
    return [name, object({ value, below: { type: "array", items } })];
  });
  const [first] = Object.keys(levels);
  const root = { $ref: `#/components/schemas/${first}` };
  return toDocument(text, root, { components: { schemas: Object.fromEntries(schemas) } });
}

const tree = toTree({ A: [text, "A"] });

test.each([
  ["the first level", toTree({ A: [text, "B"], B: [number, "B"] })],
  ["the second", toTree({ A: [text, "B"], B: [text, "C"], C: [number, "C"] })],
  ["one and then the first", toTree({ A: [text, "B"], B: [number, "A"] })],
])("below %s of a tree the values are others", (_, after) => {
  expect(greatestOf(compareDocuments(tree, after))).toBe("breaking");
  expect(greatestOf(compareDocuments(after, tree))).toBe("breaking");
});

test("far below a tree is followed, too", () => {
  const chain = (value: JsonObject) =>
    toTree({
      A: [text, "B"],
      B: [text, "C"],
      C: [text, "D"],
      D: [text, "E"],
      E: [value, "E"],
    });
  expect(greatestOf(compareDocuments(tree, chain(text)))).toBe("prose");
  expect(greatestOf(compareDocuments(chain(text), tree))).toBe("prose");
  expect(compareDocuments(tree, chain(number)).map(({ rule }) => rule)).toEqual(["type"]);
  expect(compareDocuments(chain(number), tree).map(({ rule }) => rule)).toEqual(["type"]);
});

test("trees of two and three components say the same", () => {
  const two = toTree({ A: [text, "B"], B: [text, "A"] });
  const three = toTree({ A: [text, "B"], B: [text, "C"], C: [text, "A"] });
  for (const other of [tree, three]) {
    expect(compareDocuments(two, other)).toMatchObject([{ rating: "prose" }]);
    expect(compareDocuments(other, two)).toMatchObject([{ rating: "prose" }]);
  }
});

test("a tree of which one level in six is another", () => {
  const three = toTree({ A: [text, "B"], B: [text, "C"], C: [text, "A"] });
  const two = toTree({ A: [text, "B"], B: [number, "A"] });
  const findings = compareDocuments(two, three);
  expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["type"]));
  expect(findings.map(({ rule }) => rule)).not.toContain("new");
});

/** Schemas that all contain each other; in the later document with what is in them turned about, and a bound more. */
function toMesh(names: readonly string[], isLater: boolean, onRead = () => {}): JsonObject {
  const targetOf = (at: number, to: number) =>
    names[(isLater ? 3 * at + to * to + 1 : to) % names.length];
  const schemas: JsonObject = {};
  for (const [at, name] of names.entries()) {
    const fields = names.map((field, to) => [
      field,
      { $ref: `#/components/schemas/${targetOf(at, to)}` },
    ]);
    const id = isLater ? { ...text, maxLength: 9 } : text;
    const get = () => (onRead(), object({ ...Object.fromEntries(fields), id }));
    Object.defineProperty(schemas, name, { enumerable: true, get });
  }
  return toDocument(text, { $ref: "#/components/schemas/A" }, { components: { schemas } });
}

test("schemas that contain each other are each compared once with each, and no more", () => {
  const names = ["A", "B", "C", "D", "E"];
  let reads = 0;
  const onRead = () => void (reads += 1);
  const findings = compareDocuments(toMesh(names, false), toMesh(names, true, onRead));
  expect(findings.map(({ rating, pointer }) => `${rating} ${pointer}`).toSorted()).toEqual(
    names.map((name) => `additive #/components/schemas/${name}/properties/id/maxLength`),
  );
  expect(reads).toBeLessThan(10_000);
});

test("a difference in such schemas is reported at the nearest place", () => {
  const findings = compareDocuments(toMesh(["A", "B", "C"], false), toMesh(["A", "B", "C"], true));
  expect(findings.map(({ message }) => /json (\S+):/.exec(message)?.[1])).toEqual([
    ".id",
    ".A.id",
    ".B.id",
  ]);
});
