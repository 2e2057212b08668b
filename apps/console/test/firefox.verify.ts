// The console in Firefox, where Debian's is installed: sign in, search, open a call, listen and jump.
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, openDemo } from "./support/demo.ts";
import { type FirefoxPage, hasFirefox, openFirefox } from "./support/firefox.ts";

const ZOE = "300000000100017";

// Without a device Firefox plays nothing, and calls every file one that it cannot play.
const hasSound = process.env["PULSE_SERVER"] !== undefined || existsSync("/dev/snd");

if (!hasFirefox) console.log("the console in Firefox is not tested: no /usr/bin/firefox-esr");
else if (!hasSound) console.log("playing in Firefox is not tested: no sound device");

const FIND = `
  const named = (role, name) => [...document.querySelectorAll("button, a, [role]")].find(
    (one) => (one.getAttribute("role") ?? one.localName) === role &&
      name.test(one.getAttribute("aria-label") ?? one.textContent ?? ""));
  const field = (label) => [...document.querySelectorAll("input")].find(
    (one) => one.labels?.[0]?.textContent?.includes(label));
  const slider = () => document.querySelector("[aria-label=Position]");
  const at = () => Number(slider()?.value ?? slider()?.getAttribute("aria-valuenow"));`;

describe.skipIf(!hasFirefox)("the console in Firefox", () => {
  let demo: Demo;
  let page: FirefoxPage;
  const run = (body: string) => page.run(`${FIND} ${body}`);
  const until = (condition: string) =>
    run(`while (!(${condition})) await new Promise((resolve) => setTimeout(resolve, 50));`);

  beforeAll(async () => {
    demo = await openDemo("--console-session");
    page = await openFirefox();
    await page.visit(`${demo.baseUrl}/console/`);
    await until(`field("API key")`);
    await run(`const input = field("API key");
      input.value = ${JSON.stringify(demo.apiKey)};
      input.dispatchEvent(new Event("input", { bubbles: true }));
      named("button", /^Sign in$/).click();`);
    await until(`named("grid", /^Calls$/)`);
  });
  afterAll(async () => {
    await page[Symbol.asyncDispose]();
    await demo[Symbol.asyncDispose]();
  });

  test("a search lists calls", async () => {
    await run(`location.hash = "#/?from=all";`);
    await until(`document.querySelectorAll("[role=row]").length > 10`);
    expect(
      await run(`return document.querySelector("[role=grid]").getAttribute("aria-rowcount")`),
    ).toMatch(/^\d{3,}$/);
  });

  test.runIf(hasSound)(
    "a call plays from its button, and on from where the wave is pressed",
    async () => {
      await run(`location.hash = "#/call/${ZOE}";`);
      await until(`named("button", /^Play$/)`);
      await run(`named("button", /^Play$/).click();`);
      await until(`at() > 0.5`);
      await run(`slider().focus();
      for (let presses = 0; presses < 3; presses++)
        slider().dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));`);
      await until(`at() > 10`);
      expect(
        await run(`return document.body.textContent.includes("the meter was estimated")`),
      ).toBe(true);
    },
  );

  test("nothing was refused by the page's policy, and nothing failed", () => {
    expect(page.faults).toEqual([]);
  });
});
