// The site as somebody reads it who has a keyboard, a narrow screen, or no idea where to look.
import { hasChromium } from "@call-media/test-setup/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Browser, openBrowser, OWN_SEARCH, resize } from "./support/browser.ts";

const root = `${inject("demo").baseUrl}/docs/`;

// What a reader of the keyboard has to come to, as the page shows it.
const FOCUSABLE = "a[href], button, input, summary, [tabindex='0']";

/** What has the focus: its text or its name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent.trim() ?? "";
  });

describe.skipIf(!hasChromium)("a reader", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(root);
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  test("skips to the text by the first key", async () => {
    for (const path of ["errors.html", "reference.html"]) {
      const { page } = await browser.visit(path);
      await page.keyboard.press("Tab");
      await expect.poll(() => focused(page)).toBe("Skip to the text");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
      await page.close();
    }
  });

  test("reads the table of errors on a narrow screen without scrolling it sideways", async () => {
    const { page } = await browser.visit("errors.html");
    await resize(page, 360, 740);
    const hidden = await page.evaluate(() =>
      [...document.querySelectorAll(".scroll")].map(
        (table) => table.scrollWidth - table.clientWidth,
      ),
    );
    expect(Math.max(...hidden)).toBe(0);
    await page.close();
  });

  test("sees all of a command on a touch screen, where its button is always there", async () => {
    const { page } = await browser.visit("index.html");
    const device = await page.context().newCDPSession(page);
    await device.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    const metrics = { width: 375, height: 740, deviceScaleFactor: 2, mobile: true };
    await device.send("Emulation.setDeviceMetricsOverride", metrics);
    const isNarrowTouch = () => innerWidth === 375 && matchMedia("(hover: none)").matches;
    await expect.poll(() => page.evaluate(isNarrowTouch)).toBe(true);
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll(".code")]
        .filter((block) => {
          const [button, code] = ["button", "code"].map((name) => block.querySelector(name));
          const bottom = button?.getBoundingClientRect().bottom ?? Infinity;
          return (code?.getBoundingClientRect().top ?? 0) < bottom;
        })
        .map(({ textContent }) => textContent),
    );
    expect(covered).toEqual([]);
    await page.close();
  });

  test.each(["checking.html", "reference.html"])(
    "comes to everything in %s by the keyboard",
    async (path) => {
      const { page } = await browser.visit(path);
      // Redoc's own search, which is not shown, is there once its menu works.
      if (path === "reference.html")
        await page.getByText(OWN_SEARCH).waitFor({ state: "attached" });
      const count = await page.evaluate((selector) => {
        const shown = [...document.querySelectorAll<HTMLElement>(selector)].filter(
          (element) => element.checkVisibility() && element.tabIndex >= 0,
        );
        shown.forEach((element) => element.setAttribute("data-to-reach", ""));
        return shown.length;
      }, FOCUSABLE);
      expect(count).toBeGreaterThan(15);
      for (let step = 0; step < count * 2; step += 1) {
        await page.keyboard.press("Tab");
        await page.evaluate(() => document.activeElement?.removeAttribute("data-to-reach"));
      }
      const left = await page.evaluate(() =>
        [...document.querySelectorAll("[data-to-reach]")].map(({ outerHTML }) => outerHTML),
      );
      expect(left).toEqual([]);
      await page.close();
    },
  );

  test("finds a field of the contract, an option and an operation, and goes there", async () => {
    const { page, faults } = await browser.visit("index.html");
    await page.keyboard.press("/");
    await expect.poll(() => focused(page)).toBe("Search the documentation");
    const results = page.locator("#found a");
    await page.keyboard.type("tls-cert");
    await expect
      .poll(() => results.allTextContents())
      .toContainEqual(expect.stringContaining("server"));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("xylophone");
    await page.getByText("Nothing found").waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("xylophone recording");
    await page.getByText("No place has all the words").waitFor();
    await page.getByText("Save a recording").first().waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("searchMetadata");
    await page.getByText("searchMetadata: Search by named fields").waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toMatch(/^searchMetadata:/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/reference\.html#\/metadata\/searchmetadata/);
    expect(faults).toEqual([]);
    await page.close();
  });

  test("has one box to search in, also where the page has a menu of its own", async () => {
    const { page } = await browser.visit("reference.html");
    await page.getByText(OWN_SEARCH).waitFor({ state: "attached" });
    expect(await page.getByText(OWN_SEARCH).isVisible()).toBe(false);
    await page.getByLabel("Search the documentation").waitFor();
    await page.close();
  });

  test("closes what was found by Escape, and is back in the field", async () => {
    const { page } = await browser.visit("reference.html");
    await page.getByLabel("Search the documentation").fill("purge");
    await page.locator("#found a").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("#found").isVisible()).toBe(false);
    await expect.poll(() => focused(page)).toBe("Search the documentation");
    await page.close();
  });

  test("opens the menu of a narrow screen, which is open on a wide one", async () => {
    const { page } = await browser.visit("errors.html");
    const link = page
      .getByRole("navigation", { name: "Pages" })
      .getByText("What the interface leaves open");
    await link.waitFor();
    await resize(page, 360, 800);
    await expect.poll(() => link.isVisible()).toBe(false);
    await page.getByText("Menu", { exact: true }).press("Enter");
    await link.click();
    await page.waitForURL(/decisions\.html$/);
    await page.close();
  });

  test("prints the text alone, all of it, dark on white", async () => {
    const { page } = await browser.visit("searching.html");
    await resize(page, 700, 1000);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const seen = await page.evaluate(() => ({
      shown: ["header", ".menu", ".code button"].filter((selector) =>
        document.querySelector(selector)?.checkVisibility(),
      ),
      cutOff: [...document.querySelectorAll("pre")].filter(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
      ).length,
      ground: getComputedStyle(document.body).backgroundColor,
    }));
    expect(seen).toEqual({ shown: [], cutOff: 0, ground: "rgb(255, 255, 255)" });
    await page.close();
  });

  test("sees a link to the operations without scripts, and no search that does nothing", async () => {
    const { page } = await browser.visit("reference.html");
    const device = await page.context().newCDPSession(page);
    await device.send("Emulation.setScriptExecutionDisabled", { value: true });
    await page.reload();
    await page.locator("noscript p").waitFor();
    expect(await page.locator(".bar input").isVisible()).toBe(false);
    await page.close();
  });

  test("copies a block of code, as it stands there", async () => {
    const { page, faults } = await browser.visit("checking.html");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copy = page.getByRole("button", { name: "Copy" }).first();
    // It says so for a moment, in which a busy machine may not look.
    await copy.evaluate((button) => {
      const note = () => {
        if (button.textContent === "Copied") button.setAttribute("data-said", "");
      };
      new MutationObserver(note).observe(button, { childList: true });
    });
    await copy.press("Enter");
    await page.locator("button[data-said]").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.trim()).toBe("call-media check --base-url https://archive.example.com");
    expect(faults).toEqual([]);
    await page.close();
  });
});
