// The package runs in browsers: nothing in it is of Node.js.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("no source uses what browsers do not have", () => {
  const folder = fileURLToPath(new URL("../src/", import.meta.url));
  const sources = globSync("**/*.ts", { cwd: folder });
  expect(sources.length).toBeGreaterThan(3);
  const isOfNode = /["']node:|\bBuffer\b|\bprocess\.|["']@call-media\/client\/node/;
  expect(sources.filter((file) => isOfNode.test(readFileSync(`${folder}${file}`, "utf8")))).toEqual(
    [],
  );
});
