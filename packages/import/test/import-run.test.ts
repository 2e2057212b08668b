// A run of an import: what stops it before it begins, its progress, and what a dry run leaves behind: nothing.
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ImportError, type ImportOptions, type ImportProgress, importFiles } from "../src/index.ts";
import { createMemoryStore } from "@call-media/store/memory";
import { ArchiveError, createStore, openScratchCopy, openStore } from "@call-media/store/sqlite";
import {
  createArchive,
  createArchiveInFolder,
  createFolder,
  writeLines,
} from "./support/archives.ts";
import { AS_ANYBODY, canBeAnybody, runModule } from "@call-media/test-setup/as-anybody";
import { query } from "./support/records.ts";

const LINE = { kind: "call", call_id: "A", datetime: "2025-05-01T10:00:00Z" };

test.each<[what: string, wrong: (good: string) => Partial<ImportOptions>, fault: string]>([
  ["no path", () => ({ paths: [] }), "nothing to import: name a file or a folder"],
  [
    "a path that is not there",
    (good) => ({ paths: [good, "/nowhere/a.jsonl"] }),
    "/nowhere/a.jsonl does not exist",
  ],
  [
    "a path below a file",
    (good) => ({ paths: [`${good}/b`] }),
    "is below something that is not a folder",
  ],
  [
    "a folder without such files",
    (good) => ({ paths: [good, join(dirname(good), "empty")] }),
    "empty holds no file that ends in .jsonl or .ndjson",
  ],
  [
    "a link to a folder that looks like a file",
    (good) => ({ paths: [good, join(dirname(good), "links")] }),
    "folder.jsonl is a folder",
  ],
  ["a media folder that is none", (good) => ({ mediaDirectory: good }), "the media folder, "],
  [
    "a reject file in a folder that is not there",
    () => ({ rejectFile: "/nowhere/rejects.jsonl" }),
    "the folder of the reject file, /nowhere, is not a directory",
  ],
  [
    "a reject file that is a source",
    (good) => ({ rejectFile: join(dirname(good), "empty", "..", "archive.jsonl") }),
    "the reject file would overwrite what is imported",
  ],
  [
    "a time zone that is none",
    () => ({ timeZone: "Europe/Londn" }),
    '"Europe/Londn" is not a time zone: give an IANA name such as Europe/London',
  ],
  [
    "a mapping for another format than csv",
    (good) => ({ mappingFile: good }),
    "jsonl takes no mapping file: it has its own fields",
  ],
  [
    "csv without a mapping",
    () => ({ format: "csv" }),
    "csv needs a mapping file (--map) that says which column becomes which field",
  ],
])("%s stops the import before anything is written", async (_what, wrong, fault) => {
  const store = createArchive();
  const good = await writeLines("archive.jsonl", [LINE]);
  await mkdir(join(dirname(good), "empty"));
  await mkdir(join(dirname(good), "links"));
  await symlink("../empty", join(dirname(good), "links", "folder.jsonl"));

  const attempt = importFiles({ store, paths: [good], format: "jsonl", ...wrong(good) });

  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(fault);
  expect(await store.calls.byCallId("A", "everything")).toEqual([]);
});

test("a reject file that cannot be made ends the import", async () => {
  const store = createArchive();
  const path = await writeLines("archive.jsonl", ["{"]);
  const rejectFile = join(dirname(path), "folder");
  await mkdir(rejectFile);

  await expect(importFiles({ store, paths: [path], format: "jsonl", rejectFile })).rejects.toThrow(
    `the reject file ${rejectFile} is a folder`,
  );
});

test.runIf(canBeAnybody)("a folder that may not be read is named, wherever it lies", async () => {
  const folder = dirname(await writeLines("a.jsonl", [LINE]));
  const closed = join(folder, "b", "c");
  await mkdir(closed, { recursive: true, mode: 0o700 });
  await chmod(closed, 0o000);
  const importing = `
    const { importFiles } = await import(process.argv[1]);
    const store = { timeZone: "UTC" };
    await importFiles({ store, paths: [process.argv[2]] }).catch(({ message }) => console.log(message));
  `;
  const door = new URL("../src/index.ts", import.meta.url).href;
  expect(await runModule(AS_ANYBODY, importing, [door, folder])).toBe(
    `${closed} may not be opened by this user\n`,
  );
  await chmod(closed, 0o700);
});

