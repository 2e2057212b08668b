// The windows of long exports: exports that began day by day, and long transcripts.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MARCH, readReport, startExporting } from "./support/exporting.ts";
import { CALLS, readFiles, startCounting, startUncounted } from "./support/windows.ts";

test("an export that began day by day continues with the remaining days", async () => {
  const [counting, uncounted] = [await startCounting(), await startUncounted()];
  expect(await uncounted.exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const whole = await readFiles(uncounted.out);
  const state = join(uncounted.out, ".call-media");
  const isLeft = (name: string) => /^2026-03-(?:0[4-9]|2\d)/.test(name);
  for (const name of await readdir(join(state, "days")))
    if (isLeft(name)) await rm(join(state, "days", name));
  const plan = await readFile(join(state, "plan.json"), "utf8");
  const { baseUrl } = counting.served;
  const begun = plan
    .replace('"isDone": true', '"isDone": false')
    .replace(/"baseUrl": ".*"/, `"baseUrl": "${baseUrl}"`);
  await writeFile(join(state, "plan.json"), begun);
  const resumed = await counting.runCommand("export", "--resume", "--out", uncounted.out);
  expect(resumed).toMatchObject({ code: 0 });
  expect(await readFiles(uncounted.out)).toEqual(whole);
  const days = (await readReport(uncounted.out)).windows.map(({ from, to }) => `${from} ${to}`);
  expect(days).toContain("2026-03-20 2026-03-29");
});

test("records with long transcripts are not kept until their files are there, and are read again", async () => {
  const calls = CALLS.slice(0, 60).map((call) => ({ ...call, transcript: "word ".repeat(6_000) }));
  const { out, exportCalls, runCommand } = await startExporting({ calls });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const { windows, files } = await readReport(out);
  expect(windows).toHaveLength(1);
  expect(files).toMatchObject({ expected: 69, complete: 69 });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});
