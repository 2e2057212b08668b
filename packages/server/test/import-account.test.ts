// What an import says of its rows, in one run and the next, and that nothing is left where nothing could be read.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runIn, startCommand } from "./support/command.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-import-account-"));
});
afterAll(() => rm(folder, { recursive: true }));

// Rejected rows are kept in the folder in which the command is run.
const run = (...args: readonly string[]) => runIn(folder, ...args);

test("an import of a path that is not there leaves no empty archive behind", async () => {
  const { code, stderr } = await run(
    "import",
    "--data",
    join(folder, "never"),
    "--format",
    "jsonl",
    "misspelt.jsonl",
  );
  expect([code, stderr]).toEqual([1, "call-media-server: misspelt.jsonl is not there\n"]);
  expect(await readdir(folder)).not.toContain("never");
});

test("an import accounts for every row, keeps the rejected ones, and can be run again", async () => {
  const archive = join(folder, "imported");
  await writeFile(
    join(folder, "calls.jsonl"),
    '{"kind":"call","call_id":"a","datetime":"2026-01-01T10:00:00"}\n{"kind":"call","colour":"red"}\nnot json\n',
  );
  const args = [
    "import",
    "--data",
    archive,
    "--format",
    "jsonl",
    "--timezone",
    "Europe/London",
    "calls.jsonl",
  ];
  const dry = await run(...args, "--dry-run");
  expect(dry.stdout).toMatch(
    /^Dry run, nothing was kept: read 3 = imported 1 \+ replaced 0 \+ unchanged 0 \+ rejected 2\n/,
  );
  expect((await run("user", "list", "--data", archive)).code).toBe(1);
  const first = await run(...args);
  expect(first.stdout).toMatch(
    /^read 3 = imported 1 \+ replaced 0 \+ unchanged 0 \+ rejected 2\n {2}calls\.jsonl:2: .*colour/,
  );
  expect(first.code).toBe(2);
  const [, rejectFile = ""] =
    /^Rejected rows: (rejected-rows-\S+\.jsonl)$/m.exec(first.stdout) ?? [];
  const rejected = (await readFile(join(folder, rejectFile), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rejected.map(({ line, raw }) => [line, raw])).toEqual([
    [2, '{"kind":"call","colour":"red"}'],
    [3, "not json"],
  ]);
  expect((await run(...args)).stdout).toMatch(
    /^read 3 = imported 0 \+ replaced 0 \+ unchanged 1 \+ rejected 2\n/,
  );
});

test("each run has a reject file of its own, and a clean one leaves none", async () => {
  const archive = join(folder, "several");
  await writeFile(join(folder, "bad.jsonl"), '{"kind":"call","colour":"red"}\n');
  await writeFile(join(folder, "good.jsonl"), '{"kind":"call","call_id":"a"}\n');
  const list = async () => (await readdir(folder)).filter((name) => name.startsWith("rejected-"));
  const before = await list();
  const args = ["import", "--data", archive, "bad.jsonl"];
  const [one, other] = [await run(...args), await run(...args)];
  const toFile = ({ stdout }: { stdout: string }) => /^Rejected rows: (\S+)$/m.exec(stdout)?.[1];
  expect(new Set(await list())).toEqual(new Set([...before, toFile(one), toFile(other)]));
  expect(toFile(one)).not.toBe(toFile(other));

  expect(await run("import", "--data", archive, "good.jsonl")).toMatchObject({ code: 0 });
  expect(await list()).toHaveLength(before.length + 2);
  const named = await run(...args, "--rejects", String(toFile(one)));
  expect(named).toMatchObject({ code: 1, stdout: "" });
  expect(named.stderr).toMatch(
    /^call-media-server: the reject file \S+ is there already[^\n]*\n$/m,
  );
});

test("runs that begin at once have a reject file each", async () => {
  await writeFile(join(folder, "bad.jsonl"), '{"kind":"call","colour":"red"}\n');
  const runs = ["left", "right"].map((archive) =>
    startCommand(["import", "--data", archive, "bad.jsonl"], { cwd: folder }),
  );
  const ended = await Promise.all(runs.map((one) => one.ended));
  const files = ended.map(({ stdout }) => /^Rejected rows: (\S+)$/m.exec(stdout)?.[1]);

  expect(ended.map(({ code }) => code)).toEqual([2, 2]);
  expect(new Set(files).size).toBe(2);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(files));
});

