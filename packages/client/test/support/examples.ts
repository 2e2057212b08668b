// The examples, what each prints, and how one is run: as the program that its readers make of it.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";

import { createFolder } from "./folder.ts";

export const toPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What each prints. */
export const PRINTED: Readonly<Record<string, RegExp>> = {
  "errors.ts": /^300000004821508 has no recording\n$/,
  "first-example.ts": /^\d{4}-\d\d-\d\dT06:14:00\+01:00 Ana Kovač\n$/,
  "named-recordings.ts": /^\[.* 1 a\.wav',.* 2 b\.wav'.*\]\n$/s,
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

/** Those that stand for the others in `test`. */
export const CHOSEN: readonly string[] = ["first-example.ts", "recordings.ts"];

export async function runExample(name: string) {
  await using folder = await createFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, "profile.json"), '{ "firstPage": 0 }');
  for (const file of ["ca.pem", "client.pem", "client-key.pem"])
    await writeFile(join(cwd, file), "");
  const preload = new URL("archive-example-com.ts", import.meta.url).href;
  const command = ["--import", preload, await toProgram(name)];
  return await promisify(execFile)(process.execPath, command, { cwd });
}

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
