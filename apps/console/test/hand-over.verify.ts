// A hand-over from the page: saved by a real browser over a real service, and verified by the command line.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { hasChromium } from "@call-media/test-setup/chromium";
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openConsole, signIn, type Visit } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const COMMAND_LINE = join(import.meta.dirname, "../../../packages/cli/src/main.ts");

// Calls with recordings, of which each test picks the first ones.
const HEARD = `#/?from=2024-11-01&to=2026-12-31&where=${encodeURIComponent("recordings != null")}`;

const handOverButton = (page: Page) => page.getByRole("button", { name: "Hand over", exact: true });

/** Without the picker of Chromium, whose window no test can use: the zip becomes a download. */
async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, "showSaveFilePicker");
  });
  await page.reload();
}

/** Picks the first rows and opens the dialog. */
async function openDialog(page: Page, rows: number): Promise<void> {
  await page.locator("#row-0").waitFor();
  for (let row = 0; row < rows; row++) {
    await page.keyboard.press("x");
    await page.keyboard.press("j");
  }
  await handOverButton(page).click();
  await page.getByRole("dialog", { name: "Hand over" }).waitFor();
}

/** Saves what the dialog offers, and unpacks it into a folder of its own. */
async function save(page: Page) {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save hand-over" }).click();
  const zip = await readFile(await (await downloading).path());
  const folder = await mkdtemp(join(tmpdir(), "call-media-hand-over-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "calls.zip");
  await writeFile(file, zip);
  const files = unzipSync(zip);
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  const seal = (await page.getByRole("textbox", { name: "Seal" }).textContent()) ?? "";
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
    await openDialog(page, 3);
    await page.getByText("Listening and downloading are recorded under your name.").waitFor();
    await page.getByText(/^3 calls, [1-9]\d* recordings?, /).waitFor();
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
    await openDialog(page, 2);
    await page.getByText(/^2 calls, /).waitFor();
    const command = await page
      .getByRole("textbox", { name: "The same on the command line" })
      .textContent();
    const { files } = await save(page);
    const zip = join(demo.directory, "../same.zip");
    onTestFinished(() => rm(zip, { force: true }));
    const line = (command ?? "").replace(/--hand-over \S+/, `--hand-over ${zip}`);
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
    await openDialog(page, 1);
    await page.getByText(/^1 call, /).waitFor();
    await page.getByText("Mask fields: none").click();
    await page.getByRole("checkbox", { name: "Last name" }).check();
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
    await openDialog(page, 2);
    await page.getByText(/^2 calls, /).waitFor();
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
    await handOverButton(page).click();
    await page.getByText(/^\d+ calls, \d+ legs, \d+ recordings, /).waitFor();
    const downloads: unknown[] = [];
    page.on("download", (download) => downloads.push(download));
    await page.route("**/recording/**", () => {});
    await page.getByRole("button", { name: "Save hand-over" }).click();
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
    await openDialog(page, 1);
    await page.getByText(/^1 call, /).waitFor();
    await page.getByRole("button", { name: "Save hand-over" }).click();
    await page.getByText(/ is saved: /).waitFor();
    const bytes = await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const file = await (await root.getFileHandle("chosen.zip")).getFile();
      return [...new Uint8Array(await file.arrayBuffer())];
    });
    expect(Object.keys(unzipSync(Uint8Array.from(bytes)))).toContain("export/report.json");
  });
});
