// The examples run, and those of the README are among them.
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";
import { expect, test } from "vitest";

import { createFolder } from "./support/folder.ts";

const toPath = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const files = await readdir(toPath("examples"));
const examples = new Map(
  await Promise.all(
    files.map(async (name) => [name, await readFile(toPath(`examples/${name}`), "utf8")] as const),
  ),
);

/** What each prints. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  "errors.ts": /^300000004821508 has no recording\n$/,
  "first-example.ts": /^\d{4}-\d\d-\d\dT06:14:00\+01:00 Ana Kovač\n$/,
  "named-recordings.ts": /^\[ 'a\.wav', 'b\.wav' \]\n$/,
  "networks.ts": /^function\n$/,
  "openapi-fetch.ts": /^Caller Good morning\.\n$/,
  "operations.ts": /^Ana Kovač 1 1 string\n\[ 'a\.wav', 'b\.wav' \]\n$/,
  "paging.ts": /^300000004821507\n300000004821508\n.*rows: 2,.*verdict: 'complete'/s,
  "profile.ts": /^1\n$/,
  "proxy.ts": /^200\n$/,
  "react.tsx": /<p>Ana Kovač<\/p>/,
  "recordings.ts":
    /^5000 application\/octet-stream [\da-f]{64} digest\n5000 "\S+" \S+\nb\.wav .* 5000 true\n$/,
  "searching.ts": /^300000004821507\n300000004821508\n$/,
  "testing.ts": /^9000\nhttp:\/\/127\.0\.0\.1:\d+\n$/,
  "tracing.ts": /^1\n$/,
  "validating.ts": /^1\n$/,
  "values.ts": /^2026-03-01T07:30:00\.000Z 95\n$/,
  "words.ts": /^300000004821507\n(?:applied|filtered here)\n$/,
};

test("each example is run", () => {
  expect(files.toSorted()).toEqual(Object.keys(PRINTED));
});

test.concurrent.each(Object.entries(PRINTED))("%s", async (name, printed) => {
  await using folder = await createFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, "profile.json"), '{ "firstPage": 0 }');
  for (const file of ["ca.pem", "client.pem", "client-key.pem"])
    await writeFile(join(cwd, file), "");
  const preload = new URL("support/archive-example-com.ts", import.meta.url).href;
  const command = ["--import", preload, await toProgram(name)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd });
  expect(stderr).toBe("");
  expect(stdout).toMatch(printed);
});

/** The file to run: Node.js takes no JSX. */
async function toProgram(name: string): Promise<string> {
  if (!name.endsWith(".tsx")) return toPath(`examples/${name}`);
  const outfile = toPath(`node_modules/.examples/${name}.mjs`);
  const external = ["react", "react-dom", "@tanstack/react-query"];
  const [entryPoints, tsconfig] = [[toPath(`examples/${name}`)], toPath("tsconfig.json")];
  await build({
    entryPoints,
    outfile,
    tsconfig,
    external,
    bundle: true,
    format: "esm",
    platform: "node",
  });
  return outfile;
}

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
