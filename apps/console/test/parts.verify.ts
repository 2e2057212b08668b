// A leg with two recordings: words that were said in the second one are heard there.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import { toWave } from "@call-media/test-setup/sounds";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const SECONDS = 10;
const START_MS = Date.parse("2026-10-30T10:00:00Z");
const at = (second: number) => new Date(START_MS + second * 1000).toISOString();

const SAID: readonly (readonly [second: number, transcript: string])[] = [
  [0, "Good morning, this is Amara."],
  [4, "I ask about my zebrafinch."],
  [12, "One moment, please."],
  [15, "The quokkabird has flown."],
  [90, "Afterwards somebody wrote ocelotfish."],
];

/** A call of two recordings, one right after the other, in the folder. */
async function writeCall(folder: string): Promise<string> {
  const media = await Promise.all(
    [0, 1].map(async (index) => {
      const file = `part-${index + 1}.wav`;
      await writeFile(join(folder, file), toWave({ seconds: SECONDS + index }));
      return { file, start: at(index * SECONDS) };
    }),
  );
  const call = { kind: "call", datetime: at(0), call_id: "two", agent: "amara.okafor", media };
  const chats = SAID.map(([second, transcript]) => ({
    kind: "chat",
    call_id: "two",
    transcript,
    datetime: at(second),
    party_type: "Customer",
    label: "Ada",
    room_id: "room",
  }));
  const list = join(folder, "two.jsonl");
  await writeFile(list, [call, ...chats].map((one) => JSON.stringify(one)).join("\n"));
  return list;
}

describe.skipIf(!hasChromium)("a leg of two recordings", () => {
  let demo: Demo;
  let folder: string;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
    folder = await mkdtemp(join(tmpdir(), "call-media-parts-"));
    await demo.run("import", "--data", demo.directory, await writeCall(folder));
  });
  afterAll(async () => {
    await demo[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const visit = async () => {
    const opened = await openConsole(demo.baseUrl);
    await signIn(opened.page, demo.apiKey);
    const clock = opened.page.getByRole("slider", { name: "Position" });
    const readSecond = async () => Number(await clock.getAttribute("aria-valuenow"));
    return Object.assign(opened, { readSecond });
  };

  test.each([
    ["zebrafinch", 1, 3],
    ["quokkabird", 2, 4],
  ])("is opened at %s in recording %i, and played from there", async (word, part, second) => {
    await using opened = await visit();
    const { page, go, asked, readSecond } = opened;
    await go(`#/call/two?words=${word}`);
    await page
      .getByRole("button", { name: `Recording ${part}`, exact: true, pressed: true })
      .waitFor();
    await expect.poll(readSecond).toBe(second);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(readSecond).toBeGreaterThan(second);
    await expect.poll(() => listHeard(asked)).toEqual([`part=${part}`]);
  });

  test("a row plays the recording in which its words were said", async () => {
    await using opened = await visit();
    const { page, go, asked } = opened;
    await go("#/?from=2026-10-30&to=2026-10-30&words=quokkabird");
    await page.locator("#row-0").waitFor();
    await page.keyboard.press(" ");
    await page
      .getByRole("region", { name: "Player" })
      .getByText(/^0:0[45]/)
      .waitFor();
    // The place of the words is shown before the sound is requested.
    await expect.poll(() => listHeard(asked)).toEqual(["part=2"]);
  });

  test("words that were said behind both begin nothing behind the end", async () => {
    await using opened = await visit();
    const { page, go, readSecond } = opened;
    await go("#/call/two?words=ocelotfish");
    await page.getByText("ocelotfish").first().waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(readSecond).toBeGreaterThan(0);
    expect(await readSecond()).toBeLessThan(5);
  });
});

/** The parts whose sound was requested. */
const listHeard = (asked: readonly string[]): readonly string[] =>
  asked
    .filter((one) => one.startsWith("GET /console/api/recording/"))
    .map((one) => /part=\d/.exec(one)?.[0] ?? "part=1");