test("files without a row are imported to no effect, and named", async () => {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [{ fields: { call_id: "{A}" } }]);
  const counts = { read: 0, imported: 0, replaced: 0, unchanged: 0, erased: 0, rejected: 0 };
  const none = { ...counts, firstRejections: [], firstReplacements: [], firstErased: [] };
  const doubt = { name: "no-rows", effect: "warn", count: 1, unit: "file" };
  const report = { ...none, doubts: [expect.objectContaining(doubt)] };

  expect(
    await importFiles({ store, paths: [await writeLines("a.jsonl", [])], format: "jsonl" }),
  ).toEqual(report);
  expect(
    await importFiles({
      store,
      paths: [await writeLines("a.csv", [])],
      format: "csv",
      mappingFile,
    }),
  ).toEqual(report);
  expect(
    await importFiles({
      store,
      paths: [await writeLines("a.csv", ["A"])],
      format: "csv",
      mappingFile,
    }),
  ).toEqual(report);
});

const ROWS_OF: readonly (readonly [what: string, entry: object, reason: string])[] = [
  ["call_id", { call_id: "a\u200b1" }, "call_id: has an invisible character, U+200B,"],
  ["ref_id", { ref_id: "\u202ea" }, "ref_id: has an invisible character, U+202E,"],
  ["session_id", { session_id: "a\u00ad" }, "session_id: has an invisible character, U+00AD,"],
  ["master_id", { master_id: "a\ufe0f" }, "master_id: has an invisible character, U+FE0F,"],
  ["call_id, a dot segment", { call_id: ".." }, 'call_id: ".." cannot stand in the path of a URL'],
  ["ref_id, a dot segment", { ref_id: "." }, 'ref_id: "." cannot stand in the path of a URL'],
  [
    "datetime that is skipped",
    { call_id: "a", datetime: "2026-03-29T02:30:00" },
    'datetime: "2026-03-29T02:30:00" is a time that no clock in Europe/Berlin shows',
  ],
];

