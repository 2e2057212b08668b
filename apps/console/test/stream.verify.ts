// A recording of two hours, 115 MB: heard at once, jumped about in, drawn when that is wanted, checked to its last byte.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const SECONDS = 7200;
const RATE = 8000;
const MOST_A_JUMP = 5e6;

/** Two channels of mu-law: one second of noise on the left, then one on the right. */
async function writeLong(file: string): Promise<void> {
  const head = Buffer.alloc(44);
  const bytes = SECONDS * RATE * 2;
  head.write("RIFF", 0);
  head.writeUInt32LE(bytes + 36, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(7, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(bytes, 40);
  const second = [0, 1].map((loud) =>
    Buffer.from(
      Array.from({ length: RATE * 2 }, (_, at) => (at % 2 === loud ? (at * 37) % 256 : 0xff)),
    ),
  );
  const handle = await open(file, "w");
  await handle.write(head);
  for (let at = 0; at < SECONDS; at++) await handle.write(second[at % 2] ?? head);
  await handle.close();
}

describe.skipIf(!hasChromium)("two hours", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
    const file = join(demo.directory, "../long.wav");
    await writeLong(file);
    await demo.addCall("long", file);
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test("are heard after a jump that costs little, and drawn in the end", async () => {
    await using opened = await openConsole(demo.baseUrl);
    const { page, go, faults } = opened;
    await signIn(page, demo.apiKey);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    let received = 0;
    devtools.on("Network.dataReceived", ({ dataLength }) => (received += dataLength));
    await go("#/call/long");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    const position = page.getByRole("slider", { name: "Position" });
    const now = async () => Number(await position.getAttribute("aria-valuenow"));
    await expect.poll(now).toBeGreaterThan(0);
    expect(await position.getAttribute("aria-valuemax")).toBe(String(SECONDS));
    const jumps: number[] = [];
    for (const share of [0.8, 0.3, 0.6]) {
      const before = received;
      const box = await position.boundingBox();
      if (box === null) throw new Error("the page shows no wave");
      await page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
      const start = SECONDS * share;
      await expect.poll(now).toBeGreaterThan(start);
      expect(await now()).toBeLessThan(start + 60);
      jumps.push(received - before);
    }
    expect(Math.max(...jumps)).toBeLessThan(MOST_A_JUMP);
    await page.getByRole("button", { name: /^Draw the wave: reads 115 MB/ }).click();
    await page.getByText("As archived", { exact: true }).waitFor();
    // The lines of this call do not say who is on which channel.
    await page.getByRole("button", { name: "Channel 2" }).click();
    expect(faults).toEqual([]);
  });
});
