// What bundlers make of the client: one file that can do everything, also where they would make several.
import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

import { createFolder } from "./support/folder.ts";

const CLIENT = fileURLToPath(new URL("../src/index.ts", import.meta.url));

/** Asks a service without streams, and prints what comes of it. */
const PROGRAM = `
  import { createClient } from ${JSON.stringify(CLIENT)};
  const data = { success: true, filename: "a.wav", base64: btoa("RIFF....WAVE") };
  const fetch = async (url) => url.includes("/stream-")
    ? new Response("", { status: 405 })
    : Response.json({ isError: false, errorMessage: null, data });
  const { recordings } = createClient({ baseUrl: "https://archive.example", apiKey: "k", fetch });
  const { content } = await recordings.bytes({ call_id: "1" });
  console.log(new TextDecoder().decode(content));
`;

type Bundle = (entry: string, folder: string) => Promise<unknown>;

const bundleWithEsbuild: Bundle = (entry, outdir) =>
  build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    splitting: true,
    outdir,
  });

const bundleWithRolldown: Bundle = async (input, dir) => {
  await using made = await rolldown({ input, platform: "node" });
  await made.write({ dir, minify: true });
};

test.concurrent.each([
  ["esbuild", bundleWithEsbuild],
  ["Rolldown", bundleWithRolldown],
])("a bundle by %s is one file, and decodes base64", async (_, bundle) => {
  await using folder = await createFolder();
  const entry = join(folder.path, "main.js");
  await writeFile(entry, PROGRAM);
  await writeFile(join(folder.path, "package.json"), '{ "type": "module" }');
  const out = join(folder.path, "out");
  await bundle(entry, out);
  expect(await readdir(out)).toEqual(["main.js"]);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(out, "main.js")]);
  expect([stdout.trim(), stderr]).toEqual(["RIFF....WAVE", ""]);
});
