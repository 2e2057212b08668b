// The pictures of the guides, from the console over the demo of 2026-11-01. `pnpm --filter @call-media/docs run pictures`
// takes them again. Otherwise this checks that the console can still be used as they show, and that they exist and are small.
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { SITE } from "../src/places.ts";
import { type Browser, openBrowser, resize } from "./support/browser.ts";

const demo = inject("demo");
const root = `${demo.baseUrl}/console/`;

const MAX_BYTES = 60_000;
const WIDTH = 1100;

const ZOE = "300000000100017";

interface Picture {
  readonly name: string;
  readonly height: number;
  /** Goes there. Returns an element that the picture has to show. */
  readonly open: (page: Page) => Promise<Locator>;
}

const go = (page: Page, hash: string) => page.evaluate((to) => void (location.hash = to), hash);

// In this order: each starts where the previous one ended.
const PICTURES: readonly Picture[] = [
  {
    name: "sign-in",
    height: 420,
    open: async (page) => page.getByLabel("API key"),
  },
  {
    name: "search",
    height: 560,
    open: async (page) => {
      await page.getByLabel("API key").fill(demo.apiKey);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("button", { name: /^Account / }).waitFor();
      await go(page, "#/?from=2026-10-25&to=2026-10-31&campaign=Billing%20Support");
      return page.getByRole("row", { name: /Bill explained/ }).first();
    },
  },
  {
    name: "bundle",
    height: 640,
    open: async (page) => {
      await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
      await page.keyboard.press("x");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByRole("button", { name: "Bundle", exact: true }).click();
      await page.getByText("The same on the command line").waitFor();
      await page.getByRole("button", { name: "Save bundle" }).click();
      await page.getByText(/ is saved: /).waitFor();
      return page.getByRole("textbox", { name: "Seal" });
    },
  },
  {
    name: "call",
    height: 720,
    open: async (page) => {
      await page.keyboard.press("Escape");
      await go(page, `#/call/${ZOE}`);
      const line = page.getByRole("button", { name: /the meter was estimated/ });
      await line.click();
      await page.getByText("Same bytes as archived").waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      return line;
    },
  },
];

/** As WebP, which Playwright's own screenshots cannot be: a PNG has twice to four times the bytes. */
async function take(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 60 });
  return Buffer.from(data, "base64");
}

const toFile = (name: string) => join(SITE, `guides/pictures/console-${name}.webp`);

describe.skipIf(!hasChromium)("pictures of the console", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser(root);
    ({ page } = await browser.visit(""));
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  test.each(PICTURES)("$name", async ({ name, height, open }) => {
    await resize(page, WIDTH, height);
    const shown = await open(page);
    await shown.waitFor();
    if (process.env["CALL_MEDIA_PICTURES"] === "take")
      await writeFile(toFile(name), await take(page));
    const { size } = await stat(toFile(name));
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(MAX_BYTES);
  });
});
