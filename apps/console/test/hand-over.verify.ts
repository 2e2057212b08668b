// A hand-over from the page: saved by a real browser over a real service, and verified by the command line.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { hasChromium } from "@call-media/test-setup/chromium";
import { toWave } from "@call-media/test-setup/sounds";
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openConsole, signIn, type Visit } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";
import { copyCommand, handOverButton, openHandOver, saveHandOver } from "./support/hand-over.ts";

const COMMAND_LINE = join(import.meta.dirname, "../../../packages/cli/src/main.ts");

// Calls with recordings, of which each test picks the first ones.
const HEARD = `#/?from=2024-11-01&to=2026-12-31&where=${encodeURIComponent("recordings != null")}`;

/** Without the picker of Chromium, whose window no test can use: the zip becomes a download. */
async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, "showSaveFilePicker");
  });
  await page.reload();
}

/** Picks the first rows, and hands them over. */
async function handOverPicked(page: Page, rows: number): Promise<void> {
  await page.locator("#row-0").waitFor();
  for (let row = 0; row < rows; row++) {
    await page.keyboard.press("x");
    await page.keyboard.press("j");
  }
  await openHandOver(page);
}

/** Saves the hand-over, and unpacks it into a folder of its own. */
async function save(page: Page) {
  const { zip, seal } = await saveHandOver(page);
  const folder = await mkdtemp(join(tmpdir(), "call-media-hand-over-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "calls.zip");
  await writeFile(file, zip);
  const files = unzipSync(zip);
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return { folder, file, files, seal };
}

async function verify(file: string, seal: string): Promise<string> {
  const args = [COMMAND_LINE, "verify", file, "--seal", seal];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

/** As the report of an export has it: with the version of the server, part of which the console is. */
async function readProgram(): Promise<string> {
  const manifest = join(import.meta.dirname, "../../../packages/server/package.json");
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  return `"program": "call-media-server ${version}, console"`;
}

const readText = (files: Readonly<Record<string, Uint8Array>>, path: string) =>
  strFromU8(files[path] ?? new Uint8Array());

describe.skipIf(!hasChromium)("a hand-over", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const visit = async (hash: string): Promise<Visit> => {
    const opened = await openConsole(demo.baseUrl);
    await withoutPicker(opened.page);
    await signIn(opened.page, demo.apiKey);
    await opened.go(hash);
    return opened;
  };

  test("of three calls is complete and unchanged for call-media verify, and can be played", async () => {
    await using opened = await visit(HEARD);
    const { page, faults } = opened;
    await handOverPicked(page, 3);
    await page.getByText("Listening and downloading are recorded under your name.").waitFor();
    await page.getByRole("heading", { name: /^Hand over 3 calls/ }).waitFor();
    const { folder, file, files, seal } = await save(page);
    expect(await verify(file, seal)).toMatch(/^no differences;.*complete/s);
    expect(readText(files, "export/report.json")).toContain(await readProgram());
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(["index.html", "calls.xlsx", "SHA256SUMS", "export/report.json"]),
    );
    await promisify(execFile)("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], {
      cwd: folder,
    });
    await page.getByText(/Complete: 3 of 3 calls, \d of \d recordings?\./).waitFor();
    expect(faults).toEqual([]);
  });

  test("is the one that its command line makes", async () => {
    await using opened = await visit(HEARD);
    const { page } = opened;
    await handOverPicked(page, 2);
    await page.getByLabel("For", { exact: true }).fill("Legal, case 2026-118");
    const command = await copyCommand(page);
    const { files } = await save(page);
    const zip = join(demo.directory, "../same.zip");
    onTestFinished(() => rm(zip, { force: true }));
    const line = command.replace(/--hand-over \S+/, `--hand-over ${zip}`);
    await promisify(execFile)(
      "sh",
      ["-c", line.replace("call-media", `${process.execPath} ${COMMAND_LINE}`)],
      {
        env: { ...process.env, CALL_MEDIA_BASE_URL: demo.baseUrl, CALL_MEDIA_API_KEY: demo.apiKey },
      },
    );
    const other = unzipSync(await readFile(zip));
    for (const path of ["export/metadata.jsonl", "export/manifest.jsonl"])
      expect(readText(files, path)).toBe(readText(other, path));
    expect(Object.keys(files).toSorted()).toEqual(Object.keys(other).toSorted());
  });

  test("with masked fields has their values nowhere", async () => {
    await using opened = await visit(HEARD);
    const { page } = opened;
    await handOverPicked(page, 1);
    await page.getByRole("checkbox", { name: "Customer’s name" }).check();
    await page.getByText(/^Hidden in [1-9]\d* places/).waitFor();
    expect(await page.getByRole("checkbox", { name: "Recordings" }).isChecked()).toBe(false);
    await page.getByRole("checkbox", { name: "Transcripts" }).check();
    const { file, files, seal } = await save(page);
    expect(await verify(file, seal)).toContain("no differences");
    expect(readText(files, "export/metadata.jsonl")).toContain('"customer_last_name":"[redacted]"');
    expect(readText(files, "export/report.json")).toContain("customer_last_name");
    expect(Object.keys(files).some((path) => path.startsWith("export/transcripts/"))).toBe(true);
  });

  test("says which recording failed, and goes on", async () => {
    await using opened = await visit(HEARD);
    const { page } = opened;
    await handOverPicked(page, 2);
    let refused: string | undefined;
    await page.route("**/recording/**", (route) => {
      // As a stream and as base64.
      const id = new URL(route.request().url()).pathname.split("/").at(-1);
      refused ??= id;
      return id === refused
        ? route.fulfill({ status: 403, json: { success: false, errorMessage: "No right" } })
        : route.continue();
    });
    const { file, seal } = await save(page);
    expect(await verify(file, seal)).toMatch(/^no differences;.* 1 had not been received/s);
    await page.getByText(/^recording 1 of \d+: refused/).waitFor();
  });

  test("that is stopped leaves nothing", async () => {
    await using opened = await visit("#/?from=2024-11-01&to=2026-12-31");
    const { page } = opened;
    await openHandOver(page);
    const downloads: unknown[] = [];
    page.on("download", (download) => downloads.push(download));
    await page.route("**/recording/**", () => {});
    await handOverButton(page).click();
    await page.getByRole("progressbar", { name: "Hand over" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped. Nothing was kept.").waitFor();
    expect(downloads).toEqual([]);
  });

  test("goes into the file that was chosen", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await page.addInitScript(() => {
      // A file of the browser's own stands for that of the picker.
      Object.assign(globalThis, {
        showSaveFilePicker: async () =>
          (await navigator.storage.getDirectory()).getFileHandle("chosen.zip", { create: true }),
      });
    });
    await page.reload();
    await signIn(page, demo.apiKey);
    await go(HEARD);
    await handOverPicked(page, 1);
    await handOverButton(page).click();
    await page.getByText(/ is saved: /).waitFor();
    const bytes = await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const file = await (await root.getFileHandle("chosen.zip")).getFile();
      return [...new Uint8Array(await file.arrayBuffer())];
    });
    expect(Object.keys(unzipSync(Uint8Array.from(bytes)))).toContain("export/report.json");
  });

  test("names each call that is not there, and what has no recording", async () => {
    await using opened = await visit(
      "#/hand-over?from=2024-11-01&to=2026-12-31&pick=NOPE&pick=300000000100017&pick=M7",
    );
    const { page } = opened;
    await page.getByRole("heading", { name: "Hand over 1 call", exact: false }).waitFor();
    const calls = page.getByRole("row", { name: /^Calls/ });
    await expect(calls.textContent()).resolves.toContain("2 of 3 calls");
    await expect(calls.textContent()).resolves.toMatch(/NOPE, M7/);
    const { files } = await save(page);
    expect(JSON.parse(readText(files, "export/report.json"))).toMatchObject({
      verdict: "incomplete",
      ids: { asked: 3, missing: ["NOPE", "M7"] },
    });
    await page.getByText(/these calls were not found: NOPE, M7/).waitFor();
  });

  test("without a call that was left out by hand says which", async () => {
    await using opened = await visit(HEARD);
    const { page } = opened;
    // Every recording of one call is refused.
    let refused: string | undefined;
    await page.route("**/recording/**", (route) => {
      const id = new URL(route.request().url()).pathname.split("/").at(-1);
      refused ??= id;
      return id === refused ? route.fulfill({ status: 403, body: "" }) : route.continue();
    });
    await openHandOver(page);
    await page.getByText("Incomplete:").waitFor();
    await page.getByRole("button", { name: "Leave that call out" }).first().click();
    await page.getByText(`left out by hand: ${refused}`).waitFor();
    await page.getByText("Nothing is missing.").waitFor();
    expect(await copyCommand(page)).toContain(`call_id != "${refused}"`);
  });

  test("is compared with its seal by somebody who signs in nowhere and asks nothing", async () => {
    await using opened = await visit(HEARD);
    await handOverPicked(opened.page, 2);
    const { files, file, seal } = await save(opened.page);
    const calls = readText(files, "export/metadata.jsonl").trim().split("\n");
    await using other = await openConsole(demo.baseUrl);
    const { page } = other;
    await page.goto("about:blank");
    const before = other.asked.length;
    await page.goto(`${demo.baseUrl}/console/#/check`);
    await page.getByLabel("Hand-over (zip)").setInputFiles(file);
    await page.getByLabel("Seal").fill(`The seal: ${seal.replaceAll(/.{4}/g, "$& ")}`);
    await page.getByText("The same: not one byte was changed.").waitFor();
    for (const call of calls)
      await page.getByText((JSON.parse(call) as { call_id: string }).call_id).waitFor();
    expect(
      other.asked.slice(before).filter((one) => !/\/console\/(?:assets\/.*)?$/.test(one)),
    ).toEqual([]);
    const changed = await readFile(file);
    const place = changed.length >> 1;
    changed[place] = (changed[place] ?? 0) ^ 1;
    const elsewhere = `${file}.changed.zip`;
    await writeFile(elsewhere, changed);
    await page.getByLabel("Hand-over (zip)").setInputFiles(elsewhere);
    await page.getByText("Not the same:").waitFor();
  });

  // The last one: it adds a call.
  test("says which faults its recordings have", async () => {
    const wav = join(demo.directory, "../still.wav");
    const wave = toWave({ seconds: 3 });
    await writeFile(wav, wave.fill(0, 44));
    await demo.addCall("still", wav);
    await using opened = await visit("#/hand-over?from=2024-11-01&to=2026-12-31&pick=still");
    const { page } = opened;
    const { files } = await save(page);
    await page.getByText("Recordings with faults: 1 silent. The spreadsheet names them.").waitFor();
    expect(readText(files, "export/manifest.jsonl")).toContain('"findings":[{"kind":"silent"}]');
  });
});
