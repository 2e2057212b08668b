// Muted places in a real browser over a real service: they are silent in what is saved, their words are gone, and nothing else is.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasChromium } from "@call-media/test-setup/chromium";
import { decodeSound } from "@call-media/sound/decode";
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openConsole, signIn, type Visit } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";
import { copyCommand, openHandOver, saveHandOver } from "./support/hand-over.ts";

const COMMAND_LINE = join(import.meta.dirname, "../../../packages/cli/src/main.ts");
const ZOE = "300000000100017";
const ALL = "from=2024-11-01&to=2026-12-31";

interface Entry {
  readonly kind: string;
  readonly file: string;
  readonly call_id: string;
  readonly content_type: string;
  readonly muted?: { readonly spans: readonly { readonly from: number; readonly to: number }[] };
}

/** Opens the hand-over of this search, and saves it. */
async function handOver({ page, go }: Visit, search: string) {
  await go(`#/?${ALL}&${search}`);
  await page.locator("#row-0").waitFor();
  await openHandOver(page);
  const line = await copyCommand(page);
  const { zip } = await saveHandOver(page);
  await page.getByText(/^Muted: /).waitFor();
  const files = unzipSync(zip);
  const read = (path: string) => files[`export/${path}`] ?? new Uint8Array();
  const manifest = strFromU8(read("manifest.jsonl")).trim().split("\n");
  const entries = manifest.map((entry) => JSON.parse(entry) as Entry);
  return { zip, read, line, muted: entries.filter(({ muted }) => muted !== undefined) };
}

/** Marks a place with the keys alone, and mutes it. */
async function muteByKeys(page: Page, from: number, to: number): Promise<void> {
  const slider = page.getByRole("slider", { name: "Position" });
  const position = async () => Number(await slider.getAttribute("aria-valuenow"));
  await page.keyboard.press("Home");
  for (let second = 0; second < from; second++) await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(position).toBe(from);
  await page.keyboard.press("[");
  for (let second = from; second < to; second++) await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(position).toBe(to);
  await page.keyboard.press("]");
  await page.keyboard.press("h");
}

const places = (page: Page) => page.getByRole("region", { name: "Muted in hand-overs" });

async function openPaused(visit: Visit, id: string): Promise<void> {
  const { page, go } = visit;
  await go(`#/call/${id}`);
  await playAndPause(page);
}

async function playAndPause(page: Page): Promise<void> {
  const player = page.getByRole("region", { name: "Player", exact: true });
  await player.getByRole("button", { name: "Play", exact: true }).click();
  await player.getByRole("button", { name: "Pause", exact: true }).click();
  await player.getByRole("button", { name: "Play", exact: true }).waitFor();
}

/** The loudest sample between two seconds. */
function toLoudest(bytes: Uint8Array, from: number, to: number): number {
  const sound = decodeSound(bytes, {});
  if (sound === undefined) throw new Error("is no sound");
  const { samples, rate, channels } = sound;
  const part = samples.subarray(from * rate * channels, to * rate * channels);
  return part.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
}

