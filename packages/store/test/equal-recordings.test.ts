// Recordings of the same content that are added at once: the file that is kept is the one that the archive knows.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFingerprint } from "../src/media/fingerprint.ts";
import { createArchive, createFolder } from "./support/archives.ts";

test("of equal recordings that are added at once, the file that is kept is the one that the archive knows", async () => {
  const { directory, ...store } = await createArchive();
  const folder = await createFolder();
  const indexes = Array.from({ length: 64 }, (_, index) => index);
  // Eight in a row have the same content.
  const toContent = (index: number) => Buffer.alloc(100_000, Math.floor(index / 8));
  await Promise.all(
    indexes.map((index) => writeFile(join(folder, `${index}.wav`), toContent(index))),
  );

  const known = await Promise.all(
    indexes.map((index) => store.media.put({ path: join(folder, `${index}.wav`) })),
  );
  for (const { sha256, version } of known)
    expect(version).toBe(
      await readFingerprint(join(directory, "media", sha256.slice(0, 2), sha256)),
    );
  expect(new Set(known.map(({ sha256 }) => sha256)).size).toBe(8);
});
