// The two threads of an export: each does its part, and together they are one for the service and for the user.
import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { createFakeService, type FakeCall } from "@call-media/client/testing";
import { serveFake } from "@call-media/client/testing/node";
import { expect, onTestFinished, test } from "vitest";
import { parseBaseUrl } from "../src/access/base-url.ts";
import { fromFault, toFault } from "../src/export/fault.ts";
import { toExportFolder } from "../src/export/files.ts";
import { toJournalFile } from "../src/export/journals.ts";
import { toExportPlan } from "../src/export/export-plan.ts";
import { createPace, type KeptPace } from "../src/export/pace.ts";
import type { Task } from "../src/export/task.ts";
import { openWindowThreads } from "../src/export/window-threads.ts";
import { CommandFailure } from "../src/failures/command-failure.ts";
import { UsageError } from "../src/failures/usage-error.ts";
import { startExporting, toBytes } from "./support/exporting.ts";

const isAlone = availableParallelism() === 1;
if (isAlone) console.warn("SKIPPED threads of an export: this machine has room for one");

const MONTHS = ["01", "02", "03", "04", "05", "06"];
const HALF_A_YEAR = ["--from", "2026-01-01", "--to", "2026-06-30"];

/** Five of each month. */
const CALLS: readonly FakeCall[] = MONTHS.flatMap((month) =>
  Array.from({ length: 5 }, (_, index) => ({
    call_id: `${month}-${index}`,
    datetime: `2026-${month}-1${index}T06:14:00Z`,
    recordings: [{ filename: "a.wav", bytes: toBytes(2000, index + 1) }],
  })),
);

async function openThreads() {
  const { out, service, served } = await startExporting({ calls: CALLS });
  const folder = toExportFolder(out);
  for (const path of [folder.journals, folder.parts]) mkdirSync(path, { recursive: true });
  const baseUrl = parseBaseUrl(served.baseUrl);
  const flags = { from: "2026-01-01", to: "2026-06-30" };
  const plan = toExportPlan(undefined, flags, { path: out, baseUrl, isOldestFirst: false });
  const stopping = new AbortController();
  const faults: unknown[] = [];
  const toldByOther: number[] = [];
  const kept = createPace({ max: 4, maxBytesPerSecond: Infinity });
  const learn: KeptPace["learn"] = (seen) => void toldByOther.push(seen.status);
  const stop = (error: unknown) => {
    faults.push(error);
    stopping.abort(error);
  };
  const target = { target: { baseUrl, apiKey: service.apiKey }, hints: {} };
  const means = { pace: { ...kept, learn }, signal: stopping.signal, stop };
  const threads = openWindowThreads({ path: out, plan, target }, means);
  onTestFinished(() => threads[Symbol.asyncDispose]());
  const toTask = (month: string): Task => {
    const days = { from: `2026-${month}-01`, to: `2026-${month}-28`, round: 0 };
    return { current: toJournalFile(folder.journals, days), earlier: [], isListed: false };
  };
  return { ...threads, service, folder, toTask, faults, toldByOther };
}

test.skipIf(isAlone)("both work, and what they count adds up", async () => {
  const { service, work, doTask, toTask, faults, toldByOther } = await openThreads();
  await Promise.all(MONTHS.map((month) => doTask(toTask(month))));
  expect(faults).toEqual([]);
  expect(work.tally.readCount()).toMatchObject({ rows: 30, files: 30, bytes: 60_000 });
  expect(work.tally.answers).toBe(60); // the transcripts, which there are none of, as well
  expect(toldByOther.length).toBeGreaterThan(service.requests.length / 3);
});

test.skipIf(isAlone)(
  "what fails in the second is told as of the first, and stops both",
  async () => {
    const { work, doTask, toTask, faults, folder } = await openThreads();
    const first = doTask(toTask("01"));
    rmSync(folder.journals, { recursive: true });
    await Promise.allSettled([first, doTask(toTask("02"))]);
    expect(faults).toEqual([expect.any(CommandFailure)]);
    expect(faults).toMatchObject([{ message: expect.stringContaining("ENOENT") }]);
    expect(work.signal.aborted).toBe(true);
  },
);

test("what nobody expected is told with the place where it happened", () => {
  const error = new TypeError("x is not a function");
  expect(fromFault(toFault(error))).toMatchObject({
    name: "TypeError",
    message: error.message,
    stack: error.stack,
  });
});

test("what the user has to do otherwise is told as that", () => {
  const error = new UsageError("the journal is damaged");
  expect(fromFault(toFault(error))).toEqual(error);
  expect(fromFault(toFault(error))).toBeInstanceOf(UsageError);
});

test("no more are asked for at once than --concurrency says, by both together", async () => {
  const { out, runCommand } = await startExporting({ calls: CALLS });
  const service = createFakeService({ calls: CALLS });
  let [now, most] = [0, 0];
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  await using served = await serveFake({
    ...service,
    fetch: async (input, init) => {
      most = Math.max(most, ++now);
      if (most === 3) reach();
      // On a busy machine one may be answered before the next is sent; an answer that takes longer makes room for fewer.
      if (new Request(input).url.includes("/recording/")) await Promise.race([reached, wait(60)]);
      await wait(20);
      return await service.fetch(input, init).finally(() => now--);
    },
  });
  const pace = ["--concurrency", "3", "--base-url", served.baseUrl];
  const ended = await runCommand("export", ...HALF_A_YEAR, ...pace, "--out", out);
  expect(ended).toMatchObject({ code: 0 });
  expect(most).toBe(3);
});

test("while one of them is asked to wait the other waits as well", async () => {
  const { out, runCommand } = await startExporting({ calls: CALLS });
  const service = createFakeService({ calls: CALLS });
  const cameMs: number[] = [];
  let [downloads, askedAtMs] = [0, 0];
  await using served = await serveFake({
    ...service,
    fetch: async (input, init) => {
      const { url } = new Request(input);
      cameMs.push(performance.now());
      await wait(100);
      const answer = await service.fetch(input, init);
      if (!url.includes("/recording/") || ++downloads !== 12) return answer;
      askedAtMs = performance.now();
      const headers = new Headers([...answer.headers, ["RateLimit", '"requests";r=0;t=3']]);
      return new Response(answer.body, { headers });
    },
  });
  const ended = await runCommand(
    "export",
    ...HALF_A_YEAR,
    "--out",
    out,
    "--base-url",
    served.baseUrl,
  );
  expect(ended).toMatchObject({ code: 0 });
  // What was under way came before, on a busy machine a while after it was asked to wait.
  expect(cameMs.filter((ms) => ms > askedAtMs + 1500 && ms < askedAtMs + 2900)).toEqual([]);
  expect(cameMs.some((ms) => ms > askedAtMs + 2900)).toBe(true);
});
