// How Chromium makes the journey: as a page has it, over real HTTP.
import { fileURLToPath } from "node:url";

import { toLaunchOptions } from "@call-media/test-setup/chromium";
import { build } from "esbuild";
import { chromium } from "playwright-core";

import type { World } from "./journey.ts";
import { openWorld } from "./world.ts";

const OPTIONS = [
  "--disable-quic",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
];

/** What is wrong in headless Chromium. */
export async function travelInChromium(): Promise<string[]> {
  await using open = await openWorld(await bundle());
  const browser = await chromium.launch(toLaunchOptions(OPTIONS));
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

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("browser.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
