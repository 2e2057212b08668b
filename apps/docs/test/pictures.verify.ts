// The pictures of the guides, of the console, a hand-over and a check over the demo of 2026-11-01. `pnpm --filter @call-media/docs run
// pictures` takes them again. Otherwise this checks that what they show is still so, and that they exist and are small.
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hasChromium } from "@call-media/test-setup/chromium";
import { openProxy } from "@call-media/test-setup/proxy";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createMarkdown } from "../src/markdown.ts";
import { SITE } from "../src/places.ts";
import { type Browser, openBrowser, resize } from "./support/browser.ts";
import { openShell } from "./support/shell.ts";

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
    name: "words",
    height: 460,
    open: async (page) => {
      await go(page, "#/?from=2025-01-01&to=2026-10-31&words=estimated%20bill*");
      return page.locator(".passage mark").first();
    },
  },
  {
    name: "hand-over",
    height: 640,
    open: async (page) => {
      await go(page, "#/?from=2026-10-25&to=2026-10-31&campaign=Billing%20Support");
      await page
        .getByRole("row", { name: /Bill explained/ })
        .first()
        .waitFor();
      await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
      await page.keyboard.press("x");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByRole("link", { name: "Hand over", exact: true }).click();
      await page.getByLabel("For", { exact: true }).fill("Legal, case 2026-118");
      await page.getByRole("checkbox", { name: "Telephone numbers" }).check();
      await page.getByRole("checkbox", { name: "Recordings" }).check();
      return page.getByText(/^Hidden in/);
    },
  },
  {
    name: "handed-over",
    height: 640,
    open: async (page) => {
      await page.getByRole("button", { name: "Hand over", exact: true }).click();
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
      await page.getByText("As archived", { exact: true }).waitFor();
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

/** Writes the picture if it is to be taken. Resolves to the bytes of the one that is there. */
async function keep(page: Page, name: string): Promise<number> {
  const file = join(SITE, `guides/pictures/${name}.webp`);
  if (process.env["CALL_MEDIA_PICTURES"] === "take") await writeFile(file, await take(page));
  return (await stat(file)).size;
}

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
    expect(await keep(page, `console-${name}`)).toBeLessThanOrEqual(MAX_BYTES);
  });
});

test.skipIf(!hasChromium)("picture of the page of a hand-over, opened from the disk", async () => {
  await using shell = await openShell(demo);
  const days = "--from 2025-01-15 --to 2025-02-15";
  const { code, error } = await shell.run(
    `call-media export ${days} --campaign "Billing Support" --hand-over week.zip
unzip -q week.zip -d week`,
  );
  expect(code, error).toBe(0);
  await using browser = await openBrowser(pathToFileURL(join(shell.folder, "week/")).href);
  const { page } = await browser.visit("index.html");
  await resize(page, WIDTH, 560);
  await page.getByRole("button", { name: /Zoë Lindqvist/ }).click();
  await page.getByRole("list", { name: "Transcript" }).waitFor();
  expect(await keep(page, "hand-over-page")).toBeLessThanOrEqual(MAX_BYTES);
});

test.skipIf(!hasChromium)("picture of a check that finds a renamed field", async () => {
  // As a release may do by mistake.
  await using service = await openProxy(demo.baseUrl, {
    change: (body, path) =>
      path === "/flags/private" || path.startsWith("/flags/private?")
        ? body.replaceAll('"DateCreated"', '"dateCreated"')
        : body,
  });
  await using shell = await openShell({ ...demo, baseUrl: service.baseUrl });
  const { code, out, error } = await shell.run("call-media check --format markdown");
  expect(code, error).toBe(1);
  // Chromium as npm has it brings no font for emoji.
  const shown = out
    .replaceAll(service.baseUrl, "https://archive.example.com")
    .replace("\u274c", "\u2717");
  const { html } = (await createMarkdown())(shown, (href) => href);
  await using browser = await openBrowser(`${demo.baseUrl}/docs/`);
  const { page } = await browser.visit("checking.html");
  await resize(page, WIDTH, 690);
  await page.evaluate((text) => {
    document.body.innerHTML = `<main>${text}</main>`;
    document.body.style.padding = "0 2rem";
    document.querySelector("h2")?.style.setProperty("border", "0");
    document.querySelector("h2")?.style.setProperty("margin", "1.25rem 0 0");
    document.querySelector("details")?.setAttribute("open", "");
  }, html);
  await page.getByText("dateCreated: not documented").first().waitFor();
  expect(await keep(page, "check")).toBeLessThanOrEqual(MAX_BYTES);
});
