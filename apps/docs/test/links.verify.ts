// Every link of the reference leads somewhere: to a decision, to an operation.
import { document, routes } from "@call-media/api";
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Browser, openBrowser } from "./support/browser.ts";

const root = `${inject("demo").baseUrl}/docs/`;

describe.skipIf(!hasChromium)("of the reference", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(root);
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  test("a decision is read where it was made", async () => {
    const { page } = await browser.visit("reference.html#/metadata/searchmetadata");
    await page.getByRole("link", { name: "D07" }).first().click();
    const heading = page.locator("h3:target");
    await heading.waitFor();
    expect(await heading.textContent()).toBe("D07 Pages");
    await page.close();
  });

  test("an operation has an address, by which it opens, and an example in each language", async () => {
    const { page, faults } = await browser.visit("reference.html#/chat/getchatbycallid");
    await page.locator("h2", { hasText: "Chat transcript of a call" }).waitFor();
    // What a reader has chosen stays chosen.
    await page.getByRole("button", { name: "curl" }).click();
    const languages = page.getByRole("menuitem");
    await expect
      .poll(() => languages.allTextContents())
      .toEqual(["curl", "TypeScript", "call-media"]);
    await languages.last().click();
    for (const { operationId, tag, path, method } of routes) {
      const { summary = "" } = document.paths[path]?.[method.toLowerCase()] ?? {};
      const address = `${tag}/${operationId}`.toLowerCase();
      await page.goto(`${root}reference.html#/${address}`);
      await page.locator("h2", { hasText: summary }).waitFor();
      const operation = page.locator(`[id="${address}"]`);
      await operation.getByRole("button", { name: "call-media", exact: true }).waitFor();
      await operation.locator("pre", { hasText: "call-media " }).first().waitFor();
    }
    expect(faults).toEqual([]);
    await page.close();
  });
});
