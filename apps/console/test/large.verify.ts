// A list of 100,000 calls: its true height, any row by one request, and few rows drawn.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const MORE = 100_000;

describe.skipIf(!hasChromium)("100,000 calls", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
    const file = createWriteStream(join(demo.directory, "..", "large.jsonl"));
    for (let index = 0; index < MORE; index++) {
      const datetime = new Date(Date.UTC(2020, 0, 1) + index * 600_000).toISOString();
      const call = {
        kind: "call",
        datetime,
        call_id: `large-${index}`,
        agent: `agent.${index % 50}`,
      };
      if (!file.write(`${JSON.stringify({ ...call, campaign: `Campaign ${index % 7}` })}\n`))
        await once(file, "drain");
    }
    file.end();
    await once(file, "close");
    await demo.run("import", "--data", demo.directory, String(file.path));
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test("are one list, whose last row is there after one more request", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go, asked } = opened;
    await signIn(page, demo.apiKey);
    await go("#/?from=all");
    const grid = page.getByRole("grid", { name: "Calls" });
    const rows = async () => Number(await grid.getAttribute("aria-rowcount"));
    await expect.poll(rows).toBeGreaterThan(MORE);
    const end = (await rows()) - 2;
    await page.locator("#row-3").waitFor();
    const before = asked.length;
    await page.keyboard.press("End");
    const last = page.locator(`#row-${end}`);
    await expect.poll(() => last.textContent()).toContain("agent.0");
    expect(asked.length - before).toBeLessThanOrEqual(3);
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    await page.keyboard.press("Home");
    await page.locator("#row-0").waitFor();
    // Where something was loaded above, what is read stays where it is.
    for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 40_000);
    await expect.poll(() => page.locator(".bone").count()).toBe(0);
    expect(await page.getByRole("row").count()).toBeLessThan(100);
  });

  test("are checked by the page one and all, and that can be stopped", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go(`#/?from=all&where=${encodeURIComponent('call_id ~ "large-9999"')}`);
    await page.getByRole("button", { name: "Stop" }).click();
    const count = page.getByRole("heading", { level: 1 });
    await expect.poll(() => count.textContent()).toMatch(/ of 100,\d{3} legs$/);
    await page.getByRole("button", { name: /of 100,\d{3} here/ }).waitFor();
  });
});
