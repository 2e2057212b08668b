// Sessions as the page meets them: ended elsewhere, taken up again, and gone from every tab at once.
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn, signInAs } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const ZOE = "300000000100017";
/** The last second of her recording. */
const END_SECOND = 35;

describe.skipIf(!hasChromium)("a session", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test("that ended elsewhere hides the page; the same person goes on where he was", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    // What is still under way would be refused before Play is pressed: a search, and the head of the recording.
    const described = page.waitForResponse((response) => response.request().method() === "HEAD");
    await go(`#/call/${ZOE}`);
    await signIn(page, demo.apiKey);
    const heading = page.getByRole("heading", { name: /Zoë Lindqvist/ });
    await heading.waitFor();
    await described;
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
    await page.getByText("As archived", { exact: true }).waitFor();
  });

  test("lasts over a reload, which goes on at the second of the pause", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await go(`#/call/${ZOE}`);
    await signIn(page, demo.apiKey);
    const clock = page.getByRole("slider", { name: "Position" });
    const readSecond = async () => Number(await clock.getAttribute("aria-valuenow"));
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText("As archived", { exact: true }).waitFor();
    await page.keyboard.press("Shift+ArrowRight");
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await expect.poll(() => page.url()).toMatch(/\?t=\d+$/);
    const second = await readSecond();
    await page.reload();
    await expect.poll(readSecond).toBe(Math.floor(second));

    // Before it plays, its end is known as soon as its head has come.
    await page.keyboard.press("End");
    await page.keyboard.press("Alt+ArrowRight");
    await expect
      .poll(readSecond)
      .toSatisfy((found) => [Math.floor(second) + 30, END_SECOND].includes(Number(found)));
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(() => page.url()).toMatch(new RegExp(`${ZOE}$`));
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

  test("that was ended elsewhere shows nothing when Back brings the page out of memory", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go(`#/call/${ZOE}`);
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    await page.request.delete(`${demo.baseUrl}/console/session`, {
      headers: { "X-Call-Media-Console": "1" },
    });
    // Chromium without a window keeps no pages in memory, so the event alone is tried.
    await page.evaluate(() =>
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
    );
    await page.getByLabel("API key").waitFor();
    // The page hides at once, and forgets the call when it knows who is there.
    await expect.poll(() => page.textContent("body")).not.toContain("Lindqvist");
    await page.goto(`${demo.baseUrl}/docs/`);
    await page.goBack();
    await page.getByLabel("API key").waitFor();
    expect(await page.textContent("body")).not.toContain("Lindqvist");
  });

  test("leaves the secrets in no storage, address, title or history", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go, faults } = opened;
    const { secretID, secretKey } = demo.restricted;
    await signInAs(page, demo.restricted);
    await go("#/?from=all");
    await page.locator("#row-0").click();
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    const left = await page.evaluate(async () => {
      const entries = "navigation" in window ? window.navigation.entries() : [];
      return JSON.stringify([
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        await indexedDB.databases(),
        await caches.keys(),
        (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
        document.cookie,
        document.title,
        document.documentElement.outerHTML,
        entries.map(({ url }) => url),
        history.state,
      ]);
    });
    expect(left).toContain("#/call/");
    for (const secret of [secretID, secretKey]) expect(left).not.toContain(secret);
    expect(faults).toEqual([]);
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
