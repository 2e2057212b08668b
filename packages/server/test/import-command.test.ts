// `call-media-server import`: what it says of the files, and the options of single formats.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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
  const { stdout, stderr } = await run(folder, ".");
  expect(stdout).toBe("read 3 = imported 3 + replaced 0 + unchanged 0 + rejected 0\n");
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
  await run(folder, "--format", "asterisk", "--layout", layout, "--map", "map.json", "own.csv");
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
  [["--region", "FR", "a.jsonl"], "Allowed choices are US, CA, UK, DE."],
  [["--layout", "csv", "a.jsonl"], "jsonl takes no layout"],
])("%j is refused", async (args, fault) => {
  const folder = await createFolder({ "a.jsonl": '{"kind":"call"}' });
  expect(await run(folder, ...args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(fault),
  });
});

async function createFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-import-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const run = (folder: string, ...args: readonly string[]) =>
  runIn(folder, "import", "--data", "archive", ...args);
