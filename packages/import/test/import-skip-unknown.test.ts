// A folder in which other files lie beside the records: manifests, files of jobs.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, createFolder } from "./support/archives.ts";

const CALL = '{"kind":"call","call_id":"1"}';
const TABLE = "id,agent\n1,ann";
const MAPPING = JSON.stringify({ fields: { call_id: "{id}", agent: "{agent}" } });

const bring = async (files: Readonly<Record<string, string>>, options: Partial<ImportOptions>) => {
  const folder = await createFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const mappingFile = join(await createFolder(), "map.json");
  await writeFile(mappingFile, MAPPING);
  const store = createArchive();
  const given = { ...options, ...(options.mappingFile === undefined ? {} : { mappingFile }) };
  return await importFiles({ store, paths: [folder], ...given });
};

test.each<[what: string, files: Readonly<Record<string, string>>, options: Partial<ImportOptions>]>(
  [
    ["a format that is recognised", { "a.jsonl": CALL }, {}],
    ["a format that is named", { "a.jsonl": CALL }, { format: "jsonl" }],
    [
      "a table by its mapping",
      { "a.csv": TABLE, "b.csv": "job,state\n7,done" },
      { format: "csv", mappingFile: "" },
    ],
    ["JSON by its mapping", { "a.json": '[{"id":"1","agent":null}]' }, { mappingFile: "" }],
  ],
)("%s: what is none of it is left aside and listed", async (_, files, options) => {
  const others = { "job.json": '{"job":7,"state":"done"}', "manifest.jsonl": '{"files":["a"]}' };
  const report = await bring({ ...files, ...others }, { ...options, skipsUnknown: true });
  expect(report).toMatchObject({ read: 1, imported: 1 });
  const names = (report.skipped ?? []).map(({ file }) => file.replace(/^.*\//, ""));
  expect(names.length).toBeGreaterThan(0);
  for (const { reason } of report.skipped ?? [])
    expect(reason).toMatch(/no known format|its first record has none of|the file has no column/);
});

test("without the option nothing is written, and with nothing else it says why", async () => {
  const files = { "a.jsonl": CALL, "job.json": '{"job":7}' };
  await expect(bring(files, {})).rejects.toThrow(
    /job\.json is JSON, but its first record is that of no known format/,
  );
  await expect(bring({ "job.json": '{"job":7}' }, { skipsUnknown: true })).rejects.toThrow(
    /^no file is of a known format: .*job\.json is JSON/,
  );
});
