// The sizes of clients in a bundle for browsers.
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Line } from "../table.ts";

const PROGRAMS: readonly (readonly [name: string, program: string])[] = [
  ["@call-media/client, all of it", 'export * from "@call-media/client"'],
  ["createContractCalls alone", 'export { createContractCalls } from "@call-media/client"'],
  [
    "createOpenapiFetchClient, openapi-fetch included",
    'export { createOpenapiFetchClient } from "@call-media/client/openapi-fetch"',
  ],
  ["openapi-fetch", 'export { default } from "openapi-fetch"'],
  ["ky", 'export { default } from "ky"'],
  ["axios", 'export { default } from "axios"'],
];

export async function measureBundles(): Promise<Line[]> {
  const lines = PROGRAMS.map(async ([name, program]) => [
    name,
    `${((await measure(program)) / 1024).toFixed(1)} KiB`,
  ]);
  return [["", "size"], ...(await Promise.all(lines))];
}

async function measure(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
