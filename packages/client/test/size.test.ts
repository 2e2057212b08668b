// What the client weighs in a bundle, minified and compressed, and what it brings along.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

interface Bundle {
  /** The sum over all files, each compressed separately. */
  readonly bytes: number;
  readonly files: number;
  readonly inputs: readonly string[];
}

function toBundle(files: readonly (string | Uint8Array)[], inputs: readonly string[]): Bundle {
  const sizes = files.map((code) => gzipSync(code, { level: 9 }).length);
  const bytes = sizes.reduce((total, size) => total + size, 0);
  return { bytes, files: files.length, inputs };
}

/** The bundle of a program, as a bundler for browsers makes it that may make several files. */
async function bundle(contents: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    splitting: true,
    outdir: folder,
    write: false,
    metafile: true,
  });
  const files = outputFiles.map(({ contents: code }) => code);
  return toBundle(files, Object.keys(metafile.inputs));
}

/** The same by Rolldown, with which Vite bundles. */
async function bundleWithRolldown(contents: string): Promise<Bundle> {
  await using made = await rolldown({
    input: join(folder, "program.ts"),
    platform: "browser",
    transform: { target: "es2022" },
    plugins: [
      {
        name: "the program",
        resolveId: (id) => (id.endsWith("program.ts") ? id : null),
        load: (id) => (id.endsWith("program.ts") ? contents : null),
      },
    ],
  });
  const { output } = await made.generate({ minify: true });
  const chunks = output.filter((one) => one.type === "chunk");
  const files = chunks.map(({ code }) => code);
  const inputs = chunks.flatMap(({ moduleIds }) => moduleIds);
  return toBundle(files, inputs);
}

const KIB = 1024;
// Limits are ratchets against accidents, with room for readable code. The goal for the main entry is 12 KiB; words, days of time
// zones and named operations take 0.75 more, to know whose a recording is takes 2.5, and what a service or `fetch` may do wrong 0.75.
const MAIN = 'export * from "./src/index.ts"';
const CONTRACT = 'export { createContractCalls } from "./src/index.ts"';
const WORDS = 'export * from "./src/words/index.ts"';
const VALIDATE = 'export * from "./src/validate/index.ts"';

test.each([
  ["everything of the main entry", MAIN, 17 * KIB, bundle],
  ["everything of the main entry, by Rolldown", MAIN, 17 * KIB, bundleWithRolldown],
  ["a token and one call", CONTRACT, 8 * KIB, bundle],
  ["a token and one call, by Rolldown", CONTRACT, 8 * KIB, bundleWithRolldown],
  ["the validator", VALIDATE, 4 * KIB, bundle],
  ["the filter by words", WORDS, 6 * KIB, bundle],
])("%s fits, in one file", async (_, program, limit, make) => {
  const { bytes, files, inputs } = await make(program);
  expect(files).toBe(1);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThanOrEqual(limit);
  expect(inputs.filter((path) => path.includes("node_modules"))).toEqual([]);
});

test("openapi-fetch over the transport fits, and brings nothing else along", async () => {
  const { bytes, inputs } = await bundle('export * from "./src/openapi-fetch/index.ts"');
  expect(bytes).toBeLessThanOrEqual(11 * KIB);
  const foreign = inputs.filter((path) => path.includes("node_modules"));
  expect(foreign.filter((path) => !path.includes("/openapi-fetch/"))).toEqual([]);
  expect(foreign).toHaveLength(1);
});

test("unused code is left out", async () => {
  const { bytes } = await bundle('import "./src/index.ts"; import "./src/openapi-fetch/index.ts";');
  expect(bytes).toBeLessThan(100);
});

test("a program without word searches does not load their code", async () => {
  const { inputs } = await bundle(MAIN);
  expect(inputs.filter((path) => path.includes("words/src/"))).toEqual([]);
});

test("nothing of others but openapi-fetch is installed with it", async () => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual([
    "@call-media/api",
    "@call-media/sound",
    "@call-media/words",
    "openapi-fetch",
  ]);
});
