// The page of a hand-over as whoever is given it opens it: unpacked with the platform's own programs, from the disk, in Chromium.
import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { toLaunchOptions } from "@call-media/test-setup/chromium";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { startExporting } from "./support/exporting.ts";

/** What is asked of an audio element. */
interface Sound {
  readonly ended: boolean;
  readonly duration: number;
}

/** A WAV of one second: mono, 8,000 samples of 8 bits (RIFF WAVE). */
function toWav() {
  const samples = Buffer.alloc(8000, 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, samples.length],
  ] as const)
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at);
  head.write("data", 36);
  return new Uint8Array([...head, ...samples]);
}

const hasUnzip = spawnSync("unzip", ["-v"]).status === 0;
if (!hasUnzip) console.warn("skipped: unzip is not installed");

test.skipIf(!hasUnzip)(
  "it unpacks, its sums hold, and its page plays from the disk without a network",
  async () => {
    const call = {
      call_id: "1001-é",
      datetime: "2026-03-02T09:00:00+00:00",
      customer_first_name: "Zoë",
      recordings: [{ filename: "a.wav", bytes: toWav() }],
    };
    const hostile = {
      call_id: "<svg/onload=alert(1)>",
      datetime: "2026-03-01T09:00:00+00:00",
      customer_first_name: "</script><img src=x onerror=alert(1)>",
      notes: "<!--<script>",
    };
    // The recorder of the second leg is in another zone, and at the next day there.
    const legs = ["2026-02-26T21:00:00+00:00", "2026-02-27T02:35:00+05:30"].map((datetime, at) => ({
      call_id: "77",
      ref_id: `R${at}`,
      agent: ["ana", "bo"][at] ?? "",
      datetime,
    }));
    const said = { call_id: "1001-é", transcript: "Hello", datetime: "2026-03-02T09:00:00.5Z" };
    const { out, runCommand } = await startExporting({
      calls: [call, hostile, ...legs],
      chats: [said],
    });
    const [folder, file] = [`${out}-unpacked`, join(dirname(out), "march.zip")];
    expect(
      await runCommand("export", "--from", "2026-02-01", "--to", "2026-03-31", "--hand-over", file),
    ).toMatchObject({ code: 0 });
    execFileSync("unzip", ["-q", file, "-d", folder]);
    execFileSync("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: folder });

    const browser = await chromium.launch(
      toLaunchOptions(["--autoplay-policy=no-user-gesture-required"]),
    );
    try {
      const page = await browser.newPage();
      const [faults, asked]: [string[], string[]] = [[], []];
      page.on("console", (message) => faults.push(message.text()));
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("request", (request) => asked.push(new URL(request.url()).protocol));
      await page.goto(pathToFileURL(join(folder, "index.html")).href);
      await page.getByRole("heading", { name: "Zoë" }).waitFor();
      expect(await page.locator("header").innerText()).not.toMatch(/false|undefined|null/);
      await page.getByRole("list", { name: "Transcript" }).getByRole("button").click();
      const readSound = () =>
        page.locator("audio").evaluate(({ ended, duration }: Sound) => ({ ended, duration }));
      await expect.poll(readSound, { timeout: 30_000 }).toMatchObject({ ended: true });
      expect((await readSound()).duration).toBeCloseTo(1, 1);
      const listed = await page.getByRole("button", { name: /^Call 77/ }).allInnerTexts();
      expect(listed.map((one) => one.replaceAll(/\s+/g, " "))).toEqual([
        "Call 77 21:00:00 UTC · ana · leg 1 of 2",
        "Call 77 21:05:00 UTC · bo · leg 2 of 2",
      ]);
      const head = await page.locator("header").innerText();
      expect(head).toContain("3 calls, 4 legs, 1 February 2026");
      expect(head).toContain(
        "Complete: 3 of 3 calls, 4 legs, 1 of 1 recording; 2 calls have none in the archive.",
      );
      await page.getByRole("searchbox").fill("onerror");
      await page.getByText("1 call found").waitFor();
      // Names of fields are nothing that is looked for.
      await page.getByRole("searchbox").fill("customer_first_name");
      await page.getByText("0 calls found").waitFor();
      await page.getByRole("searchbox").fill("onerror");
      await page.getByText("1 call found").waitFor();
      await page.getByRole("button", { name: hostile.customer_first_name }).click();
      await page.getByRole("heading", { name: hostile.customer_first_name }).waitFor();
      expect(await page.locator("img, svg").count()).toBe(0);
      expect(new Set(asked)).toEqual(new Set(["file:"]));
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
