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

test("of every value of JSON with odd marks in texts and keys", async () => {
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
])("of what is not there, what encloses it: %s %j", async (key, more, line) => {
  const { lineOf } = await read(ODD);
  expect(lineOf([key, ...more])).toBe(line);
});

test("a key that comes for the second time is at fault", async () => {
  await expect(read("a: 1\nb:\n  c: 1\n  c: 2\n")).rejects.toThrow(
    "written:4 has a key for the second time",
  );
});
