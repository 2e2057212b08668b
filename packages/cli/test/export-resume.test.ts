// Exports that end early: killed, stopped, without room; what is there stays, and what is left is all that is asked for.
import { existsSync } from "node:fs";
import {
  appendFile,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listJournals } from "../src/export/journal/journals.ts";
import {
  countDownloads,
  type FakeCall,
  MARCH,
  readManifest,
  readMetadata,
  readTree,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const LARGE = toBytes(3_000_000, 7);
const CALLS: readonly FakeCall[] = [
  {
    call_id: "large",
    datetime: "2026-03-02T06:00:00Z",
    recordings: [{ filename: "l.wav", bytes: LARGE }],
  },
  ...Array.from({ length: 6 }, (_, index) => ({
    call_id: String(1000 + index),
    datetime: `2026-03-0${index + 3}T06:14:00Z`,
    recordings: [{ filename: "a.wav", bytes: toBytes(900 + index) }],
  })),
];
const ARGS = [...MARCH, "--files", "recordings"];

/** So few calls that all days are one window; the large recording is of the oldest record, the last. */
const WINDOW = "2026-03-01_2026-03-31.00000";
const PART = `${WINDOW}.6.recording.1`;

/** So much of the large recording comes, and then nothing more. */
const HELD_AFTER = 2_000_000;

function hold({ body, status, headers }: Response): Response {
  let left = HELD_AFTER;
  const held = new TransformStream<Uint8Array, Uint8Array>({
    transform: async (piece, controller) => {
      controller.enqueue(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) await new Promise(() => {});
    },
  });
  return new Response(body?.pipeThrough(held) ?? null, { status, headers });
}

/** An export that is met amid the large recording, when all others are there. What comes after it is not held. */
async function startHeld() {
  let isHeld = true;
  const exporting = await startExporting({ calls: CALLS }, (url, answer) =>
    isHeld && url.endsWith("/large") ? hold(answer) : answer,
  );
  const { out, startCommand } = exporting;
  const running = startCommand("export", ...ARGS, "--out", out);
  const state = join(out, ".call-media");
  await vi.waitFor(
    async () => {
      expect((await stat(join(state, "parts", PART))).size).toBeGreaterThanOrEqual(600_000);
      const journal = await readFile(join(state, `days/${WINDOW}.jsonl`), "utf8");
      expect(journal.match(/"outcome":/g)).toHaveLength(CALLS.length - 1);
    },
    { timeout: 60_000 },
  );
  isHeld = false;
  return { ...exporting, running };
}

test("a recording that was cut off by kill -9 goes on where it was, and nothing is fetched twice", async () => {
  const { service, ranges, out, exportCalls, running } = await startHeld();
  running.child.kill("SIGKILL");
  await running.ended;
  const seen = service.requests.length;
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  const asked = service.requests.slice(seen).filter(({ url }) => url.includes("/recording/"));
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual([
    "/recording/stream-by-call-id/large",
  ]);
  expect(Number(/^bytes=(\d+)-$/.exec(ranges.at(-1) ?? "")?.[1])).toBeGreaterThanOrEqual(600_000);
  expect(new Uint8Array(await readFile(join(out, "recordings/2026-03-02/large.wav")))).toEqual(
    LARGE,
  );
  expect(await readdir(join(out, ".call-media/parts"))).toEqual([]);
  const [, large] = (await readManifest(out)).toReversed();
  expect(large).toMatchObject({ call_id: "large", checked: "sha256", attempts: 1 });
});

test("Ctrl-C and a lock: another export is refused meanwhile, and the end says how to go on", async () => {
  const { out, exportCalls, running } = await startHeld();
  const other = await exportCalls("--resume");
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain(`it is process ${running.child.pid}`);
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(
      `stopped by Ctrl-C: what came is kept; go on with call-media export --resume --out ${out}`,
    ),
  });
  expect(existsSync(join(out, ".call-media/lock"))).toBe(false);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
});

test("a finished export of no call at all stays finished", async () => {
  const { exportCalls } = await startExporting({ calls: [] });
  expect(await exportCalls(...ARGS)).toMatchObject({ code: 0 });
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

test("of several exports that find the lock of one that died, one gets the folder", async () => {
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

test("a journal that has lost a record ends it with 2, and what was written before stays", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...ARGS)).toMatchObject({ code: 0 });
  const whole = await readTree(out);
  const journal = join(out, `.call-media/days/${WINDOW}.jsonl`);
  const lines = await readFile(journal, "utf8");
  await writeFile(journal, lines.slice(lines.indexOf("\n") + 1));
  const { code, stderr } = await exportCalls("--resume");
  const stop = `call-media: ${journal} is damaged: export into a new folder\n`;
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(stop) });
  expect(await readTree(out)).toEqual(whole);
});

test("a recording that was whole when the program died, and not told yet, gets its name without being asked for", async () => {
  const { service, out, exportCalls } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...ARGS)).toMatchObject({ code: 0 });
  const whole = await readTree(out);
  const state = join(out, ".call-media");
  const journal = join(state, `days/${WINDOW}.jsonl`);
  const lines = (await readFile(journal, "utf8")).trimEnd().split("\n");
  const isTold = (line: string) => !/"outcome":.*large\.wav|"sealed"/.test(line);
  await writeFile(journal, `${lines.filter(isTold).join("\n")}\n`);
  const part = join(state, "parts", PART);
  await rename(join(out, "recordings/2026-03-02/large.wav"), part);
  const before = countDownloads(service);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(countDownloads(service) - before).toBe(0);
  expect(await readTree(out)).toEqual(whole);
});

test("a service that goes away ends it with 1, and the rest comes later", async () => {
  const { service, out, exportCalls } = await startExporting({ calls: CALLS });
  const mend = service.inject({
    kind: "status",
    status: 401,
    operation: "streamRecordingByCallId",
    skip: 2,
    times: 1000,
  });
  const { code, stderr } = await exportCalls(...ARGS, "--concurrency", "1");
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("go on with") });
  mend();
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toHaveLength(CALLS.length);
});
