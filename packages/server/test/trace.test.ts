// `call-media-server trace`: where a call still is, from its import until nothing is left of it, and its exit codes.
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";

const folder = await mkdtemp(join(tmpdir(), "trace-"));
const data = ["--data", join(folder, "archive")];
const backups = join(folder, "backups");
const backUp = () => run("backup", ...data, "--to", backups, "--keep-days", "35");
const trace = (...args: readonly string[]) => run("trace", ...data, ...args);

beforeAll(async () => {
  const line = { kind: "call", call_id: "9", datetime: "2026-01-10T10:00:00Z", agent: "gespenst" };
  await writeFile(join(folder, "calls.jsonl"), `${JSON.stringify(line)}\n`);
  await run("import", ...data, join(folder, "calls.jsonl"));
  await backUp();
  for (const year of ["2025", "2026"])
    await run("export", ...data, "--out", join(folder, year), "--to", `${year}-12-31`);
});
afterAll(() => rm(folder, { recursive: true }));

test("a call is found until its last backup goes, and each place has its exit code", async () => {
  const there = await trace("--call-id", "9");
  expect(there.code).toBe(2);
  expect(there.stdout.trimEnd().split("\n")).toEqual([
    "here      1 record, 0 earlier states, 0 messages, 0 recordings (0 B)",
    expect.stringMatching(
      /^backups {3}\S+\/backups: 1 of 1 backup, the last goes with a backup after \S+Z$/,
    ),
    expect.stringMatching(/^ {10}\S+Z {2}1 record, 0 earlier states, 0 messages, 0 recordings/),
    expect.stringMatching(
      /^exports {3}\S+ by \S+ to \S+\/2026, the beginning to 2026-12-31: may have it$/,
    ),
  ]);
  expect(await trace("--text", "gespenst")).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^found {5}\S+archive\.db\n/),
  });

  await run("purge", ...data, "--call-id", "9", "--yes");
  const erased = await trace("--call-id", "9");
  expect(erased).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /^here {6}nothing\nerased {4}\S+ by \S+: \{"call_id":"9"\}\nledger {4}entry 1 of \S+ by \S+: erased\nlinked {4}not looked at: .*\nbackups .*: 1 of 1/,
    ),
  });

  const generation = (await readdir(backups)).find((name) => name.endsWith("Z")) ?? "";
  await backUp();
  await rename(join(backups, generation), `${backups}-went`);
  expect(await trace("--call-id", "9")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/backups {3}\S+: nothing\n/),
  });
  expect(await trace("--text", "gespenst")).toMatchObject({
    code: 0,
    stdout: "nowhere   not in any file of the archive, nor in 1 backup\n",
  });

  const left = join(backups, ".generation-abcdef");
  await rename(`${backups}-went`, left);
  expect(await trace("--call-id", "9")).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/\npartial {3}\S+archive\.db: 1 record, .*interrupted backup/),
  });
  await writeFile(join(left, "archive.db"), "half of one");
  expect(await trace("--call-id", "9")).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/\nunread {4}\S+archive\.db: cannot be read, and may have it\n/),
  });
  await rm(left, { recursive: true });

  await rename(backups, `${backups}-away`);
  const missed = /backups {3}\S+: cannot be read, and may have it\n/;
  for (const of of [
    ["--call-id", "9"],
    ["--text", "gespenst"],
  ])
    expect(await trace(...of)).toMatchObject({ code: 2, stdout: expect.stringMatching(missed) });
  await rename(`${backups}-away`, backups);
});

test("an unknown value and an invalid question have their own exit codes", async () => {
  expect(await trace("--call-id", "nobody")).toMatchObject({ code: 3 });
  expect(await trace("--sha256", "0".repeat(64))).toMatchObject({ code: 3 });
  for (const args of [
    [],
    ["--call-id", ""],
    ["--sha256", "0"],
    ["--call-id", "1", "--text", "a"],
    ["--text", "R1"],
  ])
    expect(await trace(...args)).toMatchObject({ code: 1, stdout: "" });
  expect((await trace("--text", "R1x")).stderr).toContain("4 bytes or more");
  const { stdout } = await trace("--call-id", "nobody", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ here: { records: 0 }, reads: 0 });
});
