// What an import keeps in memory: neither what files say of recordings, which it has to read ahead, nor lines without a row.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createFolder, writeLines } from "./support/archives.ts";

// Together they are longer than what V8 may keep in memory.
const RECORDINGS = 15_000;
const CHARACTERS = 4_000;
const BLANK_LINES = 1_000_000;
const MEMORY_MIB = 40;

const IMPORT = `
  const { createStore } = await import("@call-media/store/sqlite");
  const { importFiles } = await import("@call-media/import");
  await using store = await createStore({ directory: process.argv[1] });
  const { read, imported } = await importFiles({ store, paths: process.argv.slice(2) });
  console.log(read, imported);
`;

test("recordings that belong to calls of another file do not have to fit into memory", async () => {
  const calls = { sid: "CA0", from: "1", to: "2", direction: "inbound" };
  const start_time = "Fri, 21 Aug 2026 09:00:06 +0000";
  const paths = [
    await writeLines("calls.json", [{ calls: [{ ...calls, start_time }] }]),
    await writeLines("recordings.jsonl", [...listRecordings()]),
  ];
  expect(await runImport(paths)).toBe(`${RECORDINGS} 1\n`);
});

test("nor do the blank lines of a table", async () => {
  const header = ["CALL ID,TIMESTAMP,CAMPAIGN", "\n".repeat(BLANK_LINES)];
  const path = await writeLines("log.csv", [...header, '1,"Fri, 21 Aug 2026 09:00:06",Care']);
  expect(await runImport([path])).toBe("1 1\n");
});

async function runImport(paths: readonly string[]): Promise<string> {
  const limit = `--max-old-space-size=${MEMORY_MIB}`;
  const script = ["--input-type=module", "--eval", IMPORT];
  const folder = await createFolder();
  const run = promisify(execFile)(process.execPath, [limit, ...script, folder, ...paths], {
    cwd: import.meta.dirname,
  });
  return (await run).stdout;
}

// One belongs to the call, the others to calls that do not come with it.
function* listRecordings(): Generator<object> {
  const recording = { source: "RecordVerb", channels: 1, note: "x".repeat(CHARACTERS) };
  for (let index = 0; index < RECORDINGS; index += 1)
    yield { sid: `RE${index}`, call_sid: `CA${index}`, ...recording };
}
