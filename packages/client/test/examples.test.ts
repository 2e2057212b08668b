// The examples run, and those of the README are among them. Most of them run in examples.verify.ts.
import { readdir, readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { CHOSEN, PRINTED, runExample, toPath } from "./support/examples.ts";

const files = await readdir(toPath("examples"));
const examples = new Map(
  await Promise.all(
    files.map(async (name) => [name, await readFile(toPath(`examples/${name}`), "utf8")] as const),
  ),
);

test("each example is run", () => {
  expect(files.toSorted()).toEqual(Object.keys(PRINTED));
});

const chosen = Object.entries(PRINTED).filter(([name]) => CHOSEN.includes(name));

test.concurrent.each(chosen)("%s", async (name, printed) => {
  const { stdout, stderr } = await runExample(name);
  expect(stderr).toBe("");
  expect(stdout).toMatch(printed);
});

test("every block of TypeScript in the README is of an example", async () => {
  const readme = await readFile(toPath("README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```tsx?\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const texts = [...examples.values()];
  const strange = blocks.filter((block) => !texts.some((text) => contains(text, block)));
  expect(blocks.length).toBeGreaterThan(10);
  expect(strange).toEqual([]);
});

/** Whether an example goes as the block does, wherever it imports from. */
function contains(example: string, block: string): boolean {
  const imports = block.split("\n").filter((line) => line.startsWith("import "));
  const code = block.replaceAll(/^import .*\n\n?/gm, "");
  return example.includes(code) && imports.every((line) => hasImport(example, line));
}

function hasImport(example: string, line: string): boolean {
  const [, names = "", from = ""] = /^import \{ (.+) \} from (".+");$/.exec(line) ?? [];
  const imports = [...example.matchAll(/^import \{([^}]+)\} from (".+");$/gm)];
  const found = imports.find(([, , other]) => other === from)?.[1] ?? "";
  return names.split(", ").every((name) => new RegExp(`\\b${name}\\b`).test(found));
}
