// `call-media-server import`: what it says of the files, and the options of single formats.
import { mkdtemp, readdir, readFile, rm, writeFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStore } from "@call-media/store/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { runIn } from "./support/command.ts";

const FIVE9 = 'CALL ID,TIMESTAMP,CAMPAIGN\n1,"Fri, 21 Aug 2026 09:00:06",Care\n';

test("says on standard error what each file is, and files alike in one line", async () => {
  const folder = await createFolder({
    "a.jsonl": '{"kind":"call","call_id":"a","datetime":"2026-01-01T10:00:00"}',
    "b.jsonl": '{"kind":"call","call_id":"b","datetime":"2026-01-01T10:00:00"}',
    "log.csv": FIVE9,
  });
  const { stdout, stderr } = await run(folder, "--timezone", "UTC", ".");
  expect(stdout).toMatch(/^read 3 = imported 3 \+ replaced 0 \+ unchanged 0 \+ rejected 0\n/);
  expect(stdout).not.toContain("warn"); // a log leaves out the columns that nobody asked for
  expect(stderr).toBe(
    "a.jsonl and 1 more: the archive's own format (its first line is an object of kind call)\n" +
      "log.csv: Five9 call log (header has CALL ID, TIMESTAMP, CAMPAIGN; 3 columns)\n",
  );
});

test("a file of no known format ends it before an archive is filled", async () => {
  const folder = await createFolder({ "a.jsonl": '{"kind":"call"}', "b.csv": "x,y\n" });
  expect(await run(folder, ".")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^call-media-server: b\.csv begins with "x,y", which shows no known format: name its format \(--format jsonl, /,
    ),
  });
});

const SPOILT = {
  "map.json": '{"kind":"call","fields":{"call_id":"{id}","talk_time":"{length}"}}',
  "log.csv": "id,length\n3E+14,90\n3E+14,91\n",
};

test("a doubt stops it with 4 before there is an archive, and says what to do", async () => {
  const folder = await createFolder(SPOILT);
  const stopped = await run(folder, "--map", "map.json", "log.csv");
  expect(stopped).toMatchObject({ code: 4, stdout: "" });
  expect(stopped.stderr).toMatch(
    /^STOP ids: 2 rows: .*\n {2}log\.csv:2: call_id "3E\+14"\n {2}log\.csv:3: .*\n {2}Export .*: --allow ids$/m,
  );
  expect(stopped.stderr).toMatch(/\nNothing was written\.\n$/);
  expect(await readdir(folder)).not.toContain("archive");
});

test("--suggest prints a mapping that an import stops at until its guesses are gone", async () => {
  const log = "Call ID,Start Time,Agent\n1,2026-08-21T09:00:00Z,ann\n";
  const folder = await createFolder({ "log.csv": log });
  const { code, stdout } = await run(folder, "--suggest", "log.csv");
  expect(code).toBe(0);
  const { guess, ...mapping } = JSON.parse(stdout);
  expect(mapping.fields).toMatchObject({ call_id: "{Call ID}", agent: "{Agent}" });
  await writeFile(join(folder, "begun.json"), stdout);
  expect(await run(folder, "--map", "begun.json", "log.csv")).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      new RegExp(`^STOP guess: ${guess.length} (?!.*--allow).*remove its key "guess"[.]$`, "ms"),
    ),
  });
  expect(await readdir(folder)).not.toContain("archive");
  await writeFile(join(folder, "map.json"), JSON.stringify(mapping));
  expect(await run(folder, "--map", "map.json", "log.csv")).toMatchObject({ code: 0 });
  expect(await run(folder, "--suggest", "log.csv", "map.json")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--suggest reads one file"),
  });
});

test("--explain shows fields, their first values and templates, and what an import would stop at", async () => {
  const folder = await createFolder({
    ...SPOILT,
    "log.csv": "id,length,notes\n3E+14,90,x\n2,soon,x\n",
  });
  const { code, stdout } = await run(folder, "--map", "map.json", "--explain", "log.csv");
  expect(code).toBe(4);
  expect(stdout).toMatch(
    /^log\.csv\n.*\n {2}call_id +3E\+14 +- +\{id\}\n {2}talk_time +90 +- +\{length\}\n/,
  );
  expect(stdout).toMatch(
    /\n {2}not read: notes\n {2}rows 2, rejected 1\n {4}log\.csv:3: talk_time: "soon" .*\nSTOP ids: 1 row: /,
  );
  expect(stdout).toMatch(/\nAn import would stop, and write nothing\.\n$/);
  expect((await readdir(folder)).toSorted()).toEqual(["log.csv", "map.json"]);
});

