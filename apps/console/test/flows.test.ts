// The console as the server sends it, and the way that most people take through it: signing in, searching, playing, sending a
// link. Everything else that they do is in flows.verify.ts.
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn, type Visit } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const ZOE = "300000000100017";

const ALL = "#/?from=2024-11-01&to=2026-12-31";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo("--console-session");
});
afterAll(() => demo[Symbol.asyncDispose]());

const ask = (path: string, accept = "*/*") =>
  fetch(demo.baseUrl + path, { redirect: "manual", headers: { Accept: accept } });

test("the base URL leads browsers to the console and programs to the documentation", async () => {
  const browser = await ask("/", "text/html,application/xhtml+xml,*/*;q=0.8");
  expect([browser.status, browser.headers.get("Location")]).toEqual([308, "console/"]);
  const program = await ask("/");
  expect([program.status, program.headers.get("Location")]).toEqual([308, "docs/"]);
  const folder = await ask("/console");
  expect([folder.status, folder.headers.get("Location")]).toEqual([308, "console/"]);
});

test("the page may run its own scripts alone, may be framed by nobody, and asks nobody else", async () => {
  const { headers } = await ask("/console/");
  const policy = headers.get("Content-Security-Policy")?.split("; ");
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types call-media",
  ]);
  expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
});

test("every file of it has its type", async () => {
  const html = await (await ask("/console/")).text();
  const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file ?? "");
  expect(files.length).toBeGreaterThan(1);
  const types = await Promise.all(
    [...files, "config.json", "sound.js"].map(async (file) => {
      const { status, headers } = await ask(`/console/${file}`);
      return `${status} ${headers.get("Content-Type")?.split(";")[0]} ${file.split(".").pop()}`;
    }),
  );
  expect(new Set(types)).toEqual(
    new Set(["200 text/javascript js", "200 text/css css", "200 application/json json"]),
  );
});

describe.skipIf(!hasChromium)("the console", () => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await openConsole(demo.baseUrl);
    await signIn(visit.page, demo.apiKey);
  });
  afterAll(() => visit[Symbol.asyncDispose]());

  test("a call is found, opened, and left to the same row", async () => {
    const { page, go, faults } = visit;
    await go(`${ALL}&customer_last_name=lindqvist`);
    const grid = page.getByRole("grid", { name: "Calls" });
    const row = grid.getByRole("row", { name: /Zoë Lindqvist.*Bill explained/ });
    await row.last().click();
    await page.getByRole("heading", { name: /Zoë Lindqvist/ }).waitFor();
    await page.getByText(/^\d+ of \d+$/).waitFor();
    await page.keyboard.press("u");
    await grid.waitFor();
    await expect.poll(() => grid.getAttribute("aria-activedescendant")).toMatch(/^row-/);
    expect(page.url()).toContain("customer_last_name=lindqvist");
    expect(faults).toEqual([]);
  });

  test("opening a call reads no sound; playing it does, and its bytes are checked", async () => {
    const { page, go, asked, faults } = visit;
    const before = asked.length;
    await go(`#/call/${ZOE}`);
    await page.getByText("Listening is recorded under your name.").waitFor();
    const ofSound = () => asked.slice(before).filter((one) => one.includes("/recording/"));
    await expect.poll(ofSound).toEqual([`HEAD /console/api/recording/stream-by-call-id/${ZOE}`]);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.getByText("As archived", { exact: true }).waitFor();
    expect(ofSound()).toHaveLength(2);
    const position = page.getByRole("slider", { name: "Position" });
    await expect
      .poll(async () => Number(await position.getAttribute("aria-valuenow")))
      .toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  test("a line plays from where it was said, and the link to it leads back there", async () => {
    const { page, go } = visit;
    await go(`#/call/${ZOE}`);
    const lines = page.getByRole("list", { name: "Transcript" });
    await lines.getByRole("button", { name: /the meter was estimated/ }).click();
    const position = page.getByRole("slider", { name: "Position" });
    const now = async () => Number(await position.getAttribute("aria-valuenow"));
    await expect.poll(now).toBeGreaterThanOrEqual(11);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const current = lines.locator("[aria-current]");
    const line = (await current.textContent()) ?? "";
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/#\/call\/\d+\?t=\d\d$/);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto(link);
    await page.reload();
    await expect.poll(now).toBeGreaterThanOrEqual(11);
    expect(await current.textContent()).toBe(line);
  });
});
