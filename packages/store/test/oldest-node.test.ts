// What the oldest supported Node.js cannot do, and a newer one would not notice.
import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const SOURCES = new URL("../src/", import.meta.url).pathname;

test("no statement has numbered parameters (?1), which need Node.js 22.20 or 24.7", async () => {
  const found: string[] = [];
  for await (const file of glob("**/*.ts", { cwd: SOURCES })) {
    const lines = (await readFile(`${SOURCES}${file}`, "utf8")).split("\n");
    found.push(
      ...lines.filter((line) => /(?:^|[\s(])\?\d/.test(line)).map((line) => `${file}: ${line}`),
    );
  }
  expect(found).toEqual([]);
});