test("the summary has skipped and replaced rows, and recordings that are only named", async () => {
  const archive = join(folder, "told");
  const export1 = join(folder, "export");
  await mkdir(export1);
  const datetime = "2026-01-01T10:00:00";
  const call = (notes: string) => JSON.stringify({ kind: "call", call_id: "a", datetime, notes });
  const heard =
    '{"kind":"call","call_id":"b","datetime":"2026-01-01T10:00:00","media":[{"file":"b.wav"}]}';
  await writeFile(join(export1, "calls.jsonl"), [call("x"), call("y"), heard].join("\n"));
  await writeFile(join(export1, "job.json"), '{"job":1}');
  const args = [
    "import",
    "--data",
    archive,
    "--skip-unknown",
    "--missing-media",
    "name",
    "--timezone",
    "UTC",
    export1,
  ];
  const { code, stdout, stderr } = await run(...args);
  expect(stdout).toBe(
    [
      "read 3 = imported 2 + replaced 1 + unchanged 0 + rejected 0",
      "Replaced what the archive had of:",
      `  call a of ${datetime} (${join(export1, "calls.jsonl")}:2)`,
      "Skipped: 1 file of no known format",
      "1 row: the file of a recording was missing or empty, its name was kept",
      "warn shared-id: 1 row: the row takes the place of another row of its file, with the same call_id and moment, and says something else",
      `  ${join(export1, "calls.jsonl")}:2: call_id "a"`,
      '  If they are legs of a call, name what tells them apart, as "identity": ["{Leg}"] in the mapping.\n',
    ].join("\n"),
  );
  expect(stderr).toContain(`skipped: ${join(export1, "job.json")} is JSON, but its first record`);
  expect(code).toBe(0);
});

test("an erased call is named and left out until --restore-erased brings it back", async () => {
  const archive = join(folder, "purged");
  await writeFile(
    join(folder, "one.jsonl"),
    '{"kind":"call","call_id":"a","datetime":"2026-01-01T10:00:00"}\n',
  );
  const imports = (...options: string[]) =>
    run("import", "--data", archive, "--timezone", "UTC", "one.jsonl", ...options);
  await imports();
  expect(await run("purge", "--data", archive, "--call-id", "a", "--yes")).toMatchObject({
    code: 0,
  });

  const counts = "read 1 = imported 0 + replaced 0 + unchanged 0 + erased before 1 + rejected 0";
  const named =
    "Erased by a purge before, and left out (--restore-erased imports them again):\n  call a of 2026-01-01T10:00:00 (one.jsonl:1)";
  expect(await imports()).toMatchObject({ code: 0, stdout: `${counts}\n${named}\n` });
  expect(await imports("--restore-erased", "--dry-run")).toMatchObject({ code: 0 });
  expect(await imports("--restore-erased")).toMatchObject({
    code: 0,
    stdout:
      "read 1 = imported 1 + replaced 0 + unchanged 0 + rejected 0\n1 row: it was erased before, and is in the archive again\n",
  });
  const { stdout } = await run("audit", "--data", archive, "--call-id", "a", "--format", "jsonl");
  const rows = stdout
    .trim()
    .split("\n")
    .map((row): unknown => JSON.parse(row));
  expect(rows).toMatchObject([
    { operation: "purge", asked: { call_id: "a" }, outcome: "begun" },
    { operation: "purge", asked: { call_id: "a" }, found: { calls: 1 } },
    {
      operation: "purge",
      asked: { call_id: "a" },
      outcome: "done",
      counts: { calls: 1, chats: 0, files: 0, retained: 0 },
    },
    { operation: "import", asked: { restore_erased: true }, outcome: "begun" },
    { operation: "import", asked: { restoring: 1 }, callIds: ["a"], operator: expect.any(String) },
    { operation: "import", outcome: "done", counts: { imported: 1 } },
  ]);

  // An erasure by age says of a call when it went, and how; nobody has to confirm that nothing goes.
  await run("purge", "--data", archive, "--before", "2026-02-01", "--yes");
  const again = await run("purge", "--data", archive, "--call-id", "a");
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toMatch(
    /\nWhat had the call_id a was taken out on \S+Z by purge --before 2026-02-01\.\n$/,
  );
});

test("an import that breaks off leaves a row with what it did until then, in the log and in its text", async () => {
  const archive = join(folder, "broken-off");
  const good = Array.from({ length: 3_000 }, (_, id) => `{"kind":"call","call_id":"${id}"}\n`);
  const noise = randomBytes(100_000).toString("hex");
  const cut = gzipSync(good.join("") + noise).subarray(0, -50_000);
  await writeFile(join(folder, "cut.jsonl.gz"), cut);
  const args = ["--data", archive, "--format", "jsonl", "cut.jsonl.gz"];
  expect((await run("import", ...args)).stderr).toMatch(/is not a complete gzip file/);

  const data = ["--data", archive];
  const { stdout } = await run("audit", ...data, "--format", "jsonl");
  const rows = stdout
    .trim()
    .split("\n")
    .map((row): { run?: string } => JSON.parse(row));
  expect(rows).toMatchObject([
    { operation: "import", outcome: "begun" },
    {
      operation: "import",
      outcome: "failed",
      counts: { imported: 3_000, rejected: 0 },
    },
  ]);
  expect(rows[0]?.run).toBe(rows[1]?.run);
  expect((await run("audit", ...data)).stdout).toMatch(
    /\bimport .* begun\n.* failed: imported \d+, replaced 0, unchanged 0, erased before 0, rejected 0\n/,
  );
  const { stdout: csv } = await run("audit", ...data, "--format", "csv");
  expect(csv).toContain(",outcome,counts,run,");
  expect((await run("audit", "verify", ...data)).stdout).toContain(
    "It has the row that was noted last beside the recordings: row 2 of ",
  );
});
