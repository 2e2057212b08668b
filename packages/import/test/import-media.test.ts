// Recordings named by a row: taken from the media folder and from nowhere else, byte for byte, with their digest.
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchiveInFolder, createFolder, writeLines } from "./support/archives.ts";

const CALL = { kind: "call", call_id: "A", datetime: "2025-05-01T10:00:00" };

test("recordings are in the order of their starts, else of the datetime of the record, with digest, type, time of change and bare name", async () => {
  const store = await createArchiveInFolder("Europe/London");
  const path = await writeLines("archive.jsonl", [
    {
      ...CALL,
      media_field: "voice",
      media: [
        { file: "unknown.bin", start: null },
        { file: "deep/er/late.wav", start: "2025-05-01T10:05:00" },
        { file: "early.mp3", start: "2025-05-01T08:59:00Z" },
        { file: "twin.bin" },
      ],
    },
  ]);
  const wave = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEfmt "), randomBytes(2_000_000)]);
  const files = {
    "unknown.bin": Buffer.from("x"),
    "deep/er/late.wav": wave,
    "early.mp3": Buffer.from([0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0, 0, 0]),
    "twin.bin": Buffer.from("x"),
  };
  await mkdir(join(dirname(path), "deep", "er"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(dirname(path), name), content);
    await utimes(join(dirname(path), name), 1_700_000_000, 1_700_000_000);
  }

  expect(await importFiles({ store, paths: [path], format: "jsonl" })).toMatchObject({
    imported: 1,
  });

  const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
  const modifiedMs = 1_700_000_000_000;
  const version = expect.any(String);
  expect(await store.calls.recordings({ callId: "A" }, "everything")).toMatchObject([
    {
      owner: { call_id: "A", ref_id: null, datetime: CALL.datetime },
      filename: "early.mp3",
      startMs: Date.parse("2025-05-01T08:59:00Z"),
      media: {
        sha256: sha256(files["early.mp3"]),
        bytes: 10,
        type: "audio/mpeg",
        modifiedMs,
        version,
      },
    },
    {
      owner: { call_id: "A", ref_id: null, datetime: CALL.datetime },
      filename: "unknown.bin",
      startMs: undefined,
      media: {
        sha256: sha256(files["unknown.bin"]),
        bytes: 1,
        type: "application/octet-stream",
        modifiedMs,
        version,
      },
    },
    {
      owner: { call_id: "A", ref_id: null, datetime: CALL.datetime },
      filename: "twin.bin",
      startMs: undefined,
      media: {
        sha256: sha256(files["twin.bin"]),
        bytes: 1,
        type: "application/octet-stream",
        modifiedMs,
        version,
      },
    },
    {
      owner: { call_id: "A", ref_id: null, datetime: CALL.datetime },
      filename: "late.wav",
      startMs: Date.parse("2025-05-01T09:05:00Z"),
      media: {
        sha256: sha256(wave),
        bytes: wave.length,
        type: "audio/wav",
        modifiedMs,
        version,
      },
    },
  ]);
  expect((await store.calls.byCallId("A", "everything"))[0]).toMatchObject({
    media: "voice",
    recordings: "early.mp3; unknown.bin; twin.bin; late.wav",
  });
  expect(await importFiles({ store, paths: [path], format: "jsonl" })).toMatchObject({
    unchanged: 1,
  });
  expect(await listMedia(store.directory)).toHaveLength(3);
});

test.each<[file: string, reason: string]>([
  ["gone.wav", 'media: "gone.wav" does not exist'],
  ["empty.wav", 'media: "empty.wav" is empty'],
  ["", 'media: "" is not a file'],
  [".", 'media: "." is not a file'],
  ["folder", 'media: "folder" is not a file'],
  ["a.wav/b.wav", 'media: "a.wav/b.wav" is below something that is not a folder'],
  ["../outside.wav", 'media: "../outside.wav" leads out of the media folder'],
  ["folder/../../outside.wav", 'media: "folder/../../outside.wav" leads out of the media folder'],
  ["..", 'media: ".." leads out of the media folder'],
  ["/etc/passwd", 'media: "/etc/passwd" leads out of the media folder'],
  ["link.wav", 'media: "link.wav" leads out of the media folder'],
  ["linked/outside.wav", 'media: "linked/outside.wav" leads out of the media folder'],
])("a call with the recording %j is rejected, and nothing of it is kept", async (file, reason) => {
  const store = await createArchiveInFolder();
  const folder = await createMediaFolder();
  const path = await writeLines("archive.jsonl", [
    { ...CALL, media: [{ file: "a.wav" }, { file }] },
  ]);

  const report = await importFiles({
    store,
    paths: [path],
    format: "jsonl",
    mediaDirectory: join(folder, "media"),
  });

  expect(report).toMatchObject({
    imported: 0,
    rejected: 1,
    firstRejections: [{ line: 1, reason }],
  });
  expect(await store.calls.byCallId("A", "everything")).toEqual([]);
  expect(await listMedia(store.directory)).toEqual([]);
});

