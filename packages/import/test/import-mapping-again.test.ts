// A table that comes again by a mapping without a word of recordings: its calls keep those that they have.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const FIELDS = { call_id: "{id}", disposition: "{state}" };
const WITH_MEDIA = { fields: FIELDS, media: ["{file}"] };

test.each(["csv", "json"] as const)("%s", async (format) => {
  const { store, bring, found } = await createImport(format);
  await bring(WITH_MEDIA, "open");
  expect(await bring({ fields: FIELDS }, "closed")).toMatchObject({ replaced: 1 });
  expect(await found()).toEqual(["a.wav"]);
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([
    { disposition: "closed", recordings: "a.wav" },
  ]);
  expect(await bring(WITH_MEDIA, "closed")).toMatchObject({ unchanged: 1 });

  const named = { fields: { ...FIELDS, recordings: "{none}" } };
  expect(await bring(named, "closed")).toMatchObject({ rejected: 1 });
  expect(await found()).toEqual(["a.wav"]);
});

test.each([
  ["a table", "csv", { columns: ["id", "state", "none"] }],
  ["JSON", "json", { keys: ["id", "state", "none"] }],
] as const)("%s of a mapping that is a format", async (_, format, when) => {
  const { bring, found, write } = await createImport(format);
  await bring(WITH_MEDIA, "open");
  const record = { id: "7", state: "new", none: "" };
  const lines = [Object.keys(record).join(","), Object.values(record).join(",")];
  const sample = format === "csv" ? { text: lines } : { json: [record] };
  const samples = [
    { file: `s.${format}`, ...sample, expect: [{ call_id: "7", disposition: "new" }] },
  ];
  const own = { mapping: 2, name: "own", title: "Own", when, fields: FIELDS, samples };
  const mapsDirectory = dirname(await writeLines("own.json", [own]));
  expect(await write("closed", { mapsDirectory })).toMatchObject({ replaced: 1 });
  expect(await found()).toEqual(["a.wav"]);

  const adding = { fields: { notes: "{state}" }, media: ["{file}"] };
  const mappingFile = await writeLines("map.json", [adding]);
  const both = { mapsDirectory, mappingFile, format: "own" };
  expect(await write("closed", both)).toMatchObject({ replaced: 1 });
  expect(await found()).toEqual(["a.wav"]);
});

async function createImport(format: "csv" | "json") {
  const store = createArchive();
  const write = async (state: string, options: Partial<ImportOptions>) => {
    const record = { id: "1", state, file: "a.wav", none: "" };
    const lines = [Object.keys(record).join(","), Object.values(record).join(",")];
    const path = await writeLines(`table.${format}`, format === "csv" ? lines : [record]);
    await writeFile(join(dirname(path), "a.wav"), "sound");
    return await importFiles({ store, paths: [path], ...options });
  };
  const bring = async (mapping: object, state: string) =>
    await write(state, { format, mappingFile: await writeLines("map.json", [mapping]) });
  const found = async () =>
    (await store.calls.recordings({ callId: "1" }, "everything")).map(({ filename }) => filename);
  return { store, bring, found, write };
}
