// The plan of an export in its folder: an incomplete plan is rejected, and a complete one can be continued.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { toExportFolder } from "../src/export/folder/export-folder.ts";
import { type Plan, readPlan } from "../src/export/plan/plan.ts";

const PLAN: Plan = {
  version: 3,
  baseUrl: "https://archive.example.com",
  by: "fields",
  filter: { agent: "ana" },
  where: null,
  format: "csv",
  columns: ["datetime", "call_id"],
  timeZone: "Europe/Berlin",
  archiveTimeZone: null,
  name: "{call_id}",
  files: ["recordings"],
  redact: ["ani"],
  endDate: null,
  isOldestFirst: false,
  rounds: [
    {
      from: "2026-03-01",
      to: "2026-03-31",
      asOf: "2026-04-01",
      beganAt: "2026-03-01T00:00:00.000Z",
      isDone: true,
    },
  ],
};

let folder: ReturnType<typeof toExportFolder>;

beforeEach(async () => {
  const path = await mkdtemp(join(tmpdir(), "call-media-plan-"));
  onTestFinished(() => rm(path, { recursive: true }));
  folder = toExportFolder(path);
  await mkdir(dirname(folder.plan));
});

const read = async (plan: object) => {
  await writeFile(folder.plan, JSON.stringify(plan));
  return await readPlan(folder);
};

test("one that has everything is read", async () => {
  expect(await read(PLAN)).toEqual(PLAN);
});

test.each([
  ...Object.keys(PLAN).map((field): [string, object] => [field, { ...PLAN, [field]: undefined }]),
  [
    "a round that says not whether it is done",
    { ...PLAN, rounds: [{ ...PLAN.rounds[0], isDone: undefined }] },
  ],
  ["a day of the calendar", { ...PLAN, rounds: [{ ...PLAN.rounds[0], to: "2026-02-30" }] }],
  ["a field that there is", { ...PLAN, redact: ["anni"] }],
  ["a filter of fields", { ...PLAN, filter: null }],
])("one that lacks %s is refused", async (_, plan) => {
  await expect(read(plan)).rejects.toThrow("plan.json is damaged, or of another version");
});
