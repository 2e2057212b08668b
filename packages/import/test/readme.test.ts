// The examples of README.md and FORMATS.md work as they stand.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FORMATS, importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

test("the lines of jsonl and the mapping of csv are imported", async () => {
  const store = createArchive();
  const [lines = ""] = await readExamples("FORMATS.md");
  const [mapping = ""] = await readExamples("README.md");
  const jsonl = await writeLines("archive.jsonl", [lines]);
  await mkdir(join(dirname(jsonl), "2026/08/21"), { recursive: true });
  await writeFile(join(dirname(jsonl), "2026/08/21/1.wav"), "sound");
  const columns =
    "CALL ID,TIMESTAMP,CAMPAIGN,AGENT FIRST NAME,AGENT LAST NAME,TALK TIME,ANI,SESSION ID,RECORDING PATH";
  const csv = await writeLines("log.csv", [
    columns,
    '2,"Fri, 21 Aug 2026 09:00:06",[None],Ann,Lee,00:02:03,+1415,S,',
  ]);

  const ofJsonl = await importFiles({ store, paths: [jsonl], format: "jsonl" });
  const ofCsv = await importFiles({
    store,
    paths: [csv],
    format: "csv",
    mappingFile: await writeLines("map.json", [mapping]),
  });

  expect([ofJsonl, ofCsv]).toMatchObject([
    { read: 4, imported: 4 },
    { read: 1, imported: 1 },
  ]);
  expect((await store.calls.byCallId("300000000000001", "everything"))[0]).toMatchObject({
    media: "voice",
    recordings: "1.wav",
  });
  expect(await store.calls.byReference("S", "everything")).toMatchObject([
    { datetime: "2026-08-21T09:00:06", campaign: null, agent_name: "Ann Lee", talk_time: 123 },
  ]);
});

test("the mapping of json is imported", async () => {
  const store = createArchive();
  const [, mapping = ""] = await readExamples("FORMATS.md");
  const call = { id: 7, started_ms: 1_746_093_600_000, offered_to: [{ login: "ann" }] };
  const report = await importFiles({
    store,
    paths: [await writeLines("calls.json", [{ answer: { calls: [call] } }])],
    mappingFile: await writeLines("map.json", [mapping]),
  });
  expect(report).toMatchObject({ read: 1, imported: 1 });
  expect(await store.calls.byCallId("7", "everything")).toMatchObject([
    { datetime: "2025-05-01T10:00:00Z", agent: "ann" },
  ]);
});

test("the table of formats has each that an import reads", async () => {
  const rows = (await readDocument("README.md")).match(/^\| `.*/gm) ?? [];
  const names = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(.+?)`/g)]);
  const listed = new Set(names.map(([, name]) => name));
  expect(FORMATS.filter(({ name }) => !listed.has(name))).toEqual([]);
});

const readDocument = (name: string) => readFile(new URL(`../${name}`, import.meta.url), "utf8");

async function readExamples(name: string): Promise<string[]> {
  const found = (await readDocument(name)).matchAll(/```json\n(.*?)```/gs);
  return [...found].map(([, example = ""]) => example);
}
