// The console behind a proxy: one that signs people in, one whose answers leave the contract, one that breaks its headers.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";
import { openProxy } from "@call-media/test-setup/proxy";

const ALL = "#/?from=2024-11-01&to=2026-12-31";

describe.skipIf(!hasChromium)("behind a proxy that signs people in", () => {
  let demo: Demo;
  let folder: string;
  const secret = "5e".repeat(32);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "call-media-console-"));
    const file = join(folder, "proxy-secret");
    await writeFile(file, secret, { mode: 0o600 });
    const naming = ["--console-user-header", "X-User", "--console-user-secret-file", file];
    demo = await openDemo("--behind-proxy", "127.0.0.1", ...naming);
  });
  afterAll(async () => {
    await demo[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const openSignedIn = (name: string) =>
    openProxy(demo.baseUrl, {
      headers: {
        "X-User": name,
        "X-Call-Media-Proxy-Secret": secret,
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "10.0.0.1",
      },
    });

  test("nobody types anything, and sees what that user may see", async () => {
    await using proxy = await openSignedIn("sam.supervisor");
    await using opened = await openConsole(proxy.baseUrl);
    const { page, go, faults } = opened;
    await page.getByRole("button", { name: "Account sam.supervisor" }).waitFor();
    await go(ALL);
    await page.locator("#row-3").waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(faults).toEqual([]);
  });

  test("who signs out signs in again by one button", async () => {
    await using proxy = await openSignedIn("sam.supervisor");
    await using opened = await openConsole(proxy.baseUrl);
    const { page } = opened;
    await page.getByRole("button", { name: /^Account / }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByText("Your network has signed you in as sam.supervisor.").waitFor();
    expect(await page.getByLabel("API key").count()).toBe(0);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Account sam.supervisor" }).waitFor();
  });

  test("an administrator must sign in with a key", async () => {
    await using proxy = await openSignedIn("avery.admin");
    await using opened = await openConsole(proxy.baseUrl);
    const { page } = opened;
    const alert = page.getByRole("alert");
    await expect.poll(() => alert.textContent()).toContain("Administrators are not signed in");
    await page.getByRole("button", { name: "Use an API key" }).click();
    await signIn(page, demo.apiKey);
  });

  test("a name without a user in the archive shows an alert, and may sign in with a key", async () => {
    await using proxy = await openSignedIn("nobody.here");
    await using opened = await openConsole(proxy.baseUrl);
    const { page } = opened;
    const alert = page.getByRole("alert");
    await expect.poll(() => alert.textContent()).toContain("has no active user of this name");
    await page.getByRole("button", { name: "Use an API key" }).click();
    await signIn(page, demo.apiKey);
  });
});

describe.skipIf(!hasChromium)("behind a proxy that changes things", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test("answers that leave the contract are counted in the bar and named, without a value", async () => {
    await using proxy = await openProxy(demo.baseUrl, {
      change: (body, path) =>
        path.includes("/metadata/")
          ? body.replaceAll(/"talk_time":\d+/g, '"talk_time":"long"')
          : body,
    });
    await using opened = await openConsole(proxy.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go(ALL);
    await page.locator("#row-3").waitFor();
    await page.getByRole("link", { name: /^\d+ unexpected answers?$/ }).click();
    const about = page.locator("main");
    await expect.poll(() => about.textContent()).toContain("talk_time");
    expect(await about.textContent()).not.toContain("long");
  });

  test("a request that looks forged has another sentence than a right that is missing", async () => {
    const headers: Record<string, string> = {};
    await using proxy = await openProxy(demo.baseUrl, { headers });
    await using opened = await openConsole(proxy.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    headers["sec-fetch-site"] = "cross-site";
    await go(ALL);
    const alert = page.getByRole("alert");
    await expect
      .poll(() => alert.textContent())
      .toContain("does not recognise this page as its own");
    expect(await alert.textContent()).toContain("Sec-Fetch-Site");
    // The words come after the refusal.
    const refusal = page.waitForResponse((response) => response.status() === 403);
    await page.route(/\/en-[^/]*\.js$/, async (route) => {
      await (await refusal).finished();
      await route.continue();
    });
    await page.reload();
    await expect
      .poll(() => alert.textContent())
      .toContain("does not recognise this page as its own");
  });
});
