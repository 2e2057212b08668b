// What an export would have, before it writes anything; and which fields its metadata has.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  countDownloads,
  MARCH,
  readMetadata,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const CALLS = [
  {
    call_id: "1",
    datetime: "2026-03-02T06:14:00Z",
    talk_time: 90,
    recordings: [
      { filename: "a.wav", bytes: toBytes(30) },
      { filename: "b.wav", bytes: toBytes(40) },
    ],
  },
  { call_id: "2", datetime: "2026-03-03T06:14:00Z", talk_time: 5 },
];

test("--dry-run counts records and recordings, and writes and fetches nothing", async () => {
  const { service, out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const { code, stdout, stderr } = await exportCalls(...MARCH, "--dry-run");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("dry run: nothing was written; 2026-03-01 to 2026-03-31 of http");
  expect(stdout).toContain("records  2 records in metadata.jsonl, of 2 that were read");
  expect(stdout).toContain("files    2 recordings, and the transcript of each call that has one");
  expect(existsSync(out)).toBe(false);
  expect(countDownloads(service)).toBe(0);
  const where = ["--where", "talk_time < 60", "--files", "recordings", "--json"];
  const ended = await runCommand("export", ...MARCH, "--dry-run", ...where);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    isDryRun: true,
    read: 2,
    records: 1,
    recordings: 0,
    files: ["recordings"],
  });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  expect(await exportCalls(...MARCH, "--dry-run")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has an export already"),
  });
});

test("--columns and --tz say what the metadata has, in every format and every run", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const columns = ["--columns", "call_id, datetime"];
  expect(await exportCalls(...MARCH, ...columns)).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toEqual([
    { call_id: "2", datetime: "2026-03-03T06:14:00Z" },
    { call_id: "1", datetime: "2026-03-02T06:14:00Z" },
  ]);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  expect(await exportCalls("--resume", "--columns", "call_id")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("was begun with another --columns"),
  });
  const csv = ["--format", "csv", "--tz", "Asia/Tokyo", "--out", `${out}-csv`];
  expect(await runCommand("export", ...MARCH, ...columns, ...csv)).toMatchObject({ code: 0 });
  expect((await readFile(join(`${out}-csv`, "metadata.csv"), "utf8")).split("\r\n")).toEqual([
    "call_id,datetime",
    "2,2026-03-03T15:14:00+09:00",
    "1,2026-03-02T15:14:00+09:00",
    "",
  ]);
  expect(await runCommand("verify", `${out}-csv`)).toMatchObject({ code: 0 });
  expect(await runCommand("export", ...MARCH, "--columns", "agnt", "--out", "x")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no field agnt of a record: did you mean agent?"),
  });
});
