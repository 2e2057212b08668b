import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type ByteRange,
  type Media,
  MediaRejected,
  type MediaStore,
  type StoredMedia,
} from "../index.ts";

// More than a place sends or stores in one chunk.
const LARGE_BYTES = 17_000_001;

export function describeMedia(create: () => Promise<MediaStore>): void {
  test("a recording comes back byte for byte, from any position, with its digest and type", async () => {
    const store = await create();
    const content = toWave(3_000_001);
    const media = await store.put({ name: "call.wav", content });

    expect(media).toMatchObject({
      sha256: sha256(content),
      bytes: content.length,
      type: "audio/wav",
    });
    expect(sha256(await readAll(store, media))).toBe(media.sha256);
    const range = { first: content.length - 4, last: content.length - 1 };
    const file = await store.open(media, range);
    const end = new Uint8Array(3);
    expect(await file.read(end)).toBe(3);
    expect([...end]).toEqual([...content.subarray(-4, -1)]);
    expect(await file.read(end)).toBe(1);
    expect(end[0]).toBe(content.at(-1));
    expect(await file.read(end)).toBe(0);
    await file.close();
  });

  test("a recording is taken from a file as it is, whatever its length", async () => {
    const store = await create();
    const path = join(await createFolder(), "call.wav");
    const content = toWave(LARGE_BYTES);
    await writeFile(path, content);

    const media = await store.put({ path });
    expect(media).toMatchObject({ sha256: sha256(content), bytes: content.length });
    expect(sha256(await readAll(store, media))).toBe(media.sha256);
    // The boundary between two chunks, in any place.
    const range = { first: 8 * 1024 ** 2 - 5, last: 8 * 1024 ** 2 + 4 };
    const around = content.subarray(range.first, range.last + 1);
    expect([...(await readAll(store, media, range))]).toEqual([...around]);
    expect((await listAll(store)).map(({ bytes }) => bytes)).toEqual([LARGE_BYTES]);
  });

  test("equal contents are one, also when they come at once; unknown ones are an octet stream", async () => {
    const store = await create();
    const content = new TextEncoder().encode("no sound");
    const put = (name: string) => store.put({ name, content });

    const [one, ...others] = await Promise.all(["a", "b", "c", "d"].map(put));
    others.push(await put("e"));

    expect(new Set(others.map((media) => `${media.sha256} ${media.version}`))).toEqual(
      new Set([`${one?.sha256} ${one?.version}`]),
    );
    expect(one?.type).toBe("application/octet-stream");
    expect(await listAll(store)).toMatchObject([{ sha256: one?.sha256, isUnfinished: false }]);
  });

  test.each([
    ["empty.wav is empty", { content: new Uint8Array() }],
    [
      "empty.wav has another content than its md5 says",
      { content: toWave(9), md5: "0".repeat(32) },
    ],
  ])("what %s is rejected, and leaves nothing", async (fault, source) => {
    const store = await create();
    const rejected = store.put({ name: "empty.wav", ...source });
    await expect(rejected).rejects.toThrow(MediaRejected);
    await expect(rejected).rejects.toThrow(fault);
    expect(await listAll(store)).toEqual([]);
  });

  test("many read one recording at once, each what it asked for", async () => {
    const store = await create();
    const content = toWave(1_000_003);
    const media = await store.put({ name: "call.wav", content });
    const ranges = Array.from({ length: 12 }, (_, index) => ({
      first: index * 80_000,
      last: index * 80_000 + 99_999,
    }));
    const read = await Promise.all(ranges.map((range) => readAll(store, media, range)));
    expect(read.map(sha256)).toEqual(
      ranges.map(({ first, last }) => sha256(content.subarray(first, last + 1))),
    );
  });

  test("what is listed is deleted by its digest or its name, and is lost then", async () => {
    const store = await create();
    const put = (name: string) => store.put({ name, content: new TextEncoder().encode(name) });
    const [first, second] = [await put("first"), await put("second"), await put("third")];
    const listed = await listAll(store);
    expect(listed.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(16);
    const nameOf = (media: Media) => listed.find((one) => one.sha256 === media.sha256)?.name ?? "";

    expect(await store.delete(first.sha256)).toBe(undefined);
    expect(await store.delete(nameOf(second))).toBe(undefined);
    await store.delete(second.sha256); // it is already deleted
    expect(await listAll(store)).toHaveLength(1);
    for (const media of [first, second, { ...first, version: undefined }]) {
      await expect(store.open(media)).rejects.toMatchObject({ reason: "lost" });
      await expect(store.verify(media)).rejects.toMatchObject({ reason: "lost" });
    }
    expect((await put("first")).sha256).toBe(first.sha256);
    expect(sha256(await readAll(store, first))).toBe(first.sha256);
  });

  test("verifying reads all of it, and gives the state in which it is right", async () => {
    const store = await create();
    const content = toWave(700_001);
    const media = await store.put({ name: "call.wav", content });
    const pieces = createHash("sha256");
    const onRead = (piece: Uint8Array) => void pieces.update(piece);
    expect(await store.verify({ ...media, version: undefined }, onRead)).toEqual(media);
    expect(pieces.digest("hex")).toBe(media.sha256);
  });

  test.each([undefined, "of another place"])(
    "a recording last seen in the state %j is sent all the same",
    async (version) => {
      const store = await create();
      const media = await store.put({ name: "call.wav", content: toWave(5_000) });
      expect(sha256(await readAll(store, { ...media, version }))).toBe(media.sha256);
    },
  );
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "store-suite-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function readAll(store: MediaStore, media: Media, range?: ByteRange): Promise<Uint8Array> {
  const file = await store.open(media, range);
  const whole = new Uint8Array(range === undefined ? media.bytes : range.last - range.first + 1);
  let position = 0;
  for (let read = 1; read > 0; position += read)
    read = await file.read(whole.subarray(position, position + 700_000));
  await file.close();
  return whole;
}

async function listAll(store: MediaStore): Promise<StoredMedia[]> {
  const listed: StoredMedia[] = [];
  for await (const one of store.list()) listed.push(one);
  return listed;
}

/** The header of a PCM file, and noise that is always the same. */
function toWave(bytes: number): Uint8Array {
  const wave = Buffer.alloc(Math.max(bytes, 16));
  wave.write("RIFF", 0);
  wave.writeUInt32LE(Math.max(bytes - 8, 0), 4);
  wave.write("WAVEfmt ", 8);
  for (let index = 16; index < bytes; index += 1) wave[index] = (index * 7919) >>> 3;
  return wave.subarray(0, bytes);
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
