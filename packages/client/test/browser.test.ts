// The main entry loads without Node.js.
import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

const FROM = /\bfrom\s+"([^"]+)"/g;

/** If package.json names two files, the one for browsers. */
const toFile = (specifier: string, from: URL) =>
  specifier.startsWith("#")
    ? new URL(`../src/${specifier.slice(1)}.browser.ts`, import.meta.url)
    : new URL(specifier, from);

async function importsOf(file: URL, seen = new Map<string, string[]>()) {
  if (seen.has(file.href)) return seen;
  const specifiers = [...(await readFile(file, "utf8")).matchAll(FROM)].map(
    ([, from = ""]) => from,
  );
  seen.set(file.href, specifiers);
  for (const specifier of specifiers)
    if (/^[.#]/.test(specifier)) await importsOf(toFile(specifier, file), seen);
  return seen;
}

test("nothing that the main entry imports, in turn too, is of Node", async () => {
  const imports = await importsOf(new URL("../src/index.ts", import.meta.url));
  expect(imports.size).toBeGreaterThan(5);
  const packages = [...imports.values()].flat().filter((from) => !/^[.#]/.test(from));
  // @call-media/api itself gives types alone: verbatimModuleSyntax drops `import type` when built.
  const fromContract = ["@call-media/api", "@call-media/api/operation-ids"];
  expect(new Set(packages)).toEqual(new Set(fromContract));
});

test("@call-media/api is imported for its types alone", async () => {
  for (const file of (await importsOf(new URL("../src/node.ts", import.meta.url))).keys()) {
    const text = await readFile(new URL(file), "utf8");
    for (const line of text.split("\n").filter((one) => one.includes('from "@call-media/api"')))
      expect(line).toMatch(/^import type /);
  }
});
