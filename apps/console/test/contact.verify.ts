// A transferred call in a real browser: all of its legs on one page, heard one after the other.
import { hasChromium } from "@call-media/test-setup/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

// From Viktor Halász to Owen Pritchard; the recorder wrote their times in two zones.
const TRANSFERRED = "300000000100425";

const lanes = (page: Page) => page.getByRole("region", { name: "Legs of this contact" });

describe.skipIf(!hasChromium)("a transferred call", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const open = async () => {
    const opened = await openConsole(demo.baseUrl);
    await signIn(opened.page, demo.apiKey);
    await opened.go(`#/call/${TRANSFERRED}`);
    await lanes(opened.page).waitFor();
    return opened;
  };

  test("has a lane for each leg and its lines below it, in the order of time and in one zone", async () => {
    await using opened = await open();
    const { page, faults } = opened;
    const texts = await lanes(page).getByRole("listitem").allTextContents();
    expect(texts).toMatchObject([
      expect.stringMatching(/^Viktor Halász12:01:33 /),
      expect.stringMatching(/^Owen Pritchard12:02:40 /),
    ]);
    const lines = await page.getByRole("list", { name: "Transcript" }).textContent();
    expect(lines).toMatch(
      /Leg 1 · Viktor Halász12:01:33.*Owen will be with you.*Leg 2 · Owen Pritchard12:02:400:48 after.*Technical help, Owen/s,
    );
    expect(faults).toEqual([]);
  });

  test("plays on from leg to leg, and a line of the other leg plays there", async () => {
    await using opened = await open();
    const { page, faults, asked } = opened;
    const current = lanes(page).locator("[aria-current]");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText("As archived", { exact: true }).waitFor();
    await page.keyboard.press("End");
    await expect.poll(() => current.textContent()).toContain("Owen Pritchard");
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    expect(page.url()).toMatch(/leg=2$/);
    // The page shows what plays: it is not below it as well.
    await expect.poll(() => page.getByRole("region", { name: "Player" }).count()).toBe(1);

    await page.getByRole("button", { name: /Then please put me through/ }).click();
    await expect.poll(() => current.textContent()).toContain("Viktor Halász");
    const position = page.getByRole("slider", { name: "Position" });
    await expect
      .poll(async () => Number(await position.getAttribute("aria-valuenow")))
      .toBeGreaterThanOrEqual(14);
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await expect.poll(() => page.getByRole("region", { name: "Player" }).count()).toBe(1);
    const heard = asked.filter((one) => one.startsWith("GET /console/api/recording/"));
    expect(heard.map((one) => /part=\d/.exec(one)?.[0] ?? "part=1")).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  test("a lane plays from the keyboard from its beginning", async () => {
    await using opened = await open();
    const { page } = opened;
    await lanes(page)
      .getByRole("button", { name: "Play from here: Owen Pritchard, 12:02:40" })
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    expect(page.url()).toMatch(/leg=2&t=0$/);
  });
});
