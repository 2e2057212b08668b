// Recordings in a folder: what lies there is listed, verified and deleted by the names that the list gives.
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MediaStore, StoredMedia } from "../src/index.ts";
import { createMediaFolder } from "../src/media/media-folder.ts";
import { createFolder } from "./support/archives.ts";

async function createFilled() {
  const directory = join(await createFolder(), "media");
  await mkdir(directory);
  const store = createMediaFolder(directory);
  const media = await store.put({ name: "a.wav", content: Buffer.from("sound") });
  return { directory, store, media };
}

async function listAll(store: MediaStore): Promise<StoredMedia[]> {
  const listed: StoredMedia[] = [];
  for await (const one of store.list()) listed.push(one);
  return listed;
}

test("the list has recordings, unfinished files and strangers, each once", async () => {
  const { directory, store, media } = await createFilled();
  await writeFile(join(directory, ".x.part"), "half");
  await writeFile(join(directory, "mine.txt"), "text");
  const { sha256 } = media;
  const listed = (await listAll(store)).toSorted((a, b) => a.bytes - b.bytes);
  expect(listed).toHaveLength(3);
  expect(listed.filter(({ isUnfinished }) => isUnfinished)).toMatchObject([
    { name: "media/.x.part", bytes: 4 },
  ]);
  expect(listed.filter((one) => one.sha256 !== undefined)).toMatchObject([
    { name: `media/${sha256.slice(0, 2)}/${sha256}`, sha256, bytes: 5 },
  ]);

  for (const { name } of listed) await store.delete(name);
  expect(await listAll(store)).toEqual([]);
});

test("what a program left unfinished goes with the next recording, when nobody has written to it for an hour", async () => {
  const { directory } = await createFilled();
  for (const name of [".left.part", ".new.part", "mine.part"])
    await writeFile(join(directory, name), "half");
  for (const name of [".left.part", "mine.part"]) await utimes(join(directory, name), 1, 1);
  await createMediaFolder(directory).put({ name: "b.wav", content: Buffer.from("more") });
  const names = await readdir(directory);
  expect(names.filter((name) => name.endsWith(".part")).toSorted()).toEqual([
    ".new.part",
    "mine.part",
  ]);
});

test("a recording is deleted by its digest, and is lost then", async () => {
  const { store, media } = await createFilled();
  await store.delete(media.sha256);
  await store.delete(media.sha256);
  await expect(store.open(media)).rejects.toMatchObject({ name: "StoreFault", reason: "lost" });
  await expect(store.verify(media)).rejects.toMatchObject({ reason: "lost" });
});

test.each(["../outside", "media/../../outside", "media", "outside"])(
  "%j is the name of nothing in the folder",
  async (name) => {
    const { directory, store } = await createFilled();
    await writeFile(join(directory, "../outside"), "mine");
    await expect(store.delete(name)).rejects.toThrow("is no recording's name");
    expect(await readdir(join(directory, ".."))).toEqual(["media", "outside"]);
  },
);

test("verifying gives the state in which the content is right, and refuses another content", async () => {
  const { directory, store, media } = await createFilled();
  const { version, ...others } = media;
  const pieces: Uint8Array[] = [];
  expect(await store.verify(others, (piece) => void pieces.push(piece))).toEqual(media);
  expect(Buffer.concat(pieces).toString()).toBe("sound");
  await writeFile(join(directory, media.sha256.slice(0, 2), media.sha256), "noise");
  await expect(store.verify(media)).rejects.toMatchObject({ reason: "damaged" });
  expect(version).toEqual(expect.any(String));
});
