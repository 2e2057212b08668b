// Exporting as an operator does it: a folder that is imported again, lines for other programs, what is said and when.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemo } from "../src/commands/demo-archive.ts";
import { run } from "./support/command.ts";

let folder: string;
let demo: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-export-"));
  demo = join(folder, "demo");
  await makeDemo(demo, "2026-11-01");
});
afterAll(() => rm(folder, { recursive: true }));

/** What tells two archives apart: the digests of calls with their recordings, chats, users and flags, in their order. */
function readArchive(directory: string): unknown[] {
  using database = new DatabaseSync(join(directory, "archive.db"), { readOnly: true });
  return [
    "SELECT digest FROM call ORDER BY id",
    "SELECT record FROM chat ORDER BY call_id, instant_ms, id",
    "SELECT record FROM user ORDER BY id",
    "SELECT record, user_id FROM flag ORDER BY id",
    "SELECT sha256, bytes FROM media ORDER BY sha256",
    "SELECT part, filename, start_ms, sha256, type FROM recording ORDER BY call, part",
  ].map((sql) => database.prepare(sql).all());
}

/** Imports an export into a folder, by the command that its account gives. */
function importAsSaid(account: string, into: string): ReturnType<typeof run> {
  const [, command = ""] = /: call-media-server (.*)$/m.exec(account) ?? [];
  const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  return run(...words.map((word) => (word === "DIR" ? into : word)));
}

test.each(["jsonl"])(
  "the demo archive as %s, imported as the account says, is the demo archive",
  async (format) => {
    const [out, again] = [join(folder, format), join(folder, `${format}-again`)];
    const exported = await run("export", "--data", demo, "--format", format, "--out", out);
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    const imported = await importAsSaid(exported.stdout, again);
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("rejected 0") });
    expect(readArchive(again)).toEqual(readArchive(demo));
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
  },
);

test.each(["jsonl"])(
  "an archive of nothing as %s, imported as the account says, is one again",
  async (format) => {
    const within = await mkdtemp(join(folder, "nothing-"));
    const [lines, from] = [join(within, "lines"), join(within, "from")];
    const [out, again] = [join(within, "out"), join(within, "again")];
    await writeFile(lines, "");
    const zone = ["--timezone", "Europe/London"];
    await run("import", "--data", from, ...zone, "--format", "jsonl", lines);
    const exported = await run("export", "--data", from, "--format", format, "--out", out);
    expect(await importAsSaid(exported.stdout, again)).toMatchObject({ code: 0, stderr: "" });
    expect(readArchive(again)).toEqual(readArchive(from));
    await using store = await openStore({ directory: again });
    expect(store.timeZone).toBe("Europe/London");
  },
);

test("without --out the lines go to standard output, and what is said to standard error", async () => {
  const days = ["--from", "2026-01-01", "--to", "2026-01-31"];
  const { code, stdout, stderr } = await run("export", "--data", demo, ...days);
  const count = (kind: string) => stdout.match(new RegExp(`^{"kind":"${kind}"`, "gm"))?.length ?? 0;
  expect(code).toBe(0);
  expect(count("call")).toBeGreaterThan(0);
  expect(stderr).toBe(
    `${count("call")} calls, ${count("chat")} chat messages, ${count("user")} users, ${count("flag")} flags, without recordings: these need --out with a folder.\n`,
  );
  for (const secret of ["secretKey", "hash"]) expect(stdout).not.toContain(secret);
});

test("recordings that are damaged are named, and the exit code is 2", async () => {
  const damaged = join(folder, "damaged");
  await run("backup", "--data", demo, "--to", damaged);
  const media = await readdir(join(damaged, "media"), { recursive: true, withFileTypes: true });
  const file = media.find((entry) => entry.isFile());
  if (file === undefined) throw new Error("the demo has no recordings");
  const path = join(file.parentPath, file.name);
  await writeFile(path, (await readFile(path)).fill(0));
  const { code, stdout, stderr } = await run(
    "export",
    "--data",
    damaged,
    "--out",
    join(folder, "partial"),
  );
  expect(code).toBe(2);
  expect(stderr).toMatch(/^not exported: \S+ of call_id [^\n]+: [^\n]+\n$/);
  expect(stdout).toContain(" calls, ");
});

test("a copy of an archive with a damaged record names it, and its exit code is 1", async () => {
  const within = await mkdtemp(join(folder, "flipped-"));
  const [data, out] = [join(within, "archive"), join(within, "out")];
  await writeFile(join(within, "calls.jsonl"), '{"kind":"call","call_id":"7","notes":"old"}\n');
  await run("import", "--data", data, join(within, "calls.jsonl"));
  const backUp = (name: string) => run("backup", "--data", data, "--to", join(within, name));
  expect(await backUp("good")).toMatchObject({ code: 0 });
  using database = new DatabaseSync(join(data, "archive.db"));
  database.exec("UPDATE call SET record = replace(record, 'old', 'odd')");

  const damaged = "damaged: call_id 7 is not what was imported\nRestore the last backup";
  const exported = await run("export", "--data", data, "--out", out);
  expect(exported).toMatchObject({ code: 1, stdout: "" });
  expect(exported.stderr).toContain(damaged);
  expect(exported.stderr).toContain("Nothing was exported: 1 row damaged.");
  const rest = await run("export", "--data", data, "--out", out, "--damaged", "skip");
  expect(rest).toMatchObject({ code: 2, stdout: expect.stringContaining("0 calls, ") });
  expect(rest.stderr).toContain("Left out, as damaged: 1 row.");
  const streamed = await run("export", "--data", data);
  expect(streamed).toMatchObject({ code: 1, stdout: "" });
  const moved = await run("migrate", "--from", data, "--data", join(within, "moved"));
  expect(moved).toMatchObject({ code: 1, stdout: expect.stringContaining(damaged) });
  expect(moved.stdout).not.toContain("are equal");
  const to = ["--data", join(within, "moved"), "--damaged", "skip"];
  expect(await run("migrate", "--from", data, ...to)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("Left out: 1 damaged row. The records of the two archives"),
  });
  expect(await backUp("new")).toMatchObject({ code: 1, stdout: expect.stringContaining(damaged) });
  expect(await backUp("good")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("call_id 7"),
  });
});

test("an impossible export is rejected in one line, and leaves nothing", async () => {
  const names = await readdir(folder);
  const faults: readonly (readonly [args: readonly string[], message: string])[] = [
    [["--data", join(folder, "nowhere")], "there is no archive in"],
    [["--data", demo, "--out", demo], "is not empty"],
    [["--data", demo, "--from", "2026-13-01"], 'from: "2026-13-01" is not a calendar day'],
  ];
  for (const [args, message] of faults) {
    const { code, stdout, stderr } = await run("export", ...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^call-media-server: [^\n]+\n$/);
    expect(stderr).toContain(message);
  }
  expect(await readdir(folder)).toEqual(names);
});
