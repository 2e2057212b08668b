// A pipe in the place of a file: nobody writes to it, and nothing waits for it.
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { backUp, examine, restore, verifyMedia } from "./support/maintenance.ts";
import { ArchiveError, createStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import {
  createClosedArchive,
  createKeptArchive,
  createLinkedArchive,
} from "./support/kept-archive.ts";

async function replaceByPipe(file: string): Promise<void> {
  await rm(file);
  await promisify(execFile)("mkfifo", [file]);
}

const createTarget = async () => join(await createFolder(), "target");

async function createLinked() {
  const { directory, store, path } = await createLinkedArchive("a");
  return { directory, store, fileOf: async () => path };
}

test.each([
  ["copied", () => createKeptArchive("a")],
  ["linked", createLinked],
])("of a recording that was %s it is damage, wherever that is read", async (_, create) => {
  const { directory, store, fileOf } = await create();
  const [recording] = await store.calls.recordings({ callId: "a" }, "everything");
  await replaceByPipe(await fileOf("a"));

  if (recording === undefined) throw new Error("there is no recording");
  await expect(store.media.open(recording.media)).rejects.toMatchObject({ reason: "damaged" });
  const damages = [{ callId: "a", fault: expect.stringMatching(/is no file any more$/) }];
  expect(await verifyMedia({ directory })).toMatchObject({ damages });
  const unread = [{ callId: "a", fault: expect.stringMatching(/ cannot be read$/) }];
  expect(await backUp({ from: directory, to: await createTarget() })).toMatchObject({
    damages: unread,
  });
});

test.each(["archive.db", "access.db", "backup.json"])(
  "a backup whose %s it is is refused, and the doctor says so",
  async (name) => {
    const backup = await createTarget();
    await backUp({ from: await createClosedArchive("a"), to: backup });
    await replaceByPipe(join(backup, name));
    await expect(restore({ from: backup, to: await createTarget() })).rejects.toThrow(ArchiveError);
    expect(await examine(backup)).toContainEqual(expect.objectContaining({ level: "error" }));
  },
);

test("a backup whose archive.db it is cannot be verified", async () => {
  const backup = await createTarget();
  await backUp({ from: await createClosedArchive("a"), to: backup });
  await replaceByPipe(join(backup, "archive.db"));
  await expect(verifyMedia({ directory: backup })).rejects.toThrow("there is no archive");
});

test.each(["archive.db", "access.db"])("an archive whose %s it is is refused", async (name) => {
  const directory = await createClosedArchive("a");
  await replaceByPipe(join(directory, name));
  await expect(backUp({ from: directory, to: await createTarget() })).rejects.toThrow(ArchiveError);
});

test.each(["archive.db", "access.db"])("no archive is made where its %s would be", async (name) => {
  const directory = await createFolder();
  await promisify(execFile)("mkfifo", [join(directory, name)]);
  await expect(createStore({ directory })).rejects.toThrow(`${name} cannot be used`);
});
