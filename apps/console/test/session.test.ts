// Sessions as the page meets them: ended elsewhere, taken up again, and gone from every tab at once.
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const ZOE = "300000000100017";

describe.skipIf(!hasChromium)("a session", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test("that ended elsewhere hides the page; the same person goes on where he was", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go(`#/call/${ZOE}`);
    const heading = page.getByRole("heading", { name: /Zoë Lindqvist/ });
    await heading.waitFor();
    await page.evaluate(() =>
      fetch("session?everywhere", { method: "DELETE", headers: { "X-Call-Media-Console": "1" } }),
    );
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    expect(await heading.isVisible()).toBe(false);
    await signIn(page, demo.apiKey);
    await heading.waitFor();
    expect(page.url()).toContain(ZOE);
    await page
      .getByRole("button", { name: "Try again" })
      .or(page.getByRole("button", { name: "Play", exact: true }))
      .click();
    await page.getByText("Same bytes as archived").waitFor();
  });

  test("ends when nobody uses the page for half an hour, and what was on it is hidden", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await page.clock.install();
    await page.reload();
    await signIn(page, demo.apiKey);
    await go(`#/call/${ZOE}`);
    const heading = page.getByRole("heading", { name: /Zoë Lindqvist/ });
    await heading.waitFor();
    await page.clock.runFor("25:00");
    expect(await heading.isVisible()).toBe(true);
    await page.clock.runFor("15:00");
    await page.getByText("The page was not used for half an hour.").waitFor();
    expect(await heading.isVisible()).toBe(false);
    const user = () =>
      page.evaluate(
        async () => ((await (await fetch("session")).json()) as { user: unknown }).user,
      );
    await expect.poll(user).toBe(null);
  });

  test("that is signed out in one tab is out in the other", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go(`#/call/${ZOE}`);
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    await other.getByRole("button", { name: /^Account / }).click();
    await other.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByLabel("API key").waitFor();
    expect(await page.textContent("body")).not.toContain("Lindqvist");
  });

  test("leaves nothing of persons in what the browser keeps", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go("#/?from=all&customer_last_name=Lindqvist");
    await page.locator("#row-0").waitFor();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Bills");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("link", { name: "Bills" }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify(Object.entries(localStorage).concat(Object.entries(sessionStorage))),
    );
    expect(kept).toContain("Bills");
    expect(kept).not.toContain("Lindqvist");
    expect(await page.evaluate(() => document.cookie)).toBe("");
  });
});