test.each(["folder/../a.wav", "./a.wav", "inside.wav", "..a.wav", "ä €.wav"])(
  "the name %j stays in the media folder",
  async (file) => {
    const store = await createArchiveInFolder();
    const folder = await createMediaFolder();
    const path = await writeLines("archive.jsonl", [{ ...CALL, media: [{ file }] }]);

    expect(
      await importFiles({
        store,
        paths: [path],
        format: "jsonl",
        mediaDirectory: join(folder, "media"),
      }),
    ).toMatchObject({ imported: 1 });
  },
);

test("a file from a machine whose clock was ahead was changed when it was imported", async () => {
  const store = await createArchiveInFolder();
  const path = join(await createFolder(), "a.wav");
  await writeFile(path, "sound");
  await utimes(path, new Date(), new Date(Date.now() + 86_400_000));

  expect((await store.media.put({ path })).modifiedMs).toBeLessThanOrEqual(Date.now());
});

test("a file that was lost or cut since its import is said to be damaged", async () => {
  const store = await createArchiveInFolder();
  const media = await store.media.put({ name: "a.wav", content: Buffer.from("sound") });
  const kept = join(store.directory, "media", media.sha256.slice(0, 2), media.sha256);

  await writeFile(kept, "soun");
  await expect(store.media.open(media)).rejects.toMatchObject({ reason: "damaged" });
  await expect(store.media.open(media)).rejects.toThrow(
    `the file of recording ${media.sha256} has 4 bytes, 5 were imported`,
  );
  await expect(store.media.open({ ...media, sha256: "0".repeat(64) })).rejects.toMatchObject({
    message: expect.stringContaining("cannot be opened"),
    reason: "lost",
  });
});

test("a file whose content changed is said to be damaged, whatever its length and its times say", async () => {
  const store = await createArchiveInFolder();
  const media = await store.media.put({ name: "a.wav", content: Buffer.from("sound") });
  const kept = join(store.directory, "media", media.sha256.slice(0, 2), media.sha256);
  const { atime, mtime } = await stat(kept);

  await writeFile(kept, "noise");
  await utimes(kept, atime, mtime);

  const damage = `the file of recording ${media.sha256} has another content than imported`;
  await expect(store.media.open(media)).rejects.toThrow(damage);
  await expect(store.media.open({ ...media, version: undefined })).rejects.toThrow(damage);
  await writeFile(kept, "sound");
  await (await store.media.open(media)).close();
});

test("importing again makes good what was damaged, and is known to be right without reading it", async () => {
  const store = await createArchiveInFolder();
  const path = await writeLines("archive.jsonl", [{ ...CALL, media: [{ file: "a.wav" }] }]);
  await writeFile(join(dirname(path), "a.wav"), "sound");
  const importAgain = () => importFiles({ store, paths: [path], format: "jsonl" });
  const find = async () => (await store.calls.recordings({ callId: "A" }, "everything"))[0]?.media;
  await importAgain();
  const before = await find();
  const kept = join(store.directory, "media", String(before?.sha256.slice(0, 2)));
  await writeFile(join(kept, String(before?.sha256)), "noise");

  expect(await importAgain()).toMatchObject({ unchanged: 1 });

  const { ino, size, mtimeNs, ctimeNs } = await stat(join(kept, String(before?.sha256)), {
    bigint: true,
  });
  const after = await find();
  expect(after).toEqual({ ...before, version: `${size}-${mtimeNs}-${ctimeNs}-${ino}` });
  expect(after?.version).not.toBe(before?.version);
});

/** media/ with files, a folder and links that lead in and out, and a file beside it. */
async function createMediaFolder(): Promise<string> {
  const folder = await createFolder();
  const media = join(folder, "media");
  await mkdir(join(media, "folder"), { recursive: true });
  for (const name of ["a.wav", "..a.wav", "ä €.wav", "../outside.wav"])
    await writeFile(join(media, name), name);
  await writeFile(join(media, "empty.wav"), "");
  await symlink(join(folder, "outside.wav"), join(media, "link.wav"));
  await symlink("a.wav", join(media, "inside.wav"));
  await symlink(folder, join(media, "linked"));
  return folder;
}

async function listMedia(directory: string): Promise<string[]> {
  const entries = await readdir(join(directory, "media"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("a recording of a row that is rejected stays only where another row has it", async () => {
  const store = await createArchiveInFolder();
  const wrong = { file: "second.wav", sha256: "0".repeat(64) };
  const path = await writeLines("archive.jsonl", [
    { ...CALL, media: [{ file: "alone.wav" }, wrong] },
    { ...CALL, call_id: "B", media: [{ file: "shared.wav" }, wrong] },
    { ...CALL, call_id: "C", media: [{ file: "shared.wav" }] },
  ]);
  for (const name of ["alone.wav", "shared.wav", "second.wav"])
    await writeFile(join(dirname(path), name), `RIFF\0\0\0\0WAVEfmt ${name}`);
  const report = await importFiles({ store, paths: [path], format: "jsonl" });
  expect(report).toMatchObject({ imported: 1, rejected: 2 });
  const listed: string[] = [];
  for await (const { name } of store.media.list()) listed.push(name);
  const [shared] = await store.calls.recordings({ callId: "C" }, "everything");
  expect(listed).toEqual([expect.stringContaining(String(shared?.media.sha256))]);
});
