// Who looked at a call, as administrators see it: over a real service, with a real browser.
import { hasChromium } from "@call-media/test-setup/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn, signInAs } from "./support/browser.ts";
import { openHandOver, saveHandOver } from "./support/hand-over.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const ZOE = "300000000100017";

const openTab = (page: Page) => page.getByRole("tab", { name: "Access" }).click();

/** What was done, newest first, without the times. */
const readActs = (page: Page) =>
  page
    .locator(".access tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].slice(1).map((cell) => cell.innerText)),
    );

describe.skipIf(!hasChromium)("accesses", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test("an administrator sees in one click who looked, listened, saved and handed over", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go, faults, asked } = opened;
    await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
    await signIn(page, demo.apiKey);
    await go(`#/call/${ZOE}`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText("As archived", { exact: true }).waitFor();
    expect(asked.filter((one) => one.includes("/console/access"))).toEqual([]);
    await openTab(page);
    await expect
      .poll(() => readActs(page))
      .toEqual([
        ["avery.admin", "Listened\nwhole", "console"],
        ["avery.admin", "Looked\nfields, chat", "console"],
      ]);

    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Save/ }).click();
    await saving;
    await go("#/?from=2025-01-21&to=2025-01-21&customer_last_name=lindqvist");
    await page.locator("#row-0").waitFor();
    await page.keyboard.press("x");
    await openHandOver(page);
    await page.getByRole("textbox", { name: "For", exact: true }).fill("Legal, Fall 7 – für Ünal");
    await saveHandOver(page);
    await go(`#/call/${ZOE}`);
    await openTab(page);
    await expect
      .poll(async () => (await readActs(page)).map(([, what]) => what?.split("\n")[0]))
      .toEqual(expect.arrayContaining(["Handed over", "Saved", "Listened", "Looked"]));
    await page
      .getByRole("cell", { name: /^Handed over.*; for Legal, Fall 7 – für Ünal$/ })
      .waitFor();
    await page.getByRole("button", { name: "Copy as table" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split("\n")[0]).toBe("Time\tWho\tWhat\tBy");
    expect(copied).toMatch(/\tavery\.admin\tSaved; whole\tconsole/);
    expect(await page.evaluate(() => Object.values(localStorage).join())).not.toContain(ZOE);
    expect(faults).toEqual([]);
  });

  test("nobody else has the tab, nor an answer; the refusal is a row", async () => {
    await using other = await openConsole(demo.baseUrl);
    await signInAs(other.page, demo.restricted);
    await other.go(`#/call/${ZOE}`);
    await other.page.getByRole("heading", { name: "Transcript" }).waitFor();
    expect(await other.page.getByRole("tab").count()).toBe(0);
    const status = await other.page.evaluate(
      async (id) =>
        (await fetch(`access?call_id=${id}`, { headers: { "X-Call-Media-Console": "1" } })).status,
      ZOE,
    );
    expect(status).toBe(403);

    await using opened = await openConsole(demo.baseUrl);
    await signIn(opened.page, demo.apiKey);
    await opened.go(`#/call/${ZOE}`);
    await openTab(opened.page);
    await opened.page.getByRole("cell", { name: "Refused this user may not" }).waitFor();
  });

  test("the tabs go by arrow keys, and speak German", async () => {
    await using opened = await openConsole(demo.baseUrl, { locale: "de-DE" });
    const { page, go } = opened;
    await page.getByLabel("API key").fill(demo.apiKey);
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await go(`#/call/${ZOE}`);
    await page.getByRole("tab", { name: "Transkript" }).focus();
    await page.keyboard.press("ArrowRight");
    await page
      .getByRole("cell", { name: /^Angesehen/ })
      .first()
      .waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Zugriffe");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("list", { name: "Transkript" }).waitFor();
  });
});
