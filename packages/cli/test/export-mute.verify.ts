// An export with --mute that is killed at any moment: no original is anywhere but in its own working folder, and it goes on.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MARCH, readManifest, startExporting } from "./support/exporting.ts";
import { listSilence, toCountedWav, toSha256 } from "./support/sounds.ts";

const CALLS = Array.from({ length: 6 }, (_, at) => ({
  call_id: `10${at}`,
  ref_id: `ref-${at}`,
  datetime: `2026-03-0${at + 1}T06:00:00Z`,
  // Long enough to be resumed.
  recordings: [{ filename: `${at}.wav`, bytes: toCountedWav(20, at) }],
}));
const ORIGINALS = new Set(
  CALLS.map(({ recordings: [one] }) => toSha256(one?.bytes ?? new Uint8Array())),
);
const SPANS = `call_id,from,to\n${CALLS.map(({ call_id }) => `${call_id},1,2\n`).join("")}`;

/** Whole originals by their paths, but those in the working folder. */
async function listLeaked(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const leaked: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isOwn = relative(folder, path).includes(".call-media");
    if (entry.isFile() && !isOwn && ORIGINALS.has(toSha256(await readFile(path))))
      leaked.push(path);
  }
  return leaked;
}

test("killed at any moment, it leaves no original outside of its working folder", async () => {
  const { out, startCommand } = await startExporting({ calls: CALLS });
  const folder = dirname(out);
  const file = join(folder, "spans.csv");
  await writeFile(file, SPANS);
  const args = ["export", ...MARCH, "--resume", "--mute", file, "--out", out];
  const slow = ["--limit-rate", "1500k", "--concurrency", "2"];
  let kills = 0;
  for (const ms of [500, 650, 800, 950, 1_100, 1_250]) {
    const { child, ended } = startCommand(...args, ...slow);
    await sleep(ms);
    if (child.kill("SIGKILL")) kills++;
    await ended;
    expect(await listLeaked(folder)).toEqual([]);
  }
  expect(kills).toBeGreaterThan(0);
  const { ended } = startCommand(...args);
  expect(await ended).toMatchObject({ code: 0 });
  expect(await listLeaked(folder)).toEqual([]);
  expect(await readdir(join(out, ".call-media", "parts"))).toEqual([]);
  const muted = (await readManifest(out)).filter((entry) => entry.muted !== undefined);
  expect(muted).toHaveLength(CALLS.length);
  for (const { file: path } of muted)
    expect(listSilence(await readFile(join(out, path ?? "")))).toEqual([[1, 2]]);
});

test("stopped by a signal, it says which originals it had to leave", async () => {
  const { out, startCommand } = await startExporting({ calls: CALLS });
  const file = join(dirname(out), "spans.csv");
  await writeFile(file, SPANS);
  const slow = ["--limit-rate", "100k", "--concurrency", "1"];
  const { child, ended } = startCommand("export", ...MARCH, "--mute", file, "--out", out, ...slow);
  const parts = join(out, ".call-media", "parts");
  const hasOriginal = async () =>
    (await readdir(parts).catch(() => [])).some((name) => name.endsWith(".original"));
  while (!(await hasOriginal())) await sleep(20);
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/recordings? that (?:is|are) to be muted (?:is|are) still in .*parts/),
  ]);
});