test.each(ROWS_OF)("a row is rejected for its %s", async (_what, entry, reason) => {
  const paths = [await writeLines("odd.jsonl", [{ kind: "call", ...entry }])];
  const store = createMemoryStore({ timeZone: "Europe/Berlin" });
  const report = await importFiles({ store, paths, format: "jsonl" });
  expect(report).toMatchObject({ imported: 0, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toContain(reason);
});

test("a time that clocks show twice is the first of the two, and counted", async () => {
  const at = (datetime: string) => ({ kind: "call", call_id: datetime, datetime });
  const times = ["2026-10-25T02:30:00", "2026-10-25T02:59:59", "2026-10-25T02:30:00+01:00"];
  const paths = [await writeLines("autumn.jsonl", [...times, "2026-10-25T03:00:00"].map(at))];
  const store = createMemoryStore({ timeZone: "Europe/Berlin" });
  const report = await importFiles({ store, paths, format: "jsonl" });
  expect(report).toMatchObject({ imported: 4, rejected: 0 });
  expect(report.notices).toEqual([
    { text: expect.stringContaining("the first of the two was taken"), rows: 2 },
  ]);
});

test("progress grows batch by batch up to all bytes and rows", async () => {
  const store = createArchive();
  const lines = Array.from({ length: 12_000 }, (_, index) => ({ ...LINE, call_id: String(index) }));
  const paths = [await writeLines("a.jsonl", lines), await writeLines("b.jsonl", [LINE, "{"])];
  const seen: ImportProgress[] = [];

  const report = await importFiles({
    store,
    paths,
    format: "jsonl",
    onProgress: (progress) => seen.push(progress),
  });

  const bytesTotal = (await stat(paths[0] ?? "")).size + (await stat(paths[1] ?? "")).size;
  expect(report).toMatchObject({ read: 12_002, imported: 12_001, rejected: 1 });
  expect(seen.map(({ read }) => read)).toEqual([
    ...Array.from({ length: 24 }, (_, batch) => (batch + 1) * 500),
    12_002,
  ]);
  expect(seen.at(-1)).toEqual({ bytesRead: bytesTotal, bytesTotal, read: 12_002 });
  expect(seen.map(({ bytesRead }) => bytesRead)).toEqual(
    seen.map(({ bytesRead }) => bytesRead).toSorted((a, b) => a - b),
  );
});

test("a dry run accounts for every row as the run would, and leaves the archive as it was", async () => {
  const { directory, ...store } = await createArchiveInFolder("Europe/London");
  await importFiles({ store, paths: [await writeLines("a.jsonl", [LINE])], format: "jsonl" });
  const path = await writeLines("b.jsonl", [
    LINE,
    { ...LINE, call_id: "B", media: [{ file: "b.jsonl" }] },
    "{",
  ]);
  const before = await readArchive(directory);
  const options = { paths: [path], format: "jsonl" } as const;

  const scratch = await openScratchCopy({ directory });
  const dry = await importFiles({ store: scratch, ...options });
  expect(scratch.timeZone).toBe("Europe/London");
  expect((await scratch.calls.search(query({}))).recordCount).toBe(2);
  await scratch[Symbol.asyncDispose]();

  expect(dry).toMatchObject({ read: 3, imported: 1, unchanged: 1, rejected: 1 });
  expect(await readArchive(directory)).toEqual(before);
  expect((await store.calls.search(query({}))).recordCount).toBe(1);
  expect(await importFiles({ store, ...options })).toEqual(dry);
});

test("the copy for a dry run says how far it is", async () => {
  const directory = await createFolder();
  // More than one step of the copy.
  const notes = "x".repeat(100_000);
  const lines = Array.from({ length: 200 }, (_, index) => ({
    ...LINE,
    call_id: `${index}`,
    notes,
  }));
  const store = await createStore({ directory });
  await importFiles({ store, paths: [await writeLines("a.jsonl", lines)], format: "jsonl" });
  await store[Symbol.asyncDispose]();
  const { size } = await stat(join(directory, "archive.db"));
  const told: [bytesDone: number, bytesTotal: number][] = [];

  const scratch = await openScratchCopy({ directory, onCopied: (...bytes) => told.push(bytes) });
  await scratch[Symbol.asyncDispose]();

  const done = told.map(([bytes]) => bytes);
  expect(new Set(told.map(([, total]) => total))).toEqual(new Set([size]));
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done[0]).toBe(8_192_000);
});

test("a dry run of the first import makes no archive", async () => {
  const directory = join(await createFolder(), "archive");
  const scratch = await openScratchCopy({ directory, timeZone: "Asia/Kolkata" });

  expect(scratch.timeZone).toBe("Asia/Kolkata");
  expect(
    await importFiles({
      store: scratch,
      paths: [await writeLines("a.jsonl", [LINE])],
      format: "jsonl",
    }),
  ).toMatchObject({ imported: 1 });
  await scratch[Symbol.asyncDispose]();

  await expect(stat(directory)).rejects.toThrow("ENOENT");
});

test("an archive keeps its time zone once it has calls, and what is no archive is said to be none", async () => {
  const { directory, ...store } = await createArchiveInFolder("Europe/London");
  await importFiles({ store, paths: [await writeLines("a.jsonl", [LINE])], format: "jsonl" });
  const again = await createStore({ directory, timeZone: "Asia/Kolkata" });
  expect(again.timeZone).toBe("Europe/London");
  await again[Symbol.asyncDispose]();

  const empty = await createFolder();
  await expect(openStore({ directory: empty })).rejects.toThrow(ArchiveError);
  await expect(createStore({ directory: empty, timeZone: "Mars/Olympus" })).rejects.toThrow(
    '"Mars/Olympus" is not a time zone',
  );
  await writeFile(join(empty, "archive.db"), "This is no database, whatever it is called.");
  await expect(openStore({ directory: empty })).rejects.toThrow(ArchiveError);
});

/** Every file of an archive but SQLite's log of the day, which reading may touch. */
async function readArchive(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name));
  const contents = await Promise.all(
    files.map(async ({ parentPath, name }) => [
      name,
      (await readFile(join(parentPath, name))).toString("base64"),
    ]),
  );
  return Object.fromEntries(contents);
}
