// Exports that end early: killed, stopped, without room; what is there stays, and what is left is all that is asked for.
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  countDownloads,
  readMetadata,
  readReport,
  readTree,
  startExporting,
} from "./support/exporting.ts";
import { serveGrowing } from "./support/growing.ts";
import { ARGS, CALLS, PART, WINDOW } from "./support/held.ts";
import { run } from "./support/program.ts";

test("an export of no call at all is empty, with an exit code of its own, and stays so", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: [] });
  const { code, stdout } = await exportCalls(...ARGS, "--agent", "Ana Kovač");
  const lines = stdout.trimEnd().split("\n");
  expect({ code, first: lines[0], last: lines.at(-1) }).toEqual({
    code: 4,
    first: expect.stringMatching(/^empty: /),
    last: `next     call-media search --from ${ARGS[1]} --to ${ARGS[3]} --agent 'Ana Kovač'`,
  });
  expect(stdout).toContain("reason   the search found no record");
  expect(await exportCalls("--resume")).toMatchObject({ code: 4 });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  expect(await runCommand("sync", out)).toMatchObject({ code: 4 });
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
  const isTold = (line: string) => !/"outcome":.*large\.wav|"seal"/.test(line);
  await writeFile(journal, `${lines.filter(isTold).join("\n")}\n`);
  const part = join(state, "parts", PART);
  await rename(join(out, "recordings/2026-03-02/large.wav"), part);
  const before = countDownloads(service);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(countDownloads(service) - before).toBe(0);
  expect(await readTree(out)).toEqual(whole);
});

test("--resume of a finished export requests its counts again, and reads late records", async () => {
  const toCall = (call_id: string, day: string) => ({ call_id, datetime: `${day}T10:00:00Z` });
  const [first, second] = [toCall("1", "2026-03-02"), toCall("2", "2026-04-20")];
  await using growing = await serveGrowing([first, second]);
  const folder = await mkdtemp(join(tmpdir(), "call-media-late-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const out = join(folder, "out");
  const resume = () => run(["export", "--resume", "--out", out], growing.variables);
  const days = ["--from", "2026-03-01", "--to", "2026-04-30", "--files", "none"];
  expect(await run(["export", ...days, "--out", out], growing.variables)).toMatchObject({
    code: 0,
  });
  const whole = await readFile(join(out, "report.json"), "utf8");
  expect(await resume()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("a call that came while another was removed is not seen"),
  });
  expect(await readFile(join(out, "report.json"), "utf8")).toBe(whole);

  const again = new Date().toISOString();
  growing.add(toCall("late", "2026-03-02"));
  expect(await resume()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 added, 3 in"),
  });
  expect((await readMetadata(out)).map(({ call_id }) => String(call_id)).toSorted()).toEqual([
    "1",
    "2",
    "late",
  ]);
  const report = await readReport(out);
  // The other days were not searched again.
  expect(report).toMatchObject({
    verdict: "complete",
    records: { announced: 3, written: 3 },
  });
  expect(report.asOf?.localeCompare(again)).toBeLessThanOrEqual(0);
  expect(await run(["verify", out], growing.variables)).toMatchObject({ code: 0 });

  growing.replace([second]);
  expect(await resume()).toMatchObject({ code: 0 });
  expect((await readReport(out)).records).toMatchObject({ announced: 1, gone: 2, written: 3 });
});

test("an export that died is not complete as of then: days that it had finished are counted, too", async () => {
  const toCall = (call_id: string) => ({ call_id, datetime: "2026-03-02T10:00:00Z" });
  await using growing = await serveGrowing([toCall("1")]);
  const folder = await mkdtemp(join(tmpdir(), "call-media-late-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const out = join(folder, "out");
  const days = ["--from", "2026-03-01", "--to", "2026-03-31", "--files", "none"];
  await run(["export", ...days, "--out", out], growing.variables);
  // As after a kill when all days were read, and nothing was written of them.
  const plan = join(out, ".call-media", "plan.json");
  await writeFile(
    plan,
    (await readFile(plan, "utf8")).replace('"isDone": true', '"isDone": false'),
  );
  growing.add(toCall("late"));
  const resumed = await run(["export", "--resume", "--out", out], growing.variables);
  expect(resumed).toMatchObject({ code: 0 });
  expect(await readReport(out)).toMatchObject({
    verdict: "complete",
    records: { announced: 2, written: 2 },
  });
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
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("continue with") });
  mend();
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toHaveLength(CALLS.length);
});
