// One export at a time works in a folder: while another is at work it is refused, whoever died in it is got over.
import { existsSync } from "node:fs";
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { listJournals } from "../src/export/journal/journal.ts";
import { countDownloads, readTree, startExporting } from "./support/exporting.ts";
import { ARGS, CALLS, startHeld } from "./support/held.ts";

test("Ctrl-C and a lock: another export is refused meanwhile, and the end says how to go on", async () => {
  const { out, exportCalls, running } = await startHeld();
  const other = await exportCalls("--resume");
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain(`it is process ${running.child.pid}`);
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining(
      `stopped by Ctrl-C: what was fetched is kept; continue with call-media export --resume --out ${out}`,
    ),
  });
  expect(existsSync(join(out, ".call-media/lock"))).toBe(false);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
});

test("a lock of a process that is no more, a torn line and a lost file are got over", async () => {
  const { service, out, exportCalls } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...ARGS)).toMatchObject({ code: 0 });
  const whole = await readTree(out);
  const state = join(out, ".call-media");
  const lock = { host: hostname(), pid: process.pid, began: "before this process began" };
  await mkdir(join(state, "lock"));
  await writeFile(join(state, "lock/holder.json"), JSON.stringify(lock));
  const journals = await listJournals(join(state, "days"), true);
  const torn = journals.find(({ path }) => path.includes("2026-03"));
  await appendFile(
    torn?.path ?? "",
    '{"item":{"row":0,"kind":"recording","part":1},"outcome":{"sta',
  );
  await rm(join(out, "recordings/2026-03-05/1002.wav"));
  const before = countDownloads(service);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(countDownloads(service) - before).toBe(1);
  expect(await readTree(out)).toEqual(whole);
  expect((await readdir(state)).filter((name) => name.startsWith("lock"))).toEqual([]);
});

test("the next export removes the remains of a kill during locking, except those of another machine", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...ARGS)).toMatchObject({ code: 0 });
  const state = join(out, ".call-media");
  const dead = { host: hostname(), pid: process.pid, began: "before this process began" };
  await mkdir(join(state, "lock.empty"));
  await mkdir(join(state, "lock.dead"));
  await writeFile(join(state, "lock.dead/holder.json"), JSON.stringify(dead));
  await mkdir(join(state, "lock.elsewhere"));
  const other = JSON.stringify({ ...dead, host: "elsewhere" });
  await writeFile(join(state, "lock.elsewhere/holder.json"), other);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  const left = (await readdir(state)).filter((name) => name.startsWith("lock"));
  expect(left).toEqual(["lock.elsewhere"]);
});

test("one of several exports that find the lock of a dead one gets the folder", async () => {
  const { out, exportCalls, startCommand } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...ARGS)).toMatchObject({ code: 0 });
  const lock = join(out, ".call-media/lock");
  await mkdir(lock);
  await writeFile(join(lock, "holder.json"), ""); // cut off by a loss of power
  const all = Array.from({ length: 4 }, () => startCommand("export", "--resume", "--out", out));
  for (const { code, stderr } of await Promise.all(all.map(({ ended }) => ended)))
    expect(code === 0 || stderr.includes("another export works in")).toBe(true);
  expect(existsSync(lock)).toBe(false);
  await mkdir(lock);
  await writeFile(join(lock, "something else"), "");
  const { code, stderr } = await exportCalls("--resume");
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`remove ${lock}`) });
});

describe("a lock of another machine", () => {
  async function startLocked() {
    const { out, exportCalls } = await startExporting({ calls: CALLS });
    expect(await exportCalls(...ARGS)).toMatchObject({ code: 0 });
    const lock = join(out, ".call-media/lock");
    const file = join(lock, "holder.json");
    await mkdir(lock);
    await writeFile(file, JSON.stringify({ host: "elsewhere", pid: process.pid, began: "" }));
    return { exportCalls, file };
  }
  const TOLD = "looking for 15 s whether the export on elsewhere is at work\n";

  test("is got over when nobody has touched it for a while", async () => {
    const { exportCalls } = await startLocked();
    expect(await exportCalls("--resume")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(TOLD),
    });
  });

  test("is respected while it is touched", async () => {
    const { exportCalls, file } = await startLocked();
    const timer = setInterval(() => void utimes(file, new Date(), new Date()), 1000);
    const { code, stderr } = await exportCalls("--resume").finally(() => clearInterval(timer));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^looking for .*\ncall-media: another export works in .*: it is on elsewhere\n$/,
      ),
    });
  });
});

test("an export touches its lock, and ends when another has taken it", async () => {
  const { out, running } = await startHeld();
  const lock = join(out, ".call-media/lock");
  const touched = async () => (await stat(join(lock, "holder.json"))).mtimeMs;
  const before = await touched();
  await vi.waitFor(async () => expect(await touched()).toBeGreaterThan(before), 20_000);
  const others = JSON.stringify({ host: "elsewhere", pid: 1, began: "" });
  await writeFile(join(lock, "holder.json"), others);
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`another export has taken ${out}`),
  });
  expect(await readFile(join(lock, "holder.json"), "utf8")).toBe(others);
});
