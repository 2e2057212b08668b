// What the player does when the sound is not what it should be.
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import { toWave } from "@call-media/test-setup/sounds";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn, signInAs } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const ZOE = "300000000100017";
const STREAM = `**/recording/stream-by-call-id/${ZOE}`;

/** 550 frames of silence, 19.8 seconds: 500 with 8 kbit/s, then 50 with 160, and no tag that says how many. */
function toChangingMp3(): Buffer {
  const toFrame = (kbits: number, index: number) => {
    // MPEG 2, layer III, 16 kHz, mono: 576 samples.
    const frame = Buffer.alloc((72 * kbits) / 16);
    return frame.fill(Buffer.from([0xff, 0xf3, (index << 4) | (2 << 2), 0xc0]), 0, 4);
  };
  const [low, high] = [toFrame(8, 1), toFrame(160, 14)];
  return Buffer.concat([
    ...Array.from({ length: 500 }, () => low),
    ...Array.from({ length: 50 }, () => high),
  ]);
}

describe.skipIf(!hasChromium)("the player", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const play = async (page: Awaited<ReturnType<typeof openConsole>>["page"]) => {
    await page.getByRole("button", { name: "Play", exact: true }).click();
  };

  test("stops where the bytes are not those that are announced", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await page.route(STREAM, async (route) => {
      const response = await route.fetch();
      const digest = `sha-256=:${"A".repeat(43)}=:`;
      await route.fulfill({ response, headers: { ...response.headers(), "repr-digest": digest } });
    });
    await go(`#/call/${ZOE}`);
    await play(page);
    await page.getByText("The bytes are not those that the archive announces").waitFor();
    await page.getByText("Not the archived bytes").waitFor();
    expect(await page.getByRole("button", { name: "Pause", exact: true }).count()).toBe(0);
  });

  test("says which right is missing, and shows the rest of the call", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    // An analyst without allow_download.
    const user = await demo.run(
      "key",
      "create",
      "--data",
      demo.directory,
      "--user",
      "quinn.analyst",
      "--json",
    );
    const { apiKey } = JSON.parse(user) as { apiKey: string }; // with more in it
    await signIn(page, apiKey);
    await go(`#/call/${ZOE}`);
    await page.getByText("You may read this call, but not listen to it.").waitFor();
    const lines = page.getByRole("list", { name: "Transcript" });
    expect(await lines.textContent()).toContain("the meter was estimated");
    // What cannot be heard cannot be played from a line.
    expect(await lines.getByRole("button", { name: /the meter/ }).count()).toBe(0);
  });

  test("knows how long a recording is whose file does not say it", async () => {
    const file = join(demo.directory, "../changing.mp3");
    await writeFile(file, toChangingMp3());
    await demo.addCall("changing", file);
    await using opened = await openConsole(demo.baseUrl);
    const { page, go, faults } = opened;
    await signIn(page, demo.apiKey);
    await go("#/call/changing");
    await play(page);
    const position = page.getByRole("slider", { name: "Position" });
    const read = (name: string) => async () => Number(await position.getAttribute(name));
    await expect.poll(read("aria-valuemax")).toBe(20);
    await page.keyboard.press("End");
    await expect.poll(read("aria-valuenow")).toBe(19);
    expect(faults).toEqual([]);
  });

  test("says in a sentence what the archive found in the bytes", async () => {
    const file = join(demo.directory, "../still.wav");
    const wave = toWave({ seconds: 20 });
    await writeFile(file, wave.fill(0, wave.indexOf("data") + 8));
    await demo.addCall("still", file);
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go("#/call/still");
    await page.getByText("The recording is silent from beginning to end.").waitFor();
    await page.getByText("0:00 / 0:20").waitFor();
    await go(`#/call/${ZOE}`);
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    expect(await page.getByText("silent from beginning").count()).toBe(0);
  });

  // Up to 1 MiB are read at once, longer recordings by the worker of the wave.
  test.each([20, 80])("measures the silence and the talk of %d seconds", async (seconds) => {
    const file = join(demo.directory, `../half-${seconds}.wav`);
    const wave = toWave({ seconds });
    await writeFile(file, wave.fill(0, 44 + (wave.length - 44) / 2));
    await demo.addCall(`half-${seconds}`, file);
    await using opened = await openConsole(demo.baseUrl);
    const { page, go, faults } = opened;
    await signIn(page, demo.apiKey);
    await go(`#/call/half-${seconds}`);
    await play(page);
    await page.getByText("Technical", { exact: true }).click();
    const shown = page.locator("details").filter({ hasText: "Longest silence" });
    await shown.waitFor();
    const text = (await shown.textContent()) ?? "";
    expect(text).toMatch(/Talk share\d+ %/);
    expect(text).toContain(`Longest silence0:${seconds / 2}`);
    expect(text).not.toContain("Overtalk");
    expect(faults).toEqual([]);
  });

  test("plays GSM 6.10, which browsers do not know", async () => {
    const file = join(demo.directory, "../gsm.wav");
    await copyFile(join(import.meta.dirname, "../../../packages/sound/test/sounds/gsm.wav"), file);
    await demo.addCall("gsm", file);
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go("#/call/gsm");
    await play(page);
    // Two seconds of it.
    const position = page.getByRole("slider", { name: "Position" });
    await expect.poll(() => position.getAttribute("aria-valuemax")).toBe("2");
    await page.getByText("As archived", { exact: true }).waitFor();
  });

  test("names what the browser cannot play, and offers the file", async () => {
    const file = join(demo.directory, "../call.amr");
    await writeFile(file, `#!AMR\n${"x".repeat(500)}`);
    await demo.addCall("amr", file);
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signIn(page, demo.apiKey);
    await go("#/call/amr");
    await play(page);
    const said = page.getByRole("status").filter({ hasText: "This browser cannot play" });
    await expect.poll(() => said.textContent()).toContain("This browser cannot play AMR.");
    await page.getByRole("button", { name: /^Save/ }).waitFor();
  });

  test("keeps its speed, and repeats from A to B", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go } = opened;
    await signInAs(page, demo.credentials);
    await go(`#/call/${ZOE}?t=5-7`);
    await play(page);
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.keyboard.press(".");
    await page.getByRole("button", { name: "Speed 1.25×" }).waitFor();
    const position = page.getByRole("slider", { name: "Position" });
    const seen = new Set<number>();
    await expect
      .poll(
        async () => {
          seen.add(Number(await position.getAttribute("aria-valuenow")));
          return [...seen].toSorted((one, other) => one - other).join();
        },
        { interval: 100 },
      )
      .toMatch(/^5,6(?:,7)?$/);
    await page.reload();
    await page.getByRole("button", { name: "Speed 1.25×" }).waitFor();
  });
});
