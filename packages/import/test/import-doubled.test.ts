// What a source gives twice under one name, of which one value would be lost: rows and tables of that kind are refused by it.
import { writeFile } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const importLines = async (
  name: string,
  lines: readonly string[],
  options: Partial<ImportOptions> = {},
) => {
  const store = createArchive();
  const report = await importFiles({ store, paths: [await writeLines(name, lines)], ...options });
  return { store, report };
};

test.each<[text: string, key: string]>([
  ['{"kind":"call","call_id":"a","agent":"ann","agent":"bob"}', '"agent"'],
  ['{"kind" : "call", "agent" : "ann", "agent" : "bob"}', '"agent"'],
  ['{"kind" :"call","agent":"ann","agent":"bob"}', '"agent"'],
  ['{"kind":"call","agent":"ann","\\u0061gent":"bob"}', '"\\u0061gent"'],
  ['{"kind":"call","media":[{"file":"a","start":null},{"file":"b","file":"c"}]}', '"file"'],
  ['{"kind":"call","notes":"\\\\","agent":"\\"agent\\":","agent":"bob"}', '"agent"'],
])("of %s the key is named, and the rows beside it are imported", async (text, key) => {
  const good = '{"kind":"call","call_id":"b","notes":"\\"notes\\":","media":[]}';
  const { report } = await importLines("a.jsonl", [good, text], { format: "jsonl" });
  expect(report).toMatchObject({ imported: 1, rejected: 1 });
  expect(report.firstRejections).toMatchObject([
    { line: 2, reason: `an object has the key ${key} twice` },
  ]);
});

test("no other JSON is refused, whatever its keys and texts look like", async () => {
  const mappingFile = await writeLines("map.json", [{ fields: { agent: "{a}" }, optional: ["a"] }]);
  const text = fc.string({ unit: fc.constantFrom('"', ":", "\\", "{", "}", " ", "a") });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, text, fc.array(tie("value")), tie("record")),
    record: fc.dictionary(text, tie("value")),
  }));
  const records = fc.array(fc.dictionary(text, value), { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(records, async (given) => {
      const lines = given.map((record) => JSON.stringify(record));
      const { report } = await importLines("a.jsonl", lines, { format: "json", mappingFile });
      const reasons = report.firstRejections.map(({ reason }) => reason);
      expect(reasons.filter((reason) => reason.includes("twice"))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test("a vCon with a key twice is rejected, whole files and lines alike", async () => {
  const text = '{"uuid":"a","dialog":[],\n"parties":[{"tel":"1","tel":"2"}]}';
  const whole = await importLines("a.vcon", [text], { format: "vcon" });
  const lines = [text.replace("\n", ""), '{"uuid":"b","dialog":[],"parties":[]}'];
  const byLine = await importLines("a.jsonl", lines, { format: "vcon" });
  const reason = 'an object has the key "tel" twice';
  expect(whole.report.firstRejections).toMatchObject([{ line: 1, reason }]);
  expect(byLine.report.firstRejections).toMatchObject([{ line: 1, reason }]);
  expect(byLine.report.imported).toBe(1);
});

test("a mapping with a key twice is refused", async () => {
  const mappingFile = await writeLines("map.json", []);
  await writeFile(mappingFile, '{"kind":"call","fields":{"agent":"{a}","agent":"{b}"}}');
  await expect(
    importLines("a.jsonl", ['{"a":"1"}'], { format: "json", mappingFile }),
  ).rejects.toThrow(`the mapping ${mappingFile}: an object has the key "agent" twice`);
});

test("a table with two columns for what is read is refused by their names, with others not", async () => {
  const importTable = async (columns: string) =>
    await importLines("log.csv", [
      `CALL ID,TIMESTAMP,CAMPAIGN,${columns}`,
      '1,"Fri, 21 Aug 2026 09:00:06",Care,ann,bob',
    ]);
  await expect(importTable("AGENT,Agent")).rejects.toThrow(
    /log\.csv: its header has several columns for AGENT: AGENT, Agent; rename those that are not it$/,
  );
  await expect(importTable("Call_Id,x")).rejects.toThrow(
    "several columns for CALL ID: CALL ID, Call_Id",
  );
  expect((await importTable("Variable,Variable")).report).toMatchObject({ imported: 1 });
  expect((await importTable(",")).report).toMatchObject({ imported: 1 });
});
