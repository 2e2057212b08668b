// A table that comes again by a mapping without a word of recordings: its calls keep those that they have.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const FIELDS = { call_id: "{id}", disposition: "{state}" };
const WITH_MEDIA = { kind: "call", fields: FIELDS, media: ["{file}"] };

test.each(["csv", "json"] as const)("%s", async (format) => {
  const { store, bring, found } = await createImport(format);
  await bring(WITH_MEDIA, "open");
  expect(await bring({ kind: "call", fields: FIELDS }, "closed")).toMatchObject({ replaced: 1 });
  expect(await found()).toEqual(["a.wav"]);
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([
    { disposition: "closed", recordings: "a.wav" },
  ]);
  expect(await bring(WITH_MEDIA, "closed")).toMatchObject({ unchanged: 1 });

  const named = { kind: "call", fields: { ...FIELDS, recordings: "{none}" } };
  expect(await bring(named, "closed")).toMatchObject({ rejected: 1 });
  expect(await found()).toEqual(["a.wav"]);
});

async function createImport(format: "csv" | "json") {
  const store = createArchive();
  const bring = async (mapping: object, state: string) => {
    const record = { id: "1", state, file: "a.wav", none: "" };
    const lines = [Object.keys(record).join(","), Object.values(record).join(",")];
    const path = await writeLines(`table.${format}`, format === "csv" ? lines : [record]);
    await writeFile(join(dirname(path), "a.wav"), "sound");
    const mappingFile = await writeLines("map.json", [mapping]);
    return await importFiles({ store, paths: [path], format, mappingFile });
  };
  const found = async () =>
    (await store.calls.recordings({ callId: "1" }, "everything")).map(({ filename }) => filename);
  return { store, bring, found };
}
