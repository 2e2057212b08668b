// Letters with marks have two forms in Unicode. Files that come from macOS often have the other one than what names them.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";

const NAME = "Müller";
const FORMS = [
  ["NFC", "NFD"],
  ["NFD", "NFC"],
] as const;

test.each(FORMS)("a recording that is named in %s is found in %s", async (given, onDisk) => {
  const store = createArchive();
  const folder = await createFolder();
  const file = `${NAME}/${NAME}.wav`;
  await mkdir(join(folder, NAME.normalize(onDisk)));
  await writeFile(join(folder, file.normalize(onDisk)), "sound");
  const call = { kind: "call", call_id: "1", media: [{ file: file.normalize(given) }] };
  const paths = [await writeLines("a.jsonl", [call])];

  expect(await importFiles({ store, paths, mediaDirectory: folder })).toMatchObject({
    imported: 1,
  });
  expect(await store.calls.recordings({ callId: "1" }, "everything")).toMatchObject([
    { filename: `${NAME}.wav`.normalize(given) },
  ]);
});

test.each(FORMS)("a log of Five9 in %s has its recordings in %s", async (given, onDisk) => {
  const store = createArchive();
  const folder = await createFolder();
  const name = `${NAME}__1.wav`.normalize(onDisk);
  await writeFile(join(folder, name), "sound");
  const line = `1,"Fri, 21 Aug 2026 09:00:06",Care,${NAME.normalize(given)}`;
  const log = await writeLines("log.csv", ["CALL ID,TIMESTAMP,CAMPAIGN,AGENT", line]);
  const options = { store, paths: [log], mediaDirectory: folder };
  await importFiles({ ...options, filenameTemplate: "{agent_id}__{call_id}" });

  expect(await store.calls.recordings({ callId: "1" }, "everything")).toMatchObject([
    { filename: name },
  ]);
  expect(await importFiles(options)).toMatchObject({ unchanged: 1 });
});

test.each(FORMS)("a mapping in %s finds a column in %s", async (given, inFile) => {
  const store = createArchive();
  const mapping = { fields: { notes: `{${NAME.normalize(given)}}` } };
  expect(await importCsv(store, mapping, [NAME.normalize(inFile), "x"])).toMatchObject({
    imported: 1,
  });
});

test("a column that a table of thousands has not is told in a line that can be read", async () => {
  const store = createArchive();
  const columns = Array.from({ length: 5_000 }, (_, index) => `c${index}`).join(",");
  const attempt = importCsv(store, { fields: { notes: "{no}" } }, [columns]);
  await expect(attempt).rejects.toThrow(/"no"[^]* has c0, c1, [c\d, ]*, c49 and 4,950 more\. /);
});