test("--explain exits like an import: 2 if rows are invalid records, else 0", async () => {
  const folder = await createFolder({ ...SPOILT, "log.csv": "id,length\n1,90\n2,soon\n" });
  const explain = ["--map", "map.json", "--explain", "log.csv"];
  const faulty = await run(folder, ...explain);
  expect(faulty).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/\nNothing is in doubt\.\n$/),
  });
  await writeFile(join(folder, "log.csv"), "id,length\n1,90\n");
  expect(await run(folder, ...explain)).toMatchObject({ code: 0 });
});

test("a column that a mapping names and no file has is in doubt as well", async () => {
  const folder = await createFolder({ ...SPOILT, "log.csv": "id,lenght\n1,90\n" });
  const stopped = await run(folder, "--map", "map.json", "log.csv");
  expect(stopped).toMatchObject({ code: 4, stdout: "" });
  expect(stopped.stderr).toMatch(
    /\nSTOP empty: 1 name: .*\n {2}log\.csv: fields\.talk_time: the file has no column "length", but "lenght"\n {2}log\.csv has id, lenght\. Correct .*"optional": \["length"\].*--allow empty\nNothing was written\.\n$/,
  );
  expect(await run(folder, "--map", "map.json", "--explain", "log.csv")).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^STOP empty: 1 name: [^]*\nAn import would stop, /),
  });
  expect((await readdir(folder)).toSorted()).toEqual(["log.csv", "map.json"]);
  expect(await run(folder, "--map", "map.json", "--allow", "empty", "log.csv")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^read 1 = imported 1 [^]*\nwarn empty: 1 name: /),
  });
});

test("a doubt that is allowed is said, and kept in the access log", async () => {
  const folder = await createFolder(SPOILT);
  const allowed = await run(folder, "--map", "map.json", "--allow", "ids,shared-id", "log.csv");
  expect(allowed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("\nwarn ids: 2 rows: "),
  });
  const { stdout } = await runIn(folder, "audit", "--data", "archive");
  expect(stdout).toContain('allowed=["ids","shared-id"]');
});

test("a doubt that shows late ends it with 4, with all rows written", async () => {
  const rows = Array.from({ length: 1_000 }, (_, id) => `${id},90\n`).join("");
  const late = `id,length\n${rows}3E+14,90\n`;
  const folder = await createFolder({ ...SPOILT, "log.csv": late });
  const { code, stdout } = await run(folder, "--map", "map.json", "log.csv");
  expect(code).toBe(4);
  expect(stdout).toMatch(/^read 1,001 = imported 1,001 /);
  expect(stdout).toMatch(/\nSTOP ids: 1 row: [^]*\nAll rows were written: /);
});

test("times without an offset need a time zone, which the archive then has", async () => {
  const folder = await createFolder({ "log.csv": FIVE9 });
  const stopped = await run(folder, "log.csv");
  expect(stopped).toMatchObject({ code: 4, stdout: "" });
  expect(stopped.stderr).toMatch(
    /\nSTOP zone: 1 row: [^]*"2026-08-21T09:00:06"[^]*--timezone Europe/,
  );
  expect(await readdir(folder)).toEqual(["log.csv"]);
  expect(await run(folder, "--timezone", "Europe/London", "log.csv")).toMatchObject({ code: 0 });
  expect(await run(folder, "log.csv")).toMatchObject({ code: 0 });
});

test("a region is its time zone, and settles that of a new archive", async () => {
  const folder = await createFolder({ "log.csv": FIVE9 });
  await run(folder, "--region", "UK", "log.csv");
  await using store = await createStore({ directory: join(folder, "archive") });
  expect(store.timeZone).toBe("Europe/London");
});

test("--layout, --filename-template and --map reach the format that takes them", async () => {
  const folder = await createFolder({
    "own.csv": "2026-08-21 09:00:06,1001,2002,x\n",
    "log.csv": FIVE9,
    "1.wav": "sound",
    "map.json": '{"kind":"call","fields":{"custom_field_1":"{other}"}}',
  });
  const layout = "start,src,dst,other";
  await run(
    folder,
    "--format",
    "asterisk",
    "--layout",
    layout,
    "--map",
    "map.json",
    "--timezone",
    "UTC",
    "own.csv",
  );
  await run(folder, "--filename-template", "{call_id}", "log.csv");
  await using store = await createStore({ directory: join(folder, "archive") });
  const search = {
    filter: { custom_field_1: "x" },
    startDate: "2026-08-21",
    endDate: "2026-08-21",
  };
  const page = await store.calls.search({
    ...search,
    pageIndex: 0,
    visibility: "everything",
    isCounted: false,
  });
  expect(page.records).toMatchObject([{ ani: "1001", dnis: "2002" }]);
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([{ recordings: "1.wav" }]);
});

