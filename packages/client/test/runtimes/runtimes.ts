// The runtimes that the client is for, and how each makes the journey.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";
import { chromium } from "playwright-core";

import { createFolder } from "../support/folder.ts";
import type { World } from "./journey.ts";
import { openWorld } from "./world.ts";

const CHROMIUM = "/usr/bin/chromium";

const CHROMIUM_OPTIONS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Whether the journey can be made in a browser on this machine. */
export const hasChromium = existsSync(CHROMIUM);

/** What is wrong where `command`, with the bundle and the world as its last arguments, runs it. */
export async function travel(command: readonly string[]): Promise<string[]> {
  await using folder = await createFolder();
  const file = join(folder.path, "journey.mjs");
  await writeFile(file, await bundle("terminal.ts", "node"));
  await using open = await openWorld("");
  const [program = "", ...options] = command;
  const world = JSON.stringify(open.world);
  const { stdout } = await promisify(execFile)(program, [...options, file, world], {
    timeout: 60_000,
  });
  return JSON.parse(stdout) as string[]; // what terminal.ts writes
}

/** What is wrong in headless Chromium. */
export async function travelInChromium(): Promise<string[]> {
  await using open = await openWorld(await bundle("browser.ts", "browser"));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_OPTIONS });
  try {
    const page = await browser.newPage();
    await page.goto(open.world.baseUrl, { waitUntil: "load" });
    return await page.evaluate((world) => globalThis.journey(world), open.world);
  } finally {
    await browser.close();
  }
}

declare global {
  // What browser.ts puts there.
  var journey: (world: World) => Promise<string[]>;
}

async function bundle(name: string, platform: "browser" | "node"): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    bundle: true,
    format: "esm",
    platform,
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
