// Linked recordings: they stay where they are, the archive knows when they changed, and a backup has copies of them.
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import type { CallStore } from "@call-media/store";
import { backUp, examine, planPurge, purge, restore, verifyMedia } from "./support/maintenance.ts";
import { openStore } from "@call-media/store/sqlite";
import { createArchiveInFolder, createFolder, writeLines } from "./support/archives.ts";

const CALL = { kind: "call", datetime: "2025-05-01T10:00:00Z" };

/** An archive with the calls A and B, whose recordings are linked; their content is that of their file. */
async function createLinked() {
  const { directory, ...store } = await createArchiveInFolder();
  const source = await writeLines("calls.jsonl", [
    { ...CALL, call_id: "A", media: [{ file: "a.wav" }] },
    { ...CALL, call_id: "B", media: [{ file: "b.wav" }] },
  ]);
  const fileOf = (name: string) => join(dirname(source), `${name}.wav`);
  for (const name of ["a", "b"]) await writeFile(fileOf(name), `sound of ${name}`);
  const importAgain = (isLinked: boolean) =>
    importFiles({ store, paths: [source], format: "jsonl", isLinked });
  await importAgain(true);
  return { directory, store, fileOf, importAgain };
}

async function listCopies(directory: string): Promise<string[]> {
  const found = await readdir(join(directory, "media"), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function listen(store: CallStore, callId: string): Promise<string> {
  const [recording] = await store.calls.recordings({ callId }, "everything");
  if (recording === undefined) throw new Error(`${callId} has no recording`);
  const opened = await store.media.open(recording.media);
  const buffer = Buffer.alloc(recording.media.bytes);
  await opened.read(buffer);
  await opened.close();
  return buffer.toString();
}

const whats = async (directory: string) =>
  (await examine(directory)).filter(({ level }) => level === "error").map(({ what }) => what);

test("they are read from where they lie, and nothing is copied", async () => {
  const { directory, store, fileOf } = await createLinked();
  expect(await listCopies(directory)).toEqual([]);
  expect(await listen(store, "A")).toBe("sound of a");
  const [recording] = await store.calls.recordings({ callId: "A" }, "everything");
  expect(recording?.media.location).toBe(fileOf("a"));
  expect(await verifyMedia({ directory })).toMatchObject({ files: 2, damages: [] });
  expect(await whats(directory)).toEqual([]);
});

test("one that was changed or moved is never sent, and is named", async () => {
  const { directory, store, fileOf } = await createLinked();
  await writeFile(fileOf("a"), "SOUND OF A");
  await rename(fileOf("b"), fileOf("c"));

  await expect(listen(store, "A")).rejects.toThrow("has another content than imported");
  await expect(listen(store, "B")).rejects.toThrow("the linked file of recording");
  const { damages } = await verifyMedia({ directory });
  expect(new Set(damages.map(({ callId }) => callId))).toEqual(new Set(["A", "B"]));
  expect(await whats(directory)).toEqual(["linked recordings are not where they were: 1 file"]);
});

test("an import that copies makes copies of them, and one that links leaves copies be", async () => {
  const { directory, store, fileOf, importAgain } = await createLinked();
  expect(await importAgain(false)).toMatchObject({ unchanged: 2 });
  expect(await listCopies(directory)).toHaveLength(2);
  expect(await importAgain(true)).toMatchObject({ unchanged: 2 });
  await rm(fileOf("a"));
  expect(await listen(store, "A")).toBe("sound of a");
});

test("a backup has copies of them, and what is restored from it needs no others", async () => {
  const { directory, fileOf } = await createLinked();
  const [backup, restored] = [await createFolder(), join(await createFolder(), "restored")];
  await writeFile(fileOf("b"), "SOUND OF B");
  const { copied, damages } = await backUp({ from: directory, to: backup });
  expect(copied).toBe(1);
  expect(damages.map(({ callId }) => callId)).toEqual(["B"]);
  await rm(fileOf("a"));

  await restore({ from: backup, to: restored });
  await using store = await openStore({ directory: restored });
  expect(await listen(store, "A")).toBe("sound of a");
});

test("a purge forgets them, names them, and leaves them where they are", async () => {
  const { directory, fileOf } = await createLinked();
  const options = { directory, filter: { callId: "A" } };
  const expected = { calls: 1, files: 0, fileBytes: 0, unlinked: [fileOf("a")] };
  expect(await planPurge(options)).toMatchObject(expected);
  expect(await purge({ ...options, operator: "olive" })).toMatchObject(expected);
  expect(await readFile(fileOf("a"), "utf8")).toBe("sound of a");
  expect(await verifyMedia({ directory })).toMatchObject({ files: 1, damages: [] });
});
