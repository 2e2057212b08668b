// What the client weighs in a bundle, minified and compressed, and what it brings along.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** The bundle of a program, as a bundler for browsers makes it. */
async function bundle(program: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
  });
  const [file] = outputFiles;
  return {
    bytes: gzipSync(file?.contents ?? "", { level: 9 }).length,
    inputs: Object.keys(metafile.inputs),
  };
}

const KIB = 1024;

test.each([
  ["everything of the main entry", 'export * from "./src/index.ts"', 8.5 * KIB],
  ["a token and one call", 'export { createContractCalls } from "./src/index.ts"', 4.45 * KIB],
  ["the validator", 'export * from "./src/validate/index.ts"', 4 * KIB],
])("%s fits", async (_, program, limit) => {
  const { bytes, inputs } = await bundle(program);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThanOrEqual(limit);
  expect(inputs.filter((path) => path.includes("node_modules"))).toEqual([]);
});

test("openapi-fetch over the transport fits, and brings nothing else along", async () => {
  const { bytes, inputs } = await bundle('export * from "./src/openapi-fetch/index.ts"');
  expect(bytes).toBeLessThanOrEqual(7.25 * KIB);
  const foreign = inputs.filter((path) => path.includes("node_modules"));
  expect(foreign.filter((path) => !path.includes("/openapi-fetch/"))).toEqual([]);
  expect(foreign).toHaveLength(1);
});

test("what is not used is left out", async () => {
  const { bytes } = await bundle(
    'import "./src/index.ts"; import "./src/openapi-fetch/index.ts"; import "./src/testing/index.ts";',
  );
  expect(bytes).toBeLessThan(100);
});

test("nothing but the contract and openapi-fetch is installed with it", async () => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual(["@call-media/api", "openapi-fetch"]);
});
