// An archive whose recordings lie on another disk, by a link: it is served, and when the disk is not there that is said.
import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { examine, verifyMedia } from "./support/maintenance.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { addCalls } from "./support/kept-archive.ts";

test("recordings on another disk are read and taken in; without it the doctor and an import say why", async () => {
  const folder = await createFolder();
  const directory = join(folder, "archive");
  await fill(directory, "1");
  const disk = join(folder, "disk");
  await mkdir(disk);
  await rename(join(directory, "media"), join(disk, "media"));
  await symlink(join("..", "disk", "media"), join(directory, "media"));
  await fill(directory, "2");
  expect(await findErrors(directory)).toEqual([]);
  expect(await verifyMedia({ directory })).toMatchObject({ damages: [] });

  await rename(disk, join(folder, "unmounted"));
  const media = join(directory, "media");
  expect(await findErrors(directory)).toEqual([
    {
      level: "error",
      what: "the folder of the recordings is a link to what cannot be reached: ENOENT",
      where: media,
      todo: "mount the disk that it lies on, or make the link anew",
    },
  ]);
  await expect(createStore({ directory })).rejects.toThrow(
    `${media} is a link to what cannot be reached: mount the disk that it lies on`,
  );
  await using store = await openStore({ directory });
  expect(await store.calls.byCallId("2", "everything")).toHaveLength(1);
});

// The disk of whoever tests may be nearly full, which is a warning.
const findErrors = async (directory: string) =>
  (await examine(directory)).filter(({ level }) => level === "error");

async function fill(directory: string, callId: string): Promise<void> {
  await using store = await createStore({ directory });
  await addCalls(store, [callId]);
}
