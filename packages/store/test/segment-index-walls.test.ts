// The search index has one public file: a new word index or another layout then changes one folder.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../src");

test("no source file imports anything of the search index but its public API", () => {
  const outside = globSync("**/*.ts", { cwd: SOURCES }).filter(
    (path) => !path.startsWith("sqlite/segment-index/"),
  );
  const imported = outside.flatMap((path) =>
    [
      ...readFileSync(join(SOURCES, path), "utf8").matchAll(/from "[^"]*segment-index\/([^"]+)"/g),
    ].map(([, file]) => `${path}: ${file}`),
  );
  expect(imported).not.toEqual([]);
  expect(imported.filter((one) => !one.endsWith(": segment-index.ts"))).toEqual([]);
});
