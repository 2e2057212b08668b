// Verifying an archive's recordings: whatever happened to a file is found and named, and nothing is touched unasked.
import {
  copyFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { verifyMedia } from "./support/maintenance.ts";
import { ArchiveError } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { createKeptArchive } from "./support/kept-archive.ts";

const HOUR_MS = 3_600_000;

test("an archive that is well has nothing to report, and says how far it is on the way", async () => {
  const { directory } = await createKeptArchive("a", "bc", "def", "g");
  const steps: number[] = [];

  const report = await verifyMedia({
    directory,
    onProgress: ({ bytesDone, bytesTotal }) => steps.push(bytesDone / bytesTotal),
  });

  expect(report).toEqual({
    files: 4,
    bytes: 7,
    damages: [],
    unchecked: [],
    nonAudio: [],
    soundFaults: [],
    unheard: 0,
    unreferenced: [],
    leftovers: [],
  });
  expect(steps).toHaveLength(4);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(steps.at(-1)).toBe(1);
});

test("files that are missing, cut, or changed under the same times are named with their calls", async () => {
  const { directory, fileOf } = await createKeptArchive("lost", "cut", "changed", "good");
  const files = { lost: await fileOf("lost"), cut: await fileOf("cut") };
  const changed = await fileOf("changed");
  const { atime, mtime } = await stat(changed);
  await rm(files.lost);
  await truncate(files.cut, 1);
  await writeFile(changed, "CHANGED");
  await utimes(changed, atime, mtime);

  const { damages } = await verifyMedia({ directory });

  const faults = Object.fromEntries(damages.map((damage) => [damage.callId, damage]));
  expect(Object.keys(faults).toSorted()).toEqual(["changed", "cut", "lost"]);
  expect(faults["lost"]?.fault).toContain("cannot be opened");
  expect(faults["cut"]?.fault).toContain("has 1 bytes, 3 were imported");
  expect(faults["changed"]).toMatchObject({
    fault: expect.stringContaining("has another content than imported"),
    refId: "r-changed",
    filename: "changed.ulaw",
    recordings: 1,
  });
});

test("without a media folder every file is missing", async () => {
  const { directory } = await createKeptArchive("a", "b");
  await rm(join(directory, "media"), { recursive: true });
  const { damages, ...report } = await verifyMedia({ directory });
  expect(new Set(damages.map(({ callId }) => callId))).toEqual(new Set(["a", "b"]));
  expect(report).toEqual({
    files: 2,
    bytes: 2,
    unchecked: [],
    nonAudio: [],
    soundFaults: [],
    unheard: 0,
    unreferenced: [],
    leftovers: [],
  });
});

test("what no record names is told apart from what was never finished, and only that is removed when asked", async () => {
  const { directory, store } = await createKeptArchive("a");
  const orphan = await store.media.put({ name: "orphan", content: Buffer.from("orphan") });
  const media = join(directory, "media");
  const [old, young] = [join(media, ".1.part"), join(media, ".2.part")];
  await writeFile(old, "x");
  await writeFile(young, "x");
  await utimes(old, new Date(), new Date(Date.now() - 2 * HOUR_MS));
  const strays = {
    unreferenced: [join("media", orphan.sha256.slice(0, 2), orphan.sha256)],
    leftovers: [relative(directory, old)],
  };

  expect(await verifyMedia({ directory })).toMatchObject(strays);
  expect(await readdir(media)).toContain(".1.part");
  expect(await verifyMedia({ directory, removesLeftovers: true })).toMatchObject(strays);
  expect(await verifyMedia({ directory })).toMatchObject({ ...strays, leftovers: [] });
  expect(await readdir(media)).toContain(".2.part");
});

test("files that were put back from a copy are remembered as good, damaged ones are not", async () => {
  const { directory, store, fileOf } = await createKeptArchive("restored", "damaged");
  const restored = await fileOf("restored");
  await copyFile(restored, `${restored}.copy`);
  await rename(`${restored}.copy`, restored);
  await writeFile(await fileOf("damaged"), "DAMAGED");
  const fingerprintOf = async (callId: string) =>
    (await store.calls.recordings({ callId }, "everything"))[0]?.media.version;
  const before = [await fingerprintOf("restored"), await fingerprintOf("damaged")];

  await verifyMedia({ directory });

  const { size, mtimeNs, ctimeNs, ino } = await stat(restored, { bigint: true });
  expect(await fingerprintOf("restored")).toBe(`${size}-${mtimeNs}-${ctimeNs}-${ino}`);
  expect(await fingerprintOf("restored")).not.toBe(before[0]);
  expect(await fingerprintOf("damaged")).toBe(before[1]);
});

test("a folder without an archive is refused", async () => {
  await expect(verifyMedia({ directory: await createFolder() })).rejects.toThrow(ArchiveError);
});

test("what cannot be reached is not checked, and is not called damaged", async () => {
  const { directory, fileOf } = await createKeptArchive("away", "good");
  const file = await fileOf("away");
  await rm(file);
  await symlink(file, file); // a link to itself cannot be opened by anybody
  expect(await verifyMedia({ directory })).toMatchObject({
    files: 2,
    damages: [],
    unchecked: [{ callId: "away", fault: expect.stringContaining("cannot be opened") }],
  });
});
