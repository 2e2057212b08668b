// Files as they are handed over: gzip, zip, UTF-16, with a byte order mark, with Windows line ends.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { ImportError, importFiles } from "../src/index.ts";
import { createArchive, createFolder } from "./support/archives.ts";

const LINES = ["é", "𝄞", "c"].map((id) => JSON.stringify({ kind: "call", call_id: id }));
const TEXT = LINES.join("\n");
const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each<[name: string, bytes: Uint8Array]>([
  ["a.jsonl", Buffer.from(`\ufeff${TEXT}`)],
  ["a.jsonl", Buffer.from(LINES.join("\r\n"))],
  ["a.jsonl", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
  ["a.jsonl", bigEndian(`\ufeff${TEXT}\r\n`)],
  ["a.jsonl.gz", gzipSync(TEXT)],
  ["a.jsonl.gz", gzipSync(Buffer.from(`\ufeff${TEXT}`, "utf16le"))],
  ["members.gz", Buffer.concat(LINES.map((line) => gzipSync(`${line}\n`)))],
  ["a.zip", zipSync({ "a.jsonl": strToU8(TEXT) })],
  ["stored.zip", zipSync({ "a.jsonl": strToU8(TEXT) }, { level: 0 })],
  ["gzip.zip", zipSync({ "a.jsonl.gz": gzipSync(TEXT) })],
  [
    "named.txt",
    zipSync(Object.fromEntries(LINES.map((line, at) => [`in/${at}.jsonl`, strToU8(line)]))),
  ],
])("%s: every row is read, whatever it comes in", async (name, bytes) => {
  const store = createArchive();
  const path = await writeBytes(name, bytes);
  for (const format of ["jsonl", "auto"] as const)
    expect(await importFiles({ store, paths: [path], format })).toMatchObject({
      read: 3,
      rejected: 0,
    });
  for (const id of ["é", "𝄞", "c"])
    expect(await store.calls.byCallId(id, "everything")).toHaveLength(1);
});

test("a folder is read with what lies packed in it, and names of rejected rows lead there", async () => {
  const store = createArchive();
  const path = await writeBytes(
    "b.zip",
    zipSync({
      "in/b.jsonl": strToU8(`${TEXT}\nno`),
      "readme.txt": strToU8("x"),
      "__MACOSX/in/._b.jsonl": strToU8("\0"),
    }),
  );
  await writeFile(join(path, "../a.jsonl.gz"), gzipSync(TEXT));

  const report = await importFiles({ store, paths: [join(path, "..")] });
  expect(report).toMatchObject({ read: 7, imported: 3, unchanged: 3, rejected: 1 });
  expect(report.firstRejections).toMatchObject([{ file: `${path}/in/b.jsonl`, line: 4 }]);
});

test("half of a surrogate pair in UTF-16 costs its line alone", async () => {
  const store = createArchive();
  const bad = JSON.stringify({ kind: "call", call_id: "bad" }).replace("bad", "\ud834");
  const path = await writeBytes(
    "a.jsonl",
    Buffer.from(`\ufeff${LINES[0]}\n${bad}\n${LINES[1]}`, "utf16le"),
  );
  const report = await importFiles({ store, paths: [path] });
  expect(report).toMatchObject({ read: 3, imported: 2, firstRejections: [{ line: 2 }] });
});

test.each([
  ["little-endian", (text: string) => Buffer.from(text, "utf16le")],
  ["big-endian", bigEndian],
])("UTF-16, %s, that ends within a character costs its last line", async (_name, encode) => {
  const store = createArchive();
  const bytes = Buffer.concat([encode(`\ufeff${TEXT}`), Buffer.of(0x20)]);
  const path = await writeBytes("a.jsonl", bytes);
  const report = await importFiles({ store, paths: [path] });
  const reason = "the line is not valid UTF-8";
  expect(report).toMatchObject({ read: 3, imported: 2, firstRejections: [{ line: 3, reason }] });
});

test.each<[fault: string, name: string, bytes: Uint8Array]>([
  ["is not a complete gzip file", "a.jsonl.gz", gzipSync(TEXT).subarray(0, -12)],
  ["is not a complete gzip file", "a.jsonl.gz", flip(gzipSync(TEXT), -6)],
  [
    "is not a complete zip archive",
    "a.zip",
    zipSync({ "a.jsonl": strToU8(TEXT) }).subarray(0, -30),
  ],
  ["is not a complete zip archive", "a.zip", flip(zipSync({ "a.jsonl": strToU8(TEXT) }), 45)],
  ["is not a complete zip archive", "a.zip", zipSync({ "../a.jsonl": strToU8(TEXT) })],
  ["holds no file that ends in", "a.zip", zipSync({ "a.txt": strToU8(TEXT) })],
  ["holds no file that ends in", "a.zip", zipSync({})],
  ["is packed more than once", "a.jsonl.gz", gzipSync(gzipSync(TEXT))],
  [
    "is packed more than once",
    "a.zip",
    zipSync({ "a.jsonl": zipSync({ "a.jsonl": strToU8(TEXT) }) }),
  ],
  [
    "is more than 200 times as long unpacked",
    "a.jsonl.gz",
    gzipSync(Buffer.alloc(2 ** 22 + 1, "x")),
  ],
  ["white space in one place", "a.jsonl.gz", gzipSync(`${TEXT}${"\n".repeat(2 ** 21)}`)],
  ["white space in one place", "a.jsonl.gz", gzipSync(`${TEXT}${" \r\n".repeat(2 ** 19)}{}`)],
  ["white space in one place", "a.zip", zipSync({ "a.jsonl": strToU8("\n".repeat(2 ** 21)) })],
  ["white space in one place", "a.jsonl", strToU8(`${TEXT}${"\n".repeat(2 ** 21)}`)],
])("%s: %s is refused", async (fault, name, bytes) => {
  const store = createArchive();
  const attempt = importFiles({ store, paths: [await writeBytes(name, bytes)], format: "jsonl" });
  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(fault);
});

test("a file that breaks off says how many rows were read until then, and these are in the archive", async () => {
  const { store, path } = await createBroken(3_000);
  const failure = await importFiles({ store, paths: [path] }).then(() => "", String);
  const [, read, imported] =
    /is not a complete gzip file: .*; until then: read ([\d,]+) = imported ([\d,]+) \+ replaced 0 \+ unchanged 0 \+ rejected 1$/.exec(
      failure,
    ) ?? [];
  const { imported: written } = await store.importedRows();
  expect(written).toBeGreaterThan(1_000);
  expect([read, imported]).toEqual([written + 1, written].map((n) => n.toLocaleString("en")));
});

test("a file that is broken from its beginning says nothing of rows", async () => {
  const { store, path } = await createBroken(20);
  await expect(importFiles({ store, paths: [path] })).rejects.toThrow(
    /is not a complete gzip file: [^;]*$/,
  );
});

/** Rows of which the second is at fault, packed, without the last bytes. */
async function createBroken(rows: number) {
  const calls = Array.from({ length: rows }, (_, id) => `{"kind":"call","call_id":"${id}"}`);
  const text = calls.toSpliced(1, 1, "{").join("\n");
  const store = createArchive();
  return { store, path: await writeBytes("a.jsonl.gz", gzipSync(text).subarray(0, -12)) };
}

async function writeBytes(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await createFolder(), name);
  await writeFile(path, bytes);
  return path;
}

function flip(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Buffer.from(bytes);
  const index = at < 0 ? copy.length + at : at;
  copy.writeUInt8(copy.readUInt8(index) ^ 0xff, index);
  return copy;
}
