// Every page in a browser that reaches no other host: whole, for everybody, in light and in dark, on a narrow screen.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { hasChromium, takeScreenshot } from "@call-media/test-setup/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { SITE } from "../src/places.ts";
import { readReleased } from "../src/released.ts";
import { SECTIONS } from "../src/sections.ts";
import {
  type AxeScope,
  type Browser,
  findBarriers,
  openBrowser,
  OWN_SEARCH,
  resize,
} from "./support/browser.ts";

const root = `${inject("demo").baseUrl}/docs/`;
const screenshots = join(SITE, "screenshots");

const SLUGS = SECTIONS.flatMap(({ sources }) => sources.map(({ slug }) => slug));
// Those of all versions are made alike.
const [last] = await readReleased();
const KEPT = last === undefined ? [] : [`${last.version}/index`];
const PAGES = [...SLUGS, "reference", ...KEPT];

const LOOKS: readonly Look[] = [
  { name: "light", colorScheme: "light", width: 1280 },
  // What is another in the dark are the colours, on a narrow screen what has to be scrolled.
  { name: "dark", colorScheme: "dark", width: 1280, rules: ["color-contrast"] },
  { name: "narrow", colorScheme: "light", width: 360, rules: ["scrollable-region-focusable"] },
];

interface Look extends AxeScope {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

// Every word of code is an element. The guides have all languages and colours; the rest would take minutes.
const isCodeLookedAt = (name: string) => SECTIONS[0]?.sources.some(({ slug }) => slug === name);

// Redoc's menu is in no landmark and its headings skip a level, which cannot be changed from here.
const isKnown = (name: string, barrier: string) =>
  !SLUGS.includes(name) && /^moderate (?:region|heading-order):/.test(barrier);

describe.skipIf(!hasChromium)("a page", () => {
  let browser: Browser;
  beforeAll(async () => {
    await mkdir(screenshots, { recursive: true });
    browser = await openBrowser(root);
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  test.each(PAGES)("%s", async (name) => {
    const { page, faults } = await browser.visit(`${name}.html`);
    expect(await page.title()).toMatch(/Call Media/);
    for (const { name: look, colorScheme, width, ...scope } of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await resize(page, width, 900);
      // Redoc asks once whether it is dark.
      if (!SLUGS.includes(name)) {
        await page.reload();
        await page.getByText(OWN_SEARCH).waitFor({ state: "attached" });
      }
      const path = join(screenshots, `${name.replace("/", "-")}-${look}.png`);
      await takeScreenshot(page, { path });
      const exclude = isCodeLookedAt(name) ? {} : { exclude: "pre code" };
      const barriers = await findBarriers(page, { ...scope, ...exclude });
      expect([look, barriers.filter((barrier) => !isKnown(name, barrier))]).toEqual([look, []]);
      await expect.poll(async () => [look, await widthOf(page)]).toEqual([look, width]);
    }
    expect(faults).toEqual([]);
    await page.close();
  });
});

/** Wider than the screen: the page would have to be scrolled sideways. */
const widthOf = (page: Page): Promise<number> =>
  page.evaluate(() => globalThis.document.documentElement.scrollWidth);
