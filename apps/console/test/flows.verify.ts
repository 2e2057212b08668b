// What people do with the console, over a real service and in a real browser. The way that most of them take is in
// flows.test.ts.
import { hasChromium } from "@call-media/test-setup/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn, signInAs, type Visit } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const ZOE = "300000000100017";
// The call is of a campaign that riley.restricted does not see.
const HIDDEN = "300000000104862";

const ALL = "#/?from=2024-11-01&to=2026-12-31";

describe.skipIf(!hasChromium)("the console", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const visit = async (): Promise<Visit> => {
    const opened = await openConsole(demo.baseUrl);
    await signIn(opened.page, demo.apiKey);
    return opened;
  };

  test("a wrong key shows an alert at its field, and opens nothing", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page } = opened;
    await page.getByLabel("API key").fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toContain("The archive does not know this.");
    expect(await page.getByRole("grid").count()).toBe(0);
  });

  test("a session outlives a reload and ends for good, with nothing left behind Back", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`#/call/${ZOE}`);
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    await page.getByRole("button", { name: /^Account / }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByLabel("API key").waitFor();
    await page.goBack();
    await page.getByLabel("API key").waitFor();
    expect(await page.textContent("body")).not.toContain("Lindqvist");
    expect(await page.title()).not.toContain("Lindqvist");
  });

  test("by secretID and secretKey, with the rights of that user", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signInAs(page, demo.restricted);
    await go(ALL);
    await expect
      .poll(() => page.getByRole("status").first().textContent())
      .toMatch(/^(?:\d+ calls, )?\d+ legs$/);
    const hidden = page.getByRole("heading", { name: "Nothing here that you may see" });
    await go("#/call/no-such-call");
    await hidden.waitFor();
    const unknown = await page.textContent("main");
    await go("#/");
    await go(`#/call/${HIDDEN}`);
    await page.getByText(HIDDEN).waitFor();
    // What may not be seen looks like what does not exist (D21).
    expect((await page.textContent("main"))?.replace(HIDDEN, "no-such-call")).toBe(unknown);
  });

  test("a filter is added and removed, and the address says so", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(ALL);
    await page.keyboard.press("f");
    const popover = page.getByRole("dialog", { name: "Filter" });
    await popover.getByRole("button", { name: "Campaign", exact: true }).click();
    await popover.getByRole("checkbox", { name: /^Retention \d+/ }).waitFor();
    await popover.getByLabel("Value").fill("retention");
    await page.keyboard.press("Enter");
    await popover.waitFor({ state: "hidden" });
    await expect.poll(() => page.url()).toContain("campaign=retention");
    const count = page.getByRole("heading", { level: 1 });
    await expect.poll(() => count.textContent()).toMatch(/^(?:\d+ calls, )?\d+ legs$/);
    const found = await count.textContent();
    await page.getByRole("button", { name: "Remove Campaign retention" }).click();
    await expect.poll(() => count.textContent()).not.toBe(found);
    expect(page.url()).not.toContain("campaign");
  });

  test("a filter is added and changed by keys alone, and the focus goes back to where it was", async () => {
    await using opened = await visit();
    const { page, go, faults } = opened;
    const focused = (name: string) => page.locator(":focus").and(page.getByLabel(name)).waitFor();
    const isFocused = (name: string) =>
      page
        .locator(":focus")
        .and(page.getByRole("button", { name, exact: true }))
        .waitFor();
    await go(ALL);
    await page.getByRole("row").nth(1).waitFor();
    await page.keyboard.press("f");
    await focused("Find a field");
    await page.keyboard.type("customer_last");
    await page.keyboard.press("Enter");
    await focused("Value");
    await page.keyboard.type("Lindqvist");
    await page.keyboard.press("Enter");
    const chip = "Last name Lindqvist";
    await page.getByRole("button", { name: chip, exact: true }).press("Enter");
    await focused("Value");
    await page.keyboard.press("Escape");
    await isFocused(chip);
    await page.keyboard.press("Enter");
    await focused("Value");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Okafor");
    await page.keyboard.press("Enter");
    await isFocused("Last name Okafor");
    await page.keyboard.press("f");
    await focused("Find a field");
    await page.keyboard.press("Escape");
    await isFocused("Last name Okafor");
    expect(faults).toEqual([]);
  });

  test("each menu gets the focus, and starts fresh when it is reopened", async () => {
    await using opened = await visit();
    const { page, go, faults } = opened;
    await go(`${ALL}&disposition=bill+explained&customer_last_name=lindqvist`);
    await page.getByRole("row").nth(1).waitFor();
    const chip = (name: string) => page.getByRole("button", { name, exact: true });
    // Imitates keys on a busy machine: they arrive before the page learns that its menu was closed.
    const reopen = (name: string) =>
      chip(name).evaluate((button: HTMLElement) => {
        document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
        button.click();
      });
    const value = page.locator(":focus").and(page.getByLabel("Value"));
    await chip("Last name lindqvist").press("Enter");
    await expect.poll(() => value.inputValue()).toBe("lindqvist");
    await page.keyboard.type("x");
    await reopen("Last name lindqvist");
    await expect.poll(() => value.inputValue()).toBe("lindqvist");
    await reopen("Outcome bill explained");
    await page.getByRole("checkbox", { name: /^Bill explained/i, checked: true }).waitFor();
    await expect.poll(() => value.inputValue()).toBe("");
    await chip("Last name lindqvist").click();
    await expect.poll(() => value.inputValue()).toBe("lindqvist");
    await page.keyboard.press("Escape");
    await chip("Last name lindqvist").and(page.locator(":focus")).waitFor();
    for (const [name, open] of [
      ["Columns", () => page.keyboard.press("c")],
      ["Days", () => chip("1 Nov 2024 – 31 Dec 2026").click()],
      ["Count", () => chip("Count").click()],
      ["Views", () => chip("Views").click()],
    ] as const) {
      await open();
      await page.getByRole("dialog", { name }).locator(":focus").waitFor();
      await page.keyboard.press("Escape");
    }
    expect(faults).toEqual([]);
  });

  test("a search is handed over by touch on a phone", async () => {
    await using opened = await openConsole(demo.baseUrl, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const { page, go, faults } = opened;
    await signIn(page, demo.apiKey);
    await go(ALL);
    await page.getByRole("link", { name: "Hand over", exact: true }).tap();
    await page.getByRole("heading", { name: /^Hand over \d+ / }).waitFor();
    expect(faults).toEqual([]);
  });

  const search = (page: Page, words: string) =>
    page.getByRole("searchbox", { name: "Words, names, numbers or a call" }).fill(words);

  test("a call is found by what was said, and its page shows where", async () => {
    await using opened = await visit();
    const { page, go, faults } = opened;
    await go(ALL);
    await search(page, "ESTIMATED meter");
    await page.keyboard.press("Enter");
    const row = page.getByRole("row", { name: /Zoë Lindqvist/ });
    await expect.poll(() => row.first().locator("mark").allTextContents()).toContain("estimated");
    expect(page.url()).toContain("words=ESTIMATED+meter");
    await row.first().click();
    const lines = page.getByRole("list", { name: "Transcript" });
    await expect.poll(() => lines.locator("mark").allTextContents()).toContain("meter");
    await page.getByRole("searchbox", { name: "Find in the transcript" }).fill("bill");
    await expect
      .poll(async () => new Set(await lines.locator("mark").allTextContents()))
      .toEqual(new Set(["bill"]));
    expect(faults).toEqual([]);
  });

  test("a hit plays from its second, and a call that it opens is there", async () => {
    await using opened = await visit();
    const { page, go, asked, faults } = opened;
    const chats = () => asked.filter((one) => one.startsWith("GET /console/api/chat/"));
    await go(`${ALL}&words=estimated+meter`);
    const row = page.getByRole("row", { name: /Zoë Lindqvist/ });
    await row.getByText("Agent I am sorry about that.").waitFor();
    expect(chats()).toEqual([]);
    await row.getByRole("button", { name: /^Play / }).click();
    const position = page.getByRole("slider", { name: "Position" });
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(10);
    await row.getByText("Agent 0:11").waitFor();
    expect(chats()).toEqual([`GET /console/api/chat/by-call-id/${ZOE}`]);
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(12);
    await page.keyboard.press("Escape");
    // What a chat alone has is read for the rows in view.
    await go(`${ALL}&words=%22standing+charge%22`);
    const inChat = page.locator(".passage mark", { hasText: "standing" });
    await expect.poll(() => inChat.count()).toBeGreaterThan(1);
    const rows = await page.locator(".passage").count();
    await expect.poll(() => inChat.count()).toBe(rows);
    expect(chats().length).toBe(1 + rows);
    await go(`#/call/${ZOE}?words=estimated+meter`);
    await page.getByRole("list", { name: "Transcript" }).locator("mark.is-here").waitFor();
    const now = async () => Number(await position.getAttribute("aria-valuenow"));
    // The listener was in it already, and past the hit.
    await expect.poll(now).toBeGreaterThanOrEqual(12);
    await page.keyboard.press("p");
    await page.keyboard.press("n");
    expect(await now()).toBe(10);
    expect(faults).toEqual([]);
  });

  test("words that cannot be searched for are refused where they are typed", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(ALL);
    await search(page, 'an "open phrase');
    await page.keyboard.press("Enter");
    const box = page.getByRole("searchbox", { name: "Words, names, numbers or a call" });
    // The parser is loaded with the first words.
    const readTold = () => box.evaluate((input: HTMLInputElement) => input.validationMessage);
    await expect.poll(readTold).toContain("a quotation mark that is not closed");
    expect(page.url()).not.toContain("words");
  });

  test("an identifier leads to its call, and what nobody said to other days", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go("#/?from=2024-11-01&to=2024-11-02");
    await search(page, ZOE);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No calls match" }).waitFor();
    await page.getByText("No call in these days has all of these words.").waitFor();
    await page.getByRole("link", { name: `Open call ${ZOE}` }).click();
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    expect(page.url()).toContain(`#/call/${ZOE}`);
  });

  test("a saved view has no words", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`${ALL}&words=lindqvist&campaign=retention`);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByLabel("Name", { exact: true }).fill("mine");
    await page.getByRole("button", { name: "Save view" }).click();
    const saved = page.getByRole("link", { name: "mine" });
    expect(await saved.getAttribute("href")).not.toContain("lindqvist");
  });

  test("what the service cannot look for is checked by the page, with a verdict", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`${ALL}&where=${encodeURIComponent("talk_time > 600")}`);
    const count = page.getByRole("heading", { level: 1 });
    await expect.poll(() => count.textContent()).toMatch(/^(?:\d+ calls, )?[1-9]\d* of \d+ legs$/);
    await page.getByRole("button", { name: "All here" }).waitFor();
    const talks = await page.locator(".is-talk_time").allTextContents();
    expect(talks.length).toBeGreaterThan(0);
    for (const talk of talks) expect(Number(talk.split(":")[0])).toBeGreaterThanOrEqual(10);
    await page.getByRole("button", { name: /^Talk time more than 10:00/ }).waitFor();
    // By anything but the time, no heading has the day.
    await go(`${ALL}&where=${encodeURIComponent("talk_time > 600")}&sort=-talk_time`);
    await expect
      .poll(() => page.locator(".call .when").first().textContent())
      .toMatch(/^\d{1,2} [A-Z][a-z]{2} 20\d\d \d\d:\d\d/);
    await page.getByRole("columnheader", { name: "Time UTC" }).waitFor();
  });

  test("words are found in the transcript, one after the other", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`#/call/${ZOE}`);
    await page.getByLabel("Find in the transcript").fill("EUROS");
    await expect.poll(() => page.locator("mark").count()).toBe(2);
    await page.keyboard.press("Enter");
    await page.getByText("2 of 2").waitFor();
    expect(page.url()).toContain("find=EUROS");
  });

  test("calls are picked and their identifiers copied", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(ALL);
    await page.getByRole("row").nth(3).waitFor();
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Copy call numbers" }).click();
    await expect
      .poll(async () => (await page.evaluate(() => navigator.clipboard.readText())).split("\n"))
      .toHaveLength(2);
  });

  test("a call plays below the list, and opens at the second that was reached", async () => {
    await using opened = await visit();
    const { page, go, asked, faults } = opened;
    await go(`${ALL}&customer_last_name=lindqvist`);
    const grid = page.getByRole("grid", { name: "Calls" });
    const row = grid.getByRole("row", { name: /Zoë Lindqvist.*Bill explained/ }).last();
    await row.hover();
    await row.getByRole("button", { name: /^Play / }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await grid.waitFor();
    const position = page.getByRole("slider", { name: "Position" });
    await position.fill("11");
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(11);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    expect(page.url()).toMatch(/\?t=\d\d$/);
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    const sounds = () => asked.filter((one) => one.startsWith("GET /console/api/recording/"));
    expect(sounds()).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test("nothing but Pause stops what plays, and no place of it is lost", async () => {
    await using opened = await visit();
    const { page, go, asked, faults } = opened;
    const sounds = () => asked.filter((one) => one.startsWith("GET /console/api/recording/"));
    const pause = page.getByRole("button", { name: "Pause", exact: true });
    const position = page.getByRole("slider", { name: "Position" });
    await go(`#/call/${ZOE}?t=9`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await pause.waitFor();
    for (const hash of ["#/about", `${ALL}&customer_last_name=lindqvist`, "#/nowhere"]) {
      await go(hash);
      await page.getByRole("region", { name: "Player" }).getByText("Zoë Lindqvist").waitFor();
      await pause.waitFor();
    }
    await go(`#/call/${ZOE}`);
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    await pause.click();
    expect(Number(await position.getAttribute("aria-valuenow"))).toBeGreaterThanOrEqual(9);
    expect(sounds()).toHaveLength(1);
    // Another Play takes its place; who comes back goes on where the sound was.
    await go(`${ALL}&customer_last_name=lindqvist`);
    await page.getByRole("button", { name: "Close" }).click();
    await go(`#/call/${ZOE}`);
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    await expect
      .poll(async () => Number(await position.getAttribute("aria-valuenow")))
      .toBeGreaterThanOrEqual(9);
    expect(faults).toEqual([]);
  });

  test("Space plays the row and pauses it, Escape closes the player", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`${ALL}&customer_last_name=lindqvist`);
    const id = await page.locator(".call:has(.play)").first().getAttribute("id");
    for (let row = Number(id?.slice("row-".length)); row > 0; row--) await page.keyboard.press("j");
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("slider").count()).toBe(0);
  });

  /** The identifiers of calls that the access log names, and how many rows it has. */
  async function readLog() {
    const lines = (
      await demo.run("audit", "list", "--data", demo.directory, "--format", "jsonl")
    ).split("\n");
    const rows = lines.filter(Boolean).map((line) => JSON.parse(line) as { callIds: string[] });
    return { rows: rows.length, shown: rows.flatMap(({ callIds }) => callIds).length };
  }

  test("counts of values and of other searches leave no call in the access log", async () => {
    await using opened = await visit();
    const { page, go, faults } = opened;
    await go(ALL);
    await page.locator("#row-3").waitFor();
    const before = await readLog();
    await page.getByRole("button", { name: "Count", exact: true }).click();
    const counts = page.getByRole("dialog", { name: "Count", exact: true });
    const heading = page.getByRole("heading", { level: 1 });
    for (const field of ["campaign", "disposition"]) {
      await counts.getByRole("combobox").selectOption(field);
      const source = counts.getByText(/^Counted by the archive; \d+ with other values or none$/);
      const left = /\d+/.exec((await source.textContent()) ?? "")?.[0];
      const numbers = await counts.locator(".values .number").allTextContents();
      const legs = numbers.reduce((sum, one) => sum + Number(one), Number(left));
      expect(await heading.textContent()).toBe(`${legs} legs`);
    }
    await page.keyboard.press("Escape");
    await go("#/?from=2024-11-01&to=2024-11-02&words=complaint&campaign=Retention");
    await page.getByRole("button", { name: /^All days ?[1-9]\d* legs?$/ }).waitFor();
    await page.getByText("nothing either").first().waitFor();
    const after = await readLog();
    expect(after.rows).toBeGreaterThan(before.rows + 10);
    expect(after.shown).toBe(before.shown);
    expect(faults).toEqual([]);
  });

  test("a small count says what other forms of the words would find, and all calls are counted", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`${ALL}&words=complaint`);
    await page.getByRole("button", { name: /^\d+ with complaint\*$/ }).click();
    await expect.poll(() => page.url()).toContain("words=complaint*");
    await page.getByRole("button", { name: /^\d+ with exactly complaint$/ }).waitFor();
    await go(ALL);
    await page.getByRole("button", { name: "Count calls" }).click();
    const heading = page.getByRole("heading", { level: 1 });
    await expect.poll(() => heading.textContent()).toMatch(/^\d+ calls, \d+ legs$/);
    await page.getByRole("button", { name: "Count", exact: true }).click();
    await page.getByText(/^Of \d+ legs, all counted$/).waitFor();
  });

  test("what a customer said in all calls is read on one page, and each line plays", async () => {
    await using opened = await visit();
    const { page, go, asked, faults } = opened;
    await go(`${ALL}&customer_last_name=lindqvist`);
    await page.getByRole("link", { name: "Read all 10" }).click();
    await page.getByRole("heading", { name: "What was said" }).getByText("10 calls").waitFor();
    const calls = page.getByRole("navigation", { name: "Calls" }).getByRole("button");
    expect((await calls.allTextContents())[0]).toContain("21 Jan 2025 09:12");
    const article = page.locator("article").first();
    await article.getByRole("button", { name: /0:11/ }).waitFor();
    await page.getByRole("button", { name: "Customer", exact: true }).click();
    expect(page.url()).toContain("side=customer");
    expect(await article.getByText("the meter was estimated").count()).toBe(0);
    await article.getByRole("button", { name: "1 line of the agent" }).nth(1).click();
    await article.getByRole("button", { name: /the meter was estimated/ }).click();
    const position = page.getByRole("slider", { name: "Position" });
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(11);
    await page.getByRole("searchbox", { name: "Find in these texts" }).fill("bill");
    await article.locator("mark.is-here", { hasText: "bill" }).waitFor();
    await page.getByText(/^\d+ of 10 calls have a text\.$/).waitFor();
    // Each call that came into view was asked for once, and no sound but the one that was played.
    const chats = asked.filter((one) => one.includes("/chat/"));
    expect(chats.length).toBe(new Set(chats).size);
    expect(asked.filter((one) => one.startsWith("GET /console/api/recording/"))).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test("a second value of a field finds calls with either, and the page says that it checks", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`${ALL}&campaign=retention`);
    const count = page.getByRole("heading", { level: 1 });
    await expect.poll(() => count.textContent()).toMatch(/^(?:\d+ calls, )?\d+ legs$/);
    // The chip offers all values with their counts, whatever it filters by.
    await page.getByRole("button", { name: "Campaign retention", exact: true }).click();
    const popover = page.getByRole("dialog", { name: "Filter" });
    await popover.getByRole("checkbox", { name: /^retention/i }).waitFor();
    await popover.getByRole("button", { name: /^Find the other values: reads \d+ legs/ }).click();
    await popover.getByRole("checkbox", { name: /^Billing Support \d+/ }).check();
    await popover.getByText("Finds calls with any of the values.").waitFor();
    await popover.getByRole("button", { name: "Change", exact: true }).click();
    await expect.poll(() => count.textContent()).toMatch(/^(?:\d+ calls, )?[1-9]\d* of \d+ legs$/);
    await page.getByRole("button", { name: "All here" }).waitFor();
    const campaigns = await page.locator(".is-campaign").allTextContents();
    expect(new Set(campaigns)).toEqual(new Set(["Retention", "Billing Support"]));
    await page.getByRole("button", { name: "Remove Campaign retention" }).click();
    await expect.poll(() => count.textContent()).toMatch(/^(?:\d+ calls, )?\d+ legs$/);
  });

  test("a list of calls is pasted, and each that is not there is named, in its hand-over too", async () => {
    await using opened = await visit();
    const { page, faults } = opened;
    await page.evaluate(() =>
      navigator.clipboard.writeText("call_id\n300000000100017\nNOPE\n300000000100425\nM7\n"),
    );
    await page.keyboard.press("/");
    await page.keyboard.press("Control+V");
    await page.getByText("2 found, 2 not there: NOPE, M7").waitFor();
    const count = page.getByRole("heading", { level: 1 });
    await expect.poll(() => count.textContent()).toMatch(/^2 calls, [2-9] legs$/);
    await page.getByRole("link", { name: "Hand over", exact: true }).click();
    await page.getByRole("heading", { name: /^Hand over 2 calls/ }).waitFor();
    await page.getByRole("row", { name: /NOPE, M7/ }).waitFor();
    expect(faults).toEqual([]);
  });

  test("talk time is chosen in minutes, and counted exactly", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(ALL);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const popover = page.getByRole("dialog", { name: "Filter" });
    await popover.getByRole("button", { name: "Talk time", exact: true }).click();
    await popover.getByLabel("From (m:ss)").fill("9:30");
    await popover.getByText("That is 570 seconds.").waitFor();
    await popover.getByRole("button", { name: "10:00 or more" }).click();
    await page.keyboard.press("Escape");
    expect(page.url()).not.toContain("where=");
    await page.keyboard.press("f");
    await popover.getByRole("button", { name: "Talk time", exact: true }).click();
    await popover.getByRole("button", { name: "10:00 or more" }).click();
    await popover.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Talk time 10:00 or more", exact: true }).waitFor();
    expect(decodeURIComponent(page.url())).toContain("where=talk_time+>=+600");
  });

  // The last one, as the service delays this address from here on (D23).
  test("too many wrong keys show how long to wait, and the last one is retried", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page } = opened;
    const button = page.getByRole("button", { name: "Sign in", exact: true });
    const alert = page.getByRole("alert");
    await page.getByLabel("API key").fill("wrong");
    let status = 0;
    while (status !== 429) {
      const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
      await button.click();
      status = (await answered).status();
    }
    await expect.poll(() => alert.textContent()).toMatch(/^Too many requests\. Again in \d+ s\.$/);
    expect(await button.isDisabled()).toBe(true);
    await expect.poll(() => alert.textContent()).toContain("The archive does not know this.");
  });
});
