// Empty years and days of an export that is taken up again.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Exporting, readReport, readTree, startExporting } from "./support/exporting.ts";
import { CALLS, EVER, findGaps, toCall } from "./support/empty-years.ts";

async function changePlan({ out }: Exporting, what: RegExp, text: string): Promise<void> {
  const file = join(out, ".call-media", "plan.json");
  await writeFile(file, (await readFile(file, "utf8")).replace(what, text));
}

test("an export of empty years that lost some of its days resumes to the same files", async () => {
  const exporting = await startExporting({ calls: CALLS });
  const { out, exportCalls } = exporting;
  expect(await exportCalls(...EVER)).toMatchObject({ code: 0 });
  const whole = await readTree(out);
  const folder = join(out, ".call-media", "days");
  const journals = await readdir(folder);
  for (const step of [2, 3, 5]) {
    for (const name of journals.filter((_, index) => index % step > 0))
      await rm(join(folder, name));
    await changePlan(exporting, /"isDone": true/, '"isDone": false');
    expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
    expect(await readTree(out)).toEqual(whole);
    expect((await readdir(folder)).toSorted()).toEqual(journals.toSorted());
  }
});

test("sync adds calls in years that were empty, and reports the number of removed calls", async () => {
  const first = await startExporting({ calls: CALLS });
  expect(await first.exportCalls(...EVER)).toMatchObject({ code: 0 });
  const later = await startExporting({ calls: [toCall("2017-07-07")] });
  await changePlan(first, /"baseUrl": ".*"/, `"baseUrl": "${later.served.baseUrl}"`);
  const overlap = ["--overlap", "3650", "--to", "2026-04-30"];
  const { code, stdout } = await later.runCommand("sync", first.out, ...overlap);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "\ngone     2 of those in metadata.jsonl were not found again: removed, or changed in call_id, ref_id, datetime or agent\n",
  );
  expect((await readReport(first.out)).records).toMatchObject({ added: 1, written: 5, gone: 2 });
});

test("days that became empty meanwhile are not listed twice", async () => {
  const first = await startExporting({ calls: CALLS });
  expect(await first.exportCalls(...EVER)).toMatchObject({ code: 0 });
  const folder = join(first.out, ".call-media", "days");
  for (const name of await readdir(folder))
    if (/^20(?:09|10)/.test(name)) await rm(join(folder, name));
  // Days that were finished and are not lost would be searched again, if their number were another.
  const calls = CALLS.filter(({ datetime }) => !datetime?.startsWith("2009"));
  const later = await startExporting({ calls });
  await changePlan(first, /"baseUrl": ".*"/, `"baseUrl": "${later.served.baseUrl}"`);
  await changePlan(first, /"isDone": true/, '"isDone": false');
  expect(await later.runCommand("export", "--resume", "--out", first.out)).toMatchObject({
    code: 0,
  });
  expect(await findGaps(first.out)).toEqual([]);
});
