// Files that swell beyond measure when they are unpacked.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { ImportError, importFiles } from "../src/index.ts";
import { createArchive, createFolder } from "./support/archives.ts";

test.each<[fault: string, name: string, bytes: Uint8Array]>([
  [
    "is more than 200 times as long unpacked",
    "a.zip",
    zipSync({ "a.jsonl": Buffer.alloc(2 ** 27, "x") }),
  ],
])("%s: %s is refused", async (fault, name, bytes) => {
  const store = createArchive();
  const attempt = importFiles({ store, paths: [await writeBytes(name, bytes)], format: "jsonl" });
  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(fault);
});

test.each<[name: string, pack: (text: string) => Uint8Array]>([
  ["a.jsonl.gz", gzipSync],
  ["a.zip", (text) => zipSync({ "a.jsonl": strToU8(text) })],
])("what swells beyond measure, %s, says what became of the rows before", async (name, pack) => {
  const store = createArchive();
  const swollen = async (rows: number) => {
    const calls = Array.from({ length: rows }, (_, id) => `{"kind":"call","call_id":"${id}"}\n`);
    const path = await writeBytes(name, pack(calls.join("") + "x".repeat(2 ** 27)));
    return await importFiles({ store, paths: [path] }).then(() => "", String);
  };
  // The first thousand are judged before one is written.
  expect(await swollen(600)).toMatch(/import what it holds$/);
  expect(await store.importedRows()).toMatchObject({ imported: 0 });
  expect(await swollen(1_600)).toMatch(
    /import what it holds; until then: read 1,500 = imported 1,500 \+ replaced 0 \+ unchanged 0 \+ rejected 0$/,
  );
});

async function writeBytes(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await createFolder(), name);
  await writeFile(path, bytes);
  return path;
}
