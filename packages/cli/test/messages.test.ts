// How much a command says, where that is kept, who may read what it writes, and what of it takes the place of what.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { MARCH, readManifest, startExporting, toBytes } from "./support/exporting.ts";
import { run } from "./support/program.ts";

const BYTES = toBytes(3000);
const CALLS = [
  {
    call_id: "1",
    datetime: "2026-03-02T06:14:00Z",
    recordings: [{ filename: "a.wav", bytes: BYTES }],
  },
  { call_id: "2", datetime: "2026-03-03T06:14:00Z" },
];

const toMode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("--quiet leaves an export without a word, which the log has with every request", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const log = join(dirname(out), "nightly.log");
  const manner = ["--quiet", "--log-file", log];
  expect(await exportCalls(...MARCH, ...manner)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await runCommand("sync", out, ...manner)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await runCommand("verify", out, "--quiet")).toEqual({ code: 0, stdout: "", stderr: "" });
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;
  expect(lines.filter((line) => !time.test(line))).toEqual([]);
  const said = lines.map((line) => line.replace(time, ""));
  expect(said[0]).toMatch(/^call-media \S+: export --from 2026-03-01 /);
  expect(said).toContainEqual(
    expect.stringMatching(/^POST \/metadata\S*: 200 in \d+ ms, request /),
  );
  expect(said).toContainEqual(expect.stringMatching(/^complete: 2026-03-01 to 2026-03-31/));
  expect(said.filter((line) => line === "exit code 0")).toHaveLength(2);
  expect(await toMode(log)).toBe("600");
});

test("--quiet does not hide that something is missing, nor why a command failed", async () => {
  const { service, out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const operation = "getChatByCallId";
  const takeBack = service.inject({ kind: "status", operation, status: 403, times: 9 });
  const ended = await exportCalls(...MARCH, "--quiet");
  expect(ended).toMatchObject({ code: 3, stderr: "" });
  expect(ended.stdout).toMatch(/^incomplete: /);
  await writeFile(join(out, "stray"), "x");
  expect((await runCommand("verify", out, "--quiet")).stdout).toContain("stray is not in");
  takeBack();
  const log = join(dirname(out), "get.log");
  const { code, stdout, stderr } = await runCommand("get", "9", "--quiet", "--log-file", log);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("there is no call 9");
  expect(await readFile(log, "utf8")).toMatch(
    /Z call-media: there is no call 9.*\n.*exit code 1\n$/,
  );
});

test("--verbose says each request, without what was searched for", async () => {
  const { runCommand } = await startExporting({ calls: CALLS });
  const args = ["search", ...MARCH, "--agent", "+49301234", "--format", "jsonl", "--verbose"];
  const { stdout, stderr } = await runCommand(...args);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^POST \/metadata\/\S+: 200 in \d+ ms, request \S+$/m);
  expect(stderr).not.toContain("49301234");
  expect(await runCommand("whoami", "--quiet", "--verbose")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'--quiet' cannot be used with option '--verbose'"),
  });
  const folder = ["search", ...MARCH, "--log-file", "/nonexistent/x.log"];
  expect(await runCommand(...folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--log-file: nothing can be written in /nonexistent"),
  });
});

test.skipIf(process.platform === "win32")(
  "the group may read what is written, where asked",
  async () => {
    const { out, variables } = await startExporting({ calls: CALLS });
    const cwd = dirname(out);
    const runThere = (...args: string[]) => run([...args, "--group-readable"], variables, { cwd });
    await runThere("export", ...MARCH, "--out", out);
    const files = (await readManifest(out)).flatMap(({ file }) => file ?? []);
    expect(files).toHaveLength(2);
    for (const file of ["report.json", ...files]) expect(await toMode(join(out, file))).toBe("640");
    expect(await toMode(out)).toBe("750");
    await runThere("recording", "1", "--out", "call.wav");
    await runThere("search", ...MARCH, "--out", "calls.csv");
    await runThere("get", "1").then(({ code }) => expect(code).toBe(2)); // it writes no file
    for (const file of ["call.wav", "calls.csv"]) expect(await toMode(join(cwd, file))).toBe("640");
  },
);

test("a search goes into the file that is named, in the format of its name, whole or not at all", async () => {
  const { service, out, runCommand } = await startExporting({ calls: CALLS });
  await mkdir(out);
  const search = (name: string) => runCommand("search", ...MARCH, "--out", join(out, name));
  await writeFile(join(out, "real.csv"), "before", { mode: 0o644 });
  await symlink(join(out, "real.csv"), join(out, "calls.csv"));
  expect(await search("calls.csv")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await readFile(join(out, "real.csv"), "utf8")).toMatch(/^datetime,ani,.*\r\n2026-/);
  expect(await toMode(join(out, "real.csv"))).toBe("600");
  await search("calls.jsonl");
  expect((await readFile(join(out, "calls.jsonl"), "utf8")).trimEnd().split("\n")).toHaveLength(2);
  service.inject({ kind: "status", status: 403, times: 9 });
  expect(await search("calls.jsonl")).toMatchObject({ code: 1 });
  expect((await readFile(join(out, "calls.jsonl"), "utf8")).trimEnd().split("\n")).toHaveLength(2);
  expect((await readdir(out)).toSorted()).toEqual(["calls.csv", "calls.jsonl", "real.csv"]);
});

test("a recording goes to standard output when it is known to be whole", async () => {
  const { service, out, startCommand, runCommand } = await startExporting({ calls: CALLS });
  const { child, ended } = startCommand("recording", "1", "--out", "-");
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  expect(await ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^3,000 bytes, SHA/),
  });
  expect(new Uint8Array(Buffer.concat(chunks))).toEqual(BYTES);
  expect(await runCommand("recording", "1", "--out", "-", "--json")).toMatchObject({ code: 2 });
  service.inject({ kind: "wrong-digest", times: 9 });
  expect(await runCommand("recording", "1", "--out", "-")).toMatchObject({ code: 1, stdout: "" });
  expect(existsSync(out)).toBe(false);
});
