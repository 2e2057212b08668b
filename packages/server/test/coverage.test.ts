// `call-media-server coverage`: its lines, its target, its list and its exit codes.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toWave } from "@call-media/test-setup/sounds";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";

const folder = await mkdtemp(join(tmpdir(), "coverage-"));
const at = (name: string) => join(folder, name);
const data = ["--data", at("archive")];
const WAVE = toWave({ seconds: 20 });

const toCall = (call_id: string, recording: string | undefined, more: object = {}) => ({
  kind: "call",
  call_id,
  datetime: "2026-03-02T10:00:00Z",
  talk_time: 20,
  agent: "ana",
  ...more,
  media: recording === undefined ? [] : [{ file: recording }],
});

beforeAll(async () => {
  await writeFile(at("good.wav"), WAVE);
  await writeFile(at("silent.wav"), Buffer.alloc(WAVE.length).fill(WAVE.subarray(0, 44), 0, 44));
  const calls = [
    toCall("one", "good.wav"),
    toCall("two", "silent.wav", { agent: "ben" }),
    toCall("three", undefined, { agent: "ben" }),
    toCall("four", undefined, { talk_time: null }),
  ];
  await writeFile(at("calls.jsonl"), calls.map((one) => `${JSON.stringify(one)}\n`).join(""));
  await run("import", ...data, "--timezone", "UTC", "--recordings", folder, at("calls.jsonl"));
});
afterAll(() => rm(folder, { recursive: true }));

test("a line for each group, the total, and what is not counted", async () => {
  const { code, stdout, stderr } = await run("coverage", ...data, "--by", "agent");
  expect(code).toBe(0);
  const lines = stdout.split("\n").map((line) => line.trim().split(/ {2,}/).join("|"));
  expect(lines).toEqual([
    "Days of UTC",
    "agent|legs|recorded|none|cut|silent|short|coverage",
    "ana|1|1|0|0|0|0|100.0 %",
    "ben|2|0|1|0|1|0|0.0 %",
    "total|3|1|1|0|1|0|33.3 %",
    "",
  ]);
  expect(stderr).toBe("1 leg without a talk time is not counted.\n");
});

test("a target decides the exit code, and the list has the calls for recording --ids", async () => {
  const list = at("gaps.csv");
  const target = ["--by", "agent", "--target", "99.5"];
  const missed = await run("coverage", ...data, ...target, "--list", list);
  expect(missed).toMatchObject({ code: 1, stdout: expect.stringContaining("below 99.5 %") });
  const lines = (await readFile(list, "utf8")).trimEnd().split("\n");
  expect(lines.toSorted()).toEqual([
    "call_id,datetime,agent,what,seconds,talk_time",
    "three,2026-03-02T10:00:00Z,ben,none,,20",
    "two,2026-03-02T10:00:00Z,ben,silent,20,20",
  ]);
  const reached = await run("coverage", ...data, ...target, "--require", "agent=ANA");
  expect(reached).toMatchObject({ code: 0 });
  const nothing = await run("coverage", ...data, ...target, "--last", "1d");
  expect(nothing).toMatchObject({ code: 1, stdout: "No leg was counted.\n" });
});

test("JSON and CSV have the same numbers", async () => {
  const json = await run("coverage", ...data, "--format", "json", "--target", "50");
  const counts = { legs: 3, recorded: 1, none: 1, cut: 0, silent: 1, short: 0, coverage: 33.3 };
  expect(JSON.parse(json.stdout)).toEqual({
    timeZone: "UTC",
    target: 50,
    isReached: false,
    rows: [{ day: "2026-03-02", ...counts }],
    total: counts,
    untimed: 1,
    tooShort: 0,
    unheard: 0,
    damaged: [],
  });
  const csv = await run("coverage", ...data, "--format", "csv");
  expect(csv.stdout).toBe(
    "day,legs,recorded,none,cut,silent,short,coverage\n2026-03-02,3,1,1,0,1,0,33.3\n",
  );
});

test.each([
  [["--by", "queue"], "--by: records have no field queue"],
  [["--require", "media"], "must be a field and its value, such as media=voice"],
  [["--require", "colour=red"], "must be a field and its value"],
  [["--last", "0d"], "It must be a number of days or weeks"],
  [["--target", "101"], "per cent"],
  [["--from", "2026-02-30"], "It must be a day of the calendar"],
])("refused: %s", async (args, message) => {
  expect(await run("coverage", ...data, ...args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(message),
  });
});