test.each([
  [
    ["--region", "US", "--timezone", "UTC", "a.jsonl"],
    "cannot be used with option '--timezone <zone>'",
  ],
  [
    ["--allow", "ids,idz", "a.jsonl"],
    '"idz" is not one of empty, no-rows, columns:FIELD, zone, zone-names, ',
  ],
  [["--allow", "ids,columns", "a.jsonl"], "for one field each, such as columns:skill"],
  [["--allow", "columns:skil", "a.jsonl"], "for one field each, such as columns:skill"],
  [["--allow", "guess", "a.jsonl"], 'remove the key "guess" of the mapping'],
  [["--region", "FR", "a.jsonl"], "Allowed choices are US, CA, UK, DE."],
  [["--layout", "csv", "a.jsonl"], "jsonl takes no layout"],
])("%j is refused", async (args, fault) => {
  const folder = await createFolder({ "a.jsonl": '{"kind":"call"}' });
  expect(await run(folder, ...args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(fault),
  });
});

test("--state imports what is new, leaves aside what a doubt stops, and tells Prometheus", async () => {
  const folder = await createFolder({
    "map.json": SPOILT["map.json"],
    "good.csv": "id,length\n1,90\n",
    "spoilt.csv": SPOILT["log.csv"],
  });
  const files = ["good.csv", "spoilt.csv"];
  const args = ["--map", "map.json", "--state", "state/s.jsonl", "--settle", "0", "--metrics", "m"];
  const first = await run(folder, ...args, ...files);
  expect(first).toMatchObject({ code: 4, stderr: expect.stringContaining("STOP ids: 2 rows") });
  expect(first.stdout).toMatch(
    /^good\.csv:\nread 1 = imported 1 .*\n[^]*2 files read, 1 left aside\.\n {2}spoilt\.csv: ids: /,
  );
  const second = await run(folder, ...args, ...files);
  expect(second.stdout).toMatch(/^0 files read, 1 left aside\.\n/);
  expect(second).toMatchObject({ code: 4, stderr: "" });
  const metrics = await readFile(join(folder, "m"), "utf8");
  expect(metrics).toContain('call_media_import_run_files{state="stopped"} 1\n');
  expect(metrics).toContain('call_media_import_run_rows{outcome="imported"} 1\n');
  // Another mapping may read it.
  const allowed = await run(folder, ...args, "--allow", "ids,shared-id", ...files);
  expect(allowed.stdout).toContain("1 file read, 0 left aside.");
  expect(allowed.code).toBe(0);
  // Another archive has none of them.
  await rename(join(folder, "archive"), join(folder, "moved"));
  const anew = await run(folder, ...args, "--allow", "ids,shared-id", ...files);
  expect(anew.stdout).toContain("2 files read, 0 left aside.");
  const rest = await run(folder, ...args, "--allow", "ids,shared-id", ...files);
  expect(rest.stdout).toMatch(/^0 files read, 0 left aside\.\n/);
});

test("--state counts the recordings with a fault of their sound", async () => {
  const folder = await createFolder({
    "a.jsonl": '{"kind":"call","call_id":"1","media":[{"file":"page.wav"}]}\n',
    "page.wav": "<!doctype html><title>Sign in</title>",
  });
  const args = ["--state", "state/s.jsonl", "--settle", "0", "--metrics", "m", "a.jsonl"];
  for (const read of ["1 file", "0 files"]) {
    expect((await run(folder, ...args)).stdout).toContain(`${read} read`);
    const metrics = await readFile(join(folder, "m"), "utf8");
    expect(metrics).toContain('call_media_import_run_faulty_recordings{fault="not-sound"} 1\n');
    expect(metrics).toContain('call_media_import_run_faulty_recordings{fault="silent"} 0\n');
  }
});

test("--state: a doubt that appears late is reported once, and its file is not set aside", async () => {
  const rows = Array.from({ length: 1_000 }, (_, id) => `${id + 1},90\n`);
  const folder = await createFolder({
    "map.json": SPOILT["map.json"],
    "late.csv": `id,length\n${rows.join("")}3E+14,90\n`,
  });
  const args = ["--map", "map.json", "--state", "state/s.jsonl", "--settle", "0", "late.csv"];
  const first = await run(folder, ...args);
  expect(first).toMatchObject({ code: 4, stdout: expect.stringContaining("STOP ids: 1 row") });
  expect(first.stdout).toContain("1 file read, 0 left aside.");
  const second = await run(folder, ...args);
  expect(second).toMatchObject({ code: 0, stdout: "0 files read, 0 left aside.\n" });
});

async function createFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-import-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const run = (folder: string, ...args: readonly string[]) =>
  runIn(folder, "import", "--data", "archive", ...args);
