// A table that comes again by a mapping without a word of recordings: its calls keep those that they have.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/import/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const FIELDS = { call_id: "{id}", disposition: "{state}" };
const WITH_MEDIA = { kind: "call", fields: FIELDS, media: ["{file}"] };

test.each(["csv", "json"] as const)("%s", async (format) => {
  const { store, bring, found } = await createImport(format);
  await bring(WITH_MEDIA, "open");
  expect(await bring({ kind: "call", fields: FIELDS }, "closed")).toMatchObject({ imported: 1 });
  expect(await found()).toEqual(["a.wav"]);
  expect(await store.calls.byCallId("1", [])).toMatchObject([
    { disposition: "closed", recordings: "a.wav" },
  ]);
  expect(await bring(WITH_MEDIA, "closed")).toMatchObject({ unchanged: 1 });

  const named = { kind: "call", fields: { ...FIELDS, recordings: "{none}" } };
  expect(await bring(named, "closed")).toMatchObject({ imported: 1 });
  expect(await found()).toEqual([]);
});

test.each([
  [
    ["sold", "held"],
    ["sold null", "held b.wav"],
  ],
  [
    ["held", "sold"],
    ["sold null", "held b.wav"],
  ],
  [
    ["open", "sold"],
    ["open a.wav", "sold null"],
  ],
  [
    ["sold", "open"],
    ["open null", "sold null"],
  ],
  [
    ["open", "held"],
    ["open a.wav", "held b.wav"],
  ],
])("of rows that are recognised alike, %j has never another's", async (states, left) => {
  const store = await createArchive();
  const bring = async (rows: readonly string[], media: readonly string[]) => {
    const path = await writeLines("table.csv", ["id,state,file", ...rows]);
    for (const name of ["a.wav", "b.wav"]) await writeFile(join(dirname(path), name), name);
    const mappingFile = await writeLines("map.json", [{ kind: "call", fields: FIELDS, media }]);
    return await importFiles({ store, paths: [path], format: "csv", mappingFile });
  };
  await bring(["1,open,a.wav", "1,held,b.wav"], ["{file}"]);
  await bring(
    states.map((state) => `1,${state},`),
    [],
  );
  const calls = await store.calls.byCallId("1", []);
  const found = calls.map(({ disposition, recordings }) => `${disposition} ${recordings}`);
  expect(new Set(found)).toEqual(new Set(left));
});

async function createImport(format: "csv" | "json") {
  const store = await createArchive();
  const bring = async (mapping: object, state: string) => {
    const record = { id: "1", state, file: "a.wav", none: "" };
    const lines = [Object.keys(record).join(","), Object.values(record).join(",")];
    const path = await writeLines(`table.${format}`, format === "csv" ? lines : [record]);
    await writeFile(join(dirname(path), "a.wav"), "sound");
    const mappingFile = await writeLines("map.json", [mapping]);
    return await importFiles({ store, paths: [path], format, mappingFile });
  };
  const found = async () =>
    (await store.calls.recordings({ callId: "1" }, [])).map(({ filename }) => filename);
  return { store, bring, found };
}
