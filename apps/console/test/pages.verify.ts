// Every state of the page for everybody: axe finds nothing, nothing is wider than the window, and no policy is broken.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { hasChromium } from "@call-media/test-setup/chromium";
import type Axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";
import { handOverButton, openHandOver } from "./support/hand-over.ts";

const ALL = "#/?from=2024-11-01&to=2026-12-31";

interface State {
  readonly hash: string;
  readonly ready: (page: Page) => Promise<unknown>;
}

const STATES: Readonly<Record<string, State>> = {
  search: { hash: ALL, ready: (page) => page.locator("#row-3").waitFor() },
  picked: {
    hash: `${ALL}&campaign=Retention`,
    ready: async (page) => {
      await page.locator("#row-1").waitFor();
      await page.keyboard.press("x");
      await page.getByText("1 selected").waitFor();
    },
  },
  "hand-over": {
    hash: `${ALL.replace("#/", "#/hand-over")}&campaign=Outage%20Line&pick=NOPE&pick=300000000105389`,
    ready: async (page) => {
      await page.getByRole("heading", { name: /^Hand over [\d,]+ calls?/ }).waitFor();
      await page.getByText("Telephone numbers").click();
      await page.getByText("Other fields", { exact: true }).click();
      await page.getByText(/^Hidden in/).waitFor();
    },
  },
  "hand-over that is saved": {
    hash: `${ALL}&campaign=Technical%20Help`,
    ready: async (page) => {
      await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
      await page.locator("#row-1").waitFor();
      await page.keyboard.press("x");
      await openHandOver(page);
      await handOverButton(page).click();
      await page.getByText("Copy seal").waitFor();
    },
  },
  "hand-over that is compared": {
    hash: "#/check",
    ready: async (page) => {
      const file = { name: "calls.zip", mimeType: "application/zip", buffer: Buffer.from("none") };
      await page.getByLabel("Hand-over (zip)").setInputFiles(file);
      await page.getByLabel("Seal").fill("0".repeat(64));
      await page.getByText("This file is not a hand-over").waitFor();
    },
  },
  "filter by values": {
    hash: `${ALL}&campaign=Retention`,
    ready: async (page) => {
      await page.locator("#row-1").waitFor();
      await page.getByRole("button", { name: "Campaign Retention", exact: true }).click();
      await page.getByRole("checkbox", { name: /^Retention/ }).waitFor();
    },
  },
  "filter by seconds": {
    hash: `${ALL}&where=${encodeURIComponent("talk_time >= 600")}`,
    ready: async (page) => {
      await page.locator("#row-1").waitFor();
      await page.getByRole("button", { name: "Talk time 10:00 or more", exact: true }).click();
      await page.getByText("That is 600 seconds.").waitFor();
    },
  },
  "filter by a list": {
    hash: `${ALL}&call_id=300000000100017&call_id=NOPE`,
    ready: async (page) => {
      await page.getByText("1 found, 1 not there: NOPE").waitFor();
      await page.getByRole("button", { name: "Call 300000000100017", exact: true }).click();
      await page.getByText("2 of them").waitFor();
    },
  },
  accesses: {
    hash: "#/call/300000000100017",
    ready: async (page) => {
      await page.getByRole("tab", { name: "Access" }).click();
      await page
        .getByRole("cell", { name: /^Looked/ })
        .first()
        .waitFor();
      await page.getByRole("button", { name: /^Count the lists/ }).click();
      await page.getByText(/^Since .* it stood in/).waitFor();
    },
  },
  "found by words": {
    hash: `${ALL}&words=estimated%20bill*`,
    ready: (page) => page.locator("#row-1 mark").first().waitFor(),
  },
  "nothing found": {
    hash: `${ALL}&campaign=Nothing`,
    ready: (page) =>
      page
        .getByText(/^\d+ legs$/)
        .last()
        .waitFor(),
  },
  "few found by words": {
    hash: `${ALL}&words=complaint`,
    ready: (page) => page.getByRole("button", { name: /with complaint\*$/ }).waitFor(),
  },
  counts: {
    hash: ALL,
    ready: async (page) => {
      await page.locator("#row-1").waitFor();
      await page.getByRole("button", { name: "Count", exact: true }).click();
      await page.getByText(/^Counted by the archive/).waitFor();
    },
  },
  "call before it plays": {
    hash: "#/call/300000000100017",
    ready: (page) => page.getByText("Listening is recorded").waitFor(),
  },
  "call that plays": {
    hash: "#/call/300000000100017?find=euros",
    ready: async (page) => {
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.getByText("As archived", { exact: true }).waitFor();
    },
  },
  "transferred call": {
    hash: "#/call/300000000100425",
    ready: (page) => page.getByRole("region", { name: "Legs of this contact" }).waitFor(),
  },
  "call with muted places": {
    hash: "#/call/300000000100017",
    ready: async (page) => {
      await page.getByText("As archived", { exact: true }).waitFor();
      const places = page.getByRole("region", { name: "Muted in hand-overs" });
      // While the sound is still loading, its position goes back to the beginning.
      await vi.waitFor(async () => {
        for (const key of ["Home", "[", "ArrowRight", "]", "h"]) await page.keyboard.press(key);
        await places.waitFor({ timeout: 2_000 });
      }, 60_000);
    },
  },
  "list below which a call plays": {
    hash: `${ALL}&customer_last_name=lindqvist`,
    ready: async (page) => {
      // The row of the call that plays is the tenth, which a low window need not draw.
      await page.locator("#row-0").waitFor();
      await page.getByRole("region", { name: "Player" }).getByText("Zoë Lindqvist").waitFor();
    },
  },
  "read in a row": {
    hash: `${ALL.replace("#/", "#/read")}&customer_last_name=lindqvist&side=customer&find=bill`,
    ready: (page) => page.locator("mark.is-here").waitFor(),
  },
  "call that is not there": {
    hash: "#/call/nobody",
    ready: (page) => page.getByText("Nothing here that you may see").waitFor(),
  },
  about: { hash: "#/about", ready: (page) => page.getByText("Keyboard").first().waitFor() },
};

const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "forced colours": { forcedColors: "active" },
  phone: { viewport: { width: 360, height: 800 } },
  "320 px": { viewport: { width: 320, height: 800 } },
  "1440 px": { viewport: { width: 1440, height: 900 } },
  "a phone in the dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
} as const;

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds, a line for each rule that is broken. */
async function findBarriers(page: Page): Promise<string[]> {
  // Not as a script element, which the policy refuses.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    // The script above has put it there.
    const { run } = (globalThis as unknown as { axe: Pick<typeof Axe, "run"> }).axe;
    return run(document, { resultTypes: ["violations"] });
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}

describe.skipIf(!hasChromium)("pages", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test.each(Object.entries(LOOKS))("%s", async (_look, options) => {
    await using opened = await openConsole(demo.baseUrl, options);
    const { page, go, faults } = opened;
    await page.getByLabel("API key").waitFor();
    const found: Record<string, unknown> = { "sign-in": await findBarriers(page) };
    await signIn(page, demo.apiKey);
    for (const [state, { hash, ready }] of Object.entries(STATES)) {
      await go("#/about");
      await go(hash);
      await ready(page);
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      found[state] = [
        ...(await findBarriers(page)),
        ...(tooWide > 0 ? [`${tooWide} px too wide`] : []),
      ];
      await page.keyboard.press("Escape");
    }
    expect(Object.entries(found).filter(([, faultsOf]) => String(faultsOf) !== "")).toEqual([]);
    expect(faults).toEqual([]);
  });
});
