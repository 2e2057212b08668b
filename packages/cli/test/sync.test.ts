// What is new since an export: late records within the overlap too, each once, and no recording again.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, test } from "vitest";
import {
  countDownloads,
  type FakeCall,
  readManifest,
  readMetadata,
  readReport,
  readTree,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const toCall = (day: number, call_id: string, more: FakeCall = {}): FakeCall => ({
  call_id,
  ref_id: `ref ${call_id}`,
  datetime: `2026-03-${String(day).padStart(2, "0")}T06:14:00Z`,
  recordings: [{ filename: `${call_id}.wav`, bytes: toBytes(500 + day) }],
  ...more,
});

const OLD = { datetime: "2026-01-20T06:14:00Z", recordings: [] };

const EARLY = [
  toCall(0, "old", OLD),
  toCall(1, "1"),
  toCall(8, "8"),
  toCall(10, "10"),
  toCall(10, "10 twin", { recordings: [] }),
];
const LATER = [
  toCall(0, "old", OLD),
  toCall(0, "too late", OLD),
  toCall(1, "1"),
  toCall(1, "beside"),
  toCall(8, "8"),
  toCall(8, "late"),
  toCall(10, "10", { disposition: "Sale" }),
  toCall(10, "10 twin", { recordings: [] }),
  toCall(12, "12"),
];

test("late, changed and new records are added, each once; their recordings are not fetched again", async () => {
  const { out, runCommand, variables } = await startExporting({ calls: EARLY });
  const first = ["--from", "2026-01-15", "--to", "2026-03-10", "--out", out];
  expect(await runCommand("export", ...first)).toMatchObject({ code: 0 });

  const later = createFakeService({ calls: LATER });
  await using served = await serveFake(later);
  // The archive went on where it is.
  const plan = `${out}/.call-media/plan.json`;
  const text = await readFile(plan, "utf8");
  await writeFile(plan, text.replace(String(variables["CALL_MEDIA_BASE_URL"]), served.baseUrl));
  variables["CALL_MEDIA_BASE_URL"] = served.baseUrl;
  const sync = () => runCommand("sync", out, "--to", "2026-03-15", "--overlap", "4");
  expect(await sync()).toMatchObject({ code: 0 });

  const ids = (await readMetadata(out)).map(({ call_id, disposition }) => [call_id, disposition]);
  // Days that were searched for at once are so again, also those before the overlap.
  expect(ids).toEqual([
    ["12", null],
    ["10 twin", null],
    ["10", "Sale"],
    ["8", null],
    ["late", null],
    ["1", null],
    ["beside", null],
    ["old", null],
  ]);
  expect((await readReport(out)).records).toMatchObject({
    added: 4,
    written: 8,
    gone: 0,
    superseded: 1,
  });
  expect(countDownloads(later)).toBe(3);
  const files = (await readManifest(out)).flatMap(({ file, kind }) =>
    kind === "recording" ? [file] : [],
  );
  expect(files.filter((file) => file === "recordings/2026-03-10/10.wav")).toHaveLength(2);
  const earlier = JSON.parse(await readFile(join(out, "superseded.jsonl"), "utf8"));
  expect(earlier).toMatchObject({ call_id: "10", disposition: null });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });

  expect(await sync()).toMatchObject({ code: 0 });
  expect((await readReport(out)).records).toMatchObject({ added: 0, written: 8, superseded: 1 });
  expect(countDownloads(later)).toBe(3);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("a folder of something else is refused, and left alone", async () => {
  const { out, runCommand } = await startExporting({ calls: EARLY });
  await mkdir(out);
  await writeFile(join(out, "mine.txt"), "mine");
  const { code, stderr } = await runCommand("sync", out);
  expect(code).toBe(2);
  expect(stderr).toContain("has something else in it and no export");
  expect(await readTree(out)).toEqual({ "mine.txt": "mine" });
});

test("an export of another service is refused by sync and by --resume", async () => {
  const { out, exportCalls, runCommand, served } = await startExporting({ calls: EARLY });
  await exportCalls("--from", "2026-03-01", "--to", "2026-03-10");
  const other = ["--base-url", "http://127.0.0.1:1"];
  for (const command of [["sync"], ["export", "--resume", "--out"]])
    expect(await runCommand(...command, out, ...other)).toMatchObject({
      code: 2,
      stderr: `call-media: ${out} has an export of ${served.baseUrl}, not of http://127.0.0.1:1\n`,
    });
});

test("a folder without an export is refused, and left alone", async () => {
  const { out, runCommand } = await startExporting({ calls: EARLY });
  const { code, stderr } = await runCommand("sync", out);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("begin it with") });
  expect(existsSync(out)).toBe(false);
});
