// What the oldest supported Node.js cannot do, and a newer one would not notice.
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../src");

test("no statement has numbered parameters (?1), which need Node.js 22.20 or 24.7", async () => {
  const found: string[] = [];
  let files = 0;
  for await (const file of glob("**/*.ts", { cwd: SOURCES })) {
    files += 1;
    const lines = (await readFile(join(SOURCES, file), "utf8")).split("\n");
    found.push(
      ...lines.filter((line) => /(?:^|[\s(])\?\d/.test(line)).map((line) => `${file}: ${line}`),
    );
  }
  expect(files).toBeGreaterThan(0);
  expect(found).toEqual([]);
});
