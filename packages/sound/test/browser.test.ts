// The package runs in browsers: nothing in it is of Node.js, and nothing depends on a machine's locale or dictionary.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("no source uses what differs from machine to machine", () => {
  const folder = fileURLToPath(new URL("../src/", import.meta.url));
  const sources = globSync("**/*.ts", { cwd: folder });
  expect(sources.length).toBeGreaterThan(5);
  const isForeign = /["']node:|\bBuffer\b|\bprocess\.|\bIntl\b|toLocale|localeCompare/;
  expect(
    sources.filter((file) => isForeign.test(readFileSync(`${folder}${file}`, "utf8"))),
  ).toEqual([]);
});
