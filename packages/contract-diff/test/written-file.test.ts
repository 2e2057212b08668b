// The lines of what stands in a file: those of JSON are found without a parser, and are those that the YAML parser tells.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readWrittenFile, type WrittenFile } from "../src/files/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "contract-diff-files-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string): Promise<WrittenFile> {
  await writeFile(join(folder, "written"), text);
  return readWrittenFile(join(folder, "written"));
}

const ODD = `{
  "a\\"b": [1, {"c": "}{][,:\\\\"}, [],
    [[2]], ""],
  "\\u0064": {}, "e" : -1.5e3
  , "long": "${"x\\\\".repeat(9)}",
  "last": [true, null,
    false]
}
`;

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

test("the line of every JSON value is known, with odd characters in texts and keys", async () => {
  const json = await read(ODD);
  const yaml = await read(`# A comment.\n${ODD}`);
  const paths = pathsOf(json.value);
  expect(yaml.value).toEqual(json.value);
  expect(paths).toHaveLength(17);
  expect(paths.map(json.lineOf)).toEqual(paths.map((path) => yaml.lineOf(path) - 1));
});

test.each([
  ["nowhere", [], 1],
  ["last", ["9"], 6],
  ["last", ["0", "x"], 6],
])("the line of a missing value is that of its parent: %s %j", async (key, more, line) => {
  const { lineOf } = await read(ODD);
  expect(lineOf([key, ...more])).toBe(line);
});

test("a duplicate key is an error", async () => {
  await expect(read("a: 1\nb:\n  c: 1\n  c: 2\n")).rejects.toThrow(
    "written:4:3 has a key for the second time",
  );
});

test("the lines of YAML are known with blocks, references and keys without a value", async () => {
  const { value, lineOf } = await read(
    "# first\na: &it\n  text: |\n    one\n    two\n  none:\nb: *it\n200:\n  - x\n  - y: >-\n      z\n",
  );
  expect(value).toEqual({
    a: { text: "one\ntwo\n", none: null },
    b: { text: "one\ntwo\n", none: null },
    "200": ["x", { y: "z" }],
  });
  const lines: readonly (readonly [readonly (string | number)[], number])[] = [
    [[], 2],
    [["a", "text"], 3],
    [["a", "none"], 6],
    [["b"], 7],
    [["b", "text"], 7],
    [["200", 1, "y"], 10],
  ];
  expect(lines.map(([keys]) => lineOf(keys))).toEqual(lines.map(([, line]) => line));
});

test.each([
  ["a: *b\n", "has an alias, *name, that stands for nothing or for too much"],
  ["a: &a [*a]\n", "has an alias, *name, that stands for nothing or for too much"],
  [
    `a: &a [${"x, ".repeat(9)}x]\n${"b c d e f g h i j"
      .split(" ")
      .map(
        (name, index) => `${name}: &${name} [${`*${"abcdefghij".charAt(index)}, `.repeat(9)}1]\n`,
      )
      .join("")}`,
    "has an alias, *name, that stands for nothing or for too much",
  ],
  ["a: 1\n---\nb: 2\n", "has several documents"],
  ["a: [1\n", "written:2:1 is neither JSON nor YAML"],
])("%j is at fault", async (text, fault) => {
  await expect(read(text)).rejects.toThrow(fault);
});
