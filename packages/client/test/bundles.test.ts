// What bundlers make of the client: the decoder of base64 is a file of its own, loaded when a service has no streams.
import { execFile } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

import { createFolder } from "./support/folder.ts";

const CLIENT = fileURLToPath(new URL("../src/index.ts", import.meta.url));

/** Asks a service without streams twice at once, and prints what comes of it. */
const PROGRAM = `
  import { createClient } from ${JSON.stringify(CLIENT)};
  const data = { success: true, filename: "a.wav", base64: btoa("RIFF....WAVE") };
  const fetch = async (url) => url.includes("/stream-")
    ? new Response("", { status: 405 })
    : Response.json({ isError: false, errorMessage: null, data });
  const [mode] = process.argv.slice(2);
  const options = { baseUrl: "https://archive.example", apiKey: "k", fetch, random: () => 0 };
  const { recordings } = createClient({ ...options, ...(mode === "wait" && { tryTimeoutMs: 20, maxRetries: 0 }) });
  const signal = mode === "abort" ? AbortSignal.timeout(20) : undefined;
  const ask = () => recordings.bytes({ call_id: "1", signal }).then(
    ({ content }) => new TextDecoder().decode(content),
    (error) => error.name + ": " + (error.cause ?? error).message,
  );
  console.log((await Promise.all([ask(), ask()])).join("\\n"));
`;

type Bundle = (entry: string, folder: string) => Promise<unknown>;

const bundleWithEsbuild =
  (splitting: boolean): Bundle =>
  (entry, outdir) =>
    build({ entryPoints: [entry], bundle: true, format: "esm", splitting, outdir });

const bundleWithRolldown =
  (codeSplitting: boolean): Bundle =>
  async (input, dir) => {
    await using made = await rolldown({ input, platform: "node" });
    await made.write({ dir, codeSplitting });
  };

async function make(bundle: Bundle, folder: string) {
  const entry = join(folder, "main.js");
  await writeFile(entry, PROGRAM);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const out = join(folder, "out");
  await bundle(entry, out);
  const decoders = (await readdir(out)).filter((name) => name !== "main.js");
  const run = async (mode = "") => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      join(out, "main.js"),
      mode,
    ]);
    expect(stderr).toBe("");
    return stdout.trim();
  };
  return { decoders: decoders.map((name) => join(out, name)), run };
}

test.concurrent.each([
  ["esbuild, in files", bundleWithEsbuild(true), 1],
  ["esbuild, in one file", bundleWithEsbuild(false), 0],
  ["Rolldown, in files", bundleWithRolldown(true), 1],
  ["Rolldown, in one file", bundleWithRolldown(false), 0],
])("a bundle by %s decodes base64", async (_, bundle, files) => {
  await using folder = await createFolder();
  const { decoders, run } = await make(bundle, folder.path);
  expect(decoders).toHaveLength(files);
  expect(await run()).toBe("RIFF....WAVE\nRIFF....WAVE");
});

test("a decoder that does not load is a ConnectionError that says why", async () => {
  await using folder = await createFolder();
  const { decoders, run } = await make(bundleWithEsbuild(true), folder.path);
  await Promise.all(decoders.map((path) => rm(path)));
  expect(await run()).toMatch(/^(ConnectionError: Cannot find module .*base64.*\n?){2}$/);
});

test("a decoder that does not come holds up no signal and no time-out", async () => {
  await using folder = await createFolder();
  const { decoders, run } = await make(bundleWithEsbuild(true), folder.path);
  const replace = (code: string) => Promise.all(decoders.map((path) => writeFile(path, code)));
  await replace("await new Promise(() => {});");
  expect(await run("abort")).toMatch(/^(AbortError: .*aborted due to timeout\n?){2}$/);
  // What fails when nobody waits for it any more is nobody's fault.
  await replace(
    'await new Promise((resolve) => setTimeout(resolve, 200)); throw new Error("late");',
  );
  expect(await run("wait")).toMatch(/^(TimeoutError: .*nothing came for 20 ms\n?){2}$/);
});
