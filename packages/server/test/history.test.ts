// `call-media-server history`: what a record said before it was replaced, who replaced it, and its exit codes.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { run } from "./support/command.ts";

const folder = await mkdtemp(join(tmpdir(), "history-"));
const archive = join(folder, "archive");
const data = ["--data", archive];

async function importLine(name: string, fields: object): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, `${JSON.stringify({ kind: "call", call_id: "9", ...fields })}\n`);
  await run("import", ...data, file);
}

beforeAll(async () => {
  const datetime = "2026-01-10T10:00:00Z";
  await importLine("first.jsonl", { datetime, disposition_notes: "first text" });
  await importLine("second.jsonl", { datetime, disposition_notes: "second text" });
  await importLine("other.jsonl", { datetime, call_id: "10" });
  await run("user", "add", "mia", ...data);
  await run("user", "set", "mia", "title=Judge", ...data);
});
afterAll(() => rm(folder, { recursive: true }));

test("each change has its time, its command and who ran it", async () => {
  const { code, stdout } = await run("history", ...data, "--call-id", "9");
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toEqual([
    "call_id 9: 1 record, 1 earlier state",
    expect.stringMatching(/^\S+Z {2}import by \S+ {2}brought it$/),
    expect.stringMatching(
      /^\S+Z {2}import by \S+ {2}disposition_notes: "first text" -> "second text"$/,
    ),
  ]);
});

test("whole states are JSON, one a line, the newest first", async () => {
  const { stdout } = await run("history", ...data, "--call-id", "9", "--json");
  const states = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(states).toMatchObject([
    { current: true, replaced: null, state: { record: { disposition_notes: "second text" } } },
    { current: false, brought: { command: "import" }, state: { record: { call_id: "9" } } },
  ]);
});

test("a user has a history, and the access log has the commands of a call", async () => {
  const { stdout } = await run("history", ...data, "--user", "mia");
  expect(stdout).toMatch(/ user set by \S+ {2}title: .* -> "Judge"\n/);
  const audit = await run("audit", ...data, "--call-id", "9", "--format", "jsonl");
  const rows = audit.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { operation: string; asked: { files?: string[] } });
  const files = rows.flatMap(({ asked }) => asked.files ?? []);
  expect(new Set(files.map((file) => file.replace(/^.*\//, "")))).toEqual(
    new Set(["first.jsonl", "second.jsonl"]),
  );
});

test("each removed or added recording has its line", async () => {
  const map = { fields: { call_id: "{id}" }, media: ["{file}"] };
  await writeFile(join(folder, "map.json"), JSON.stringify(map));
  for (const name of ["heard.ulaw", "heard.gsm"]) {
    await writeFile(join(folder, name), `sound of ${name}`);
    await writeFile(join(folder, "heard.csv"), `id,file\nheard,${name}\n`);
    await run("import", ...data, "--map", join(folder, "map.json"), join(folder, "heard.csv"));
  }
  const { stdout } = await run("history", ...data, "--call-id", "heard");
  const [, , ...changes] = stdout.trimEnd().split("\n");
  expect(changes.map((line) => line.replace(/^\S+ {2}import by \S+ {2}/, ""))).toEqual([
    'recordings: "heard.ulaw" -> "heard.gsm"',
    expect.stringMatching(/^recording removed: "heard\.ulaw", \S+, SHA-256 [0-9a-f]{64}$/),
    expect.stringMatching(/^recording added: "heard\.gsm", \S+, SHA-256 [0-9a-f]{64}$/),
  ]);
});

test("an unknown call, an erased call and a damaged state have their own exit codes", async () => {
  expect(await run("history", ...data, "--call-id", "none")).toMatchObject({ code: 3 });
  expect(await run("history", ...data)).toMatchObject({ code: 1 });
  await run("purge", ...data, "--call-id", "10", "--yes");
  expect(await run("history", ...data, "--call-id", "10")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^What had the call_id 10 was taken out on /),
  });
  {
    using database = new DatabaseSync(join(archive, "archive.db"));
    database.exec("UPDATE version SET was = replace(was, 'first', 'other')");
  }
  const damaged = await run("history", ...data, "--call-id", "9");
  expect(damaged).toMatchObject({ code: 2, stdout: expect.stringContaining("is damaged") });
});

test("--at prints the complete state at the end of a day", async () => {
  const past = join(folder, "past");
  const own = ["--data", past];
  const file = join(folder, "past.jsonl");
  const bring = async (notes: string, atMs: number) => {
    const clock = vi.spyOn(Date, "now").mockReturnValue(atMs);
    const call = { kind: "call", call_id: "9", datetime: "2026-01-10T10:00:00Z", notes };
    await writeFile(file, JSON.stringify(call));
    await run("import", ...own, file).finally(() => clock.mockRestore());
  };
  await bring("first", Date.UTC(2026, 1, 1, 12));
  await bring("second", Date.UTC(2026, 1, 5, 12));
  const ask = (day: string, ...args: string[]) =>
    run("history", ...own, "--call-id", "9", "--at", day, ...args);

  expect(await ask("2026-01-31")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("the archive had no call_id 9 at the end of 2026-01-31"),
  });
  expect((await ask("2026-02-04")).stdout).toMatch(
    /^call_id 9, at the end of 2026-02-04: 1 record\n2026-02-01T12[^\n]* {2}brought it\n[^]*notes: "first"/,
  );
  expect((await ask("2026-02-05")).stdout).toMatch(
    /: 1 record\n2026-02-05T12[^\n]* {2}replaced an earlier state\n[^]*notes: "second"/,
  );
  const of = async (day: string) => {
    const lines = (await ask(day, "--json")).stdout.trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { state: { record: object } }).state.record);
  };
  expect(await of("2026-02-01")).toMatchObject([{ notes: "first" }]);
  expect(await of("2026-02-05")).toMatchObject([{ notes: "second" }]);
  expect(await ask("2026-02-30")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--at: "2026-02-30" is not a calendar day'),
  });
});

test("an export has the earlier states in a separate file, which an import does not read", async () => {
  const own = ["--data", join(folder, "exported")];
  const file = join(folder, "exported.jsonl");
  for (const notes of ["first", "second"]) {
    await writeFile(file, JSON.stringify({ kind: "call", call_id: "9", notes }));
    await run("import", ...own, file);
  }
  await run("user", "add", "mia", ...own);
  await run("user", "set", "mia", "title=Judge", ...own);
  const out = join(folder, "export");
  const { code, stdout } = await run("export", ...own, "--out", out, "--with-history");
  expect(code).toBe(0);
  expect(stdout).toContain(", 2 earlier states in ");
  const lines = (await readFile(join(out, "history.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { of: "user 1", current: false, replaced: { command: "user set" } },
    { of: "call 9", current: false, state: { record: { notes: "first" } } },
  ]);
  const manifest = JSON.parse(await readFile(join(out, "export.manifest"), "utf8")) as object;
  expect(manifest).toMatchObject({ states: 2, files: { "history.jsonl": { lines: 2 } } });
  const again = await run("import", "--data", join(folder, "again"), out);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("read 2 = imported 2 ") });
  expect(again.stdout + again.stderr).not.toContain("history.jsonl");
  expect(await run("export", ...own, "--with-history")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--out with a folder"),
  });
});