describe.skipIf(!hasChromium)("muted places", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const visit = async (): Promise<Visit> => {
    const opened = await openConsole(demo.baseUrl);
    await opened.page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "showSaveFilePicker");
    });
    await opened.page.reload();
    await signIn(opened.page, demo.apiKey);
    return opened;
  };

  const makeFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), "call-media-mute-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    return folder;
  };

  const callMedia = (...args: string[]) =>
    promisify(execFile)(process.execPath, [COMMAND_LINE, ...args]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );

  test("from A to B and a line: silent in what is saved, by page and command alike, and their words are gone", async () => {
    await using opened = await visit();
    const { page, faults } = opened;
    await openPaused(opened, ZOE);
    await muteByKeys(page, 2, 4);
    const line = page.locator(".line-item").filter({ hasText: "the meter was estimated" });
    await line.hover();
    await line.getByRole("button", { name: "Mute this line" }).click();
    await places(page).getByLabel("Place 2: why").fill("what it's about");
    await places(page).getByRole("button", { name: "Play around 0:02–0:04" }).click();
    await places(page).getByText("listened to", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const {
      zip,
      read,
      line: command,
      muted,
    } = await handOver(opened, "customer_last_name=lindqvist");
    expect(muted.map((entry) => entry.muted?.spans)).toEqual([
      [
        { part: 1, from: 2, to: 4 },
        { part: 1, from: 10, to: 21, reason: "what it's about" },
      ],
    ]);
    const bytes = read(muted[0]?.file ?? "");
    expect([toLoudest(bytes, 2, 4), toLoudest(bytes, 10, 21)]).toEqual([0, 0]);
    expect(toLoudest(bytes, 4, 10)).toBeGreaterThan(1000);
    const text = strFromU8(zip);
    expect(text).not.toContain("meter was estimated");
    for (const path of ["metadata.jsonl", "manifest.jsonl", "report.json"])
      expect(strFromU8(read(path))).not.toContain("meter was estimated");

    const folder = await makeFolder();
    const same = join(folder, "same.zip");
    const script = command
      .replace(/--hand-over \S+/, `--hand-over ${same}`)
      .replace("call-media", `${process.execPath} ${COMMAND_LINE}`);
    const env = { CALL_MEDIA_BASE_URL: demo.baseUrl, CALL_MEDIA_API_KEY: demo.apiKey };
    await promisify(execFile)("sh", ["-c", script], { env: { ...process.env, ...env } });
    const others = unzipSync(await readFile(same));
    const other = others[`export/${muted[0]?.file}`] ?? new Uint8Array();
    expect(Buffer.from(bytes).equals(other)).toBe(true);
    expect(faults).toEqual([]);
  });

  test("places are there after a reload of the tab, without the reasons; a new session has none", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await openPaused(opened, ZOE);
    await muteByKeys(page, 2, 4);
    await places(page).getByLabel("Place 1: why").fill("Mrs Lindqvist's card");
    await page.keyboard.press("Enter");
    const from = places(page).getByLabel("Place 1: from second");
    await page.reload();
    await expect.poll(() => from.inputValue()).toBe("2");
    expect(await places(page).getByLabel("Place 1: why").inputValue()).toBe("");
    const stored = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    expect(await stored()).not.toMatch(/Lindqvist|avery/);

    // The hand-over knows them as well, though no call is open.
    await go(`#/?${ALL}&customer_last_name=lindqvist`);
    await page.reload();
    await page.locator("#row-0").waitFor();
    await openHandOver(page);
    await page.getByText("0:02–0:04").first().waitFor();

    await page.evaluate(() =>
      fetch("session", { method: "DELETE", headers: { "X-Call-Media-Console": "1" } }),
    );
    await page.reload();
    await signIn(page, demo.apiKey);
    await go(`#/call/${ZOE}`);
    await page.getByText("Listening is recorded").waitFor();
    await expect.poll(stored).not.toContain(ZOE);
    expect(await places(page).count()).toBe(0);
  });

  test("a line of another part, whose second is not known, has no button, and no part plays it", async () => {
    await using opened = await visit();
    const { page, go, faults } = opened;
    const button = { name: "Mute this line" };
    const shown = page.locator(".line-item").filter({ has: page.locator("button.line") });
    await go(`#/call/${encodeURIComponent("transfer 3/3 №12")}`);
    await expect.poll(() => shown.count()).toBe(5);
    await expect.poll(() => page.getByRole("button", button).count()).toBe(5);
    const last = shown.filter({ hasText: "I connect you with" });
    await last.hover();
    await last.getByRole("button", button).click();
    await expect
      .poll(() => places(page).getByLabel("Place 1: from second").inputValue())
      .toBe("15");
    expect(await places(page).getByLabel("Place 1: to second").inputValue()).toBe("18.828");
    await playAndPause(page);

    await page.getByRole("button", { name: "Recording 2", exact: true }).click();
    await page.getByText("Where this part begins in the transcript is not known.").waitFor();
    await playAndPause(page);
    expect(await page.locator(".line-item").count()).toBe(15);
    expect([await shown.count(), await page.getByRole("button", button).count()]).toEqual([0, 0]);
    expect(faults).toEqual([]);
  });

  test("of Opus: the browser decodes it, and verify --originals reports that", async () => {
    await using opened = await visit();
    const { page, go } = opened;
    await go(`#/?${ALL}&where=${encodeURIComponent('recordings ~ ".opus"')}`);
    await page.locator("#row-0").click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    const id = /#\/call\/(\d+)/.exec(page.url())?.[1] ?? "";
    await openPaused(opened, id);
    await muteByKeys(page, 1, 3);
    const { zip, read, muted } = await handOver(
      opened,
      `where=${encodeURIComponent(`call_id == "${id}"`)}`,
    );
    expect(muted).toMatchObject([{ call_id: id, content_type: "audio/wav" }]);
    const bytes = read(muted[0]?.file ?? "");
    expect(toLoudest(bytes, 1, 3)).toBe(0);
    expect(toLoudest(bytes, 3, 8)).toBeGreaterThan(1000);

    const folder = await makeFolder();
    const [file, originals] = [join(folder, "calls.zip"), join(folder, "originals")];
    await writeFile(file, zip);
    expect(await callMedia("verify", file)).toContain("no differences");
    await mkdir(originals);
    const original = await fetch(`${demo.baseUrl}/recording/stream-by-call-id/${id}`, {
      headers: { Authorization: `Bearer ${demo.apiKey}` },
    });
    await writeFile(join(originals, "original"), await original.bytes());
    expect(await callMedia("verify", file, "--originals", originals)).toMatch(
      /unproved \S+\.wav was decoded by a browser before it was muted/,
    );
  });
});
