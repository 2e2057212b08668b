// How the bytes of a recording get into its file: all of them, in order, and out of memory at once.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPace } from "../src/export/asking/pace.ts";
import { openFile } from "../src/export/folder/open-file.ts";
import { receiveBlocks } from "../src/export/item/blocks.ts";

const pace = createPace({ max: 1, maxBytesPerSecond: Infinity });

async function receive(body: ReadableStream<Uint8Array>, at = pace) {
  const folder = await mkdtemp(join(tmpdir(), "call-media-blocks-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "recording.part");
  using file = openFile(path, "w");
  const hash = createHash("sha256");
  const target = { file, hash, beforePart: async () => {} };
  const bytes = await receiveBlocks(at, body, target);
  return { bytes, sha256: hash.digest("hex"), content: await readFile(path) };
}

const toStream = (chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

/** With memory of its own, as the network gives it. */
const toChunk = (length: number) => Uint8Array.from(randomBytes(length));

test("what was written is in the file, and not in memory any more", async () => {
  const chunks = [toChunk(60_000), toChunk(100_000), toChunk(65_536), toChunk(1)];
  const whole = Buffer.concat(chunks);
  const received = await receive(toStream(chunks));
  expect(received.bytes).toBe(whole.length);
  expect(received.content.equals(whole)).toBe(true);
  expect(received.sha256).toBe(createHash("sha256").update(whole).digest("hex"));
  expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0, 0, 0]);
});

test("all that comes counts for the rate, what was written and is out of memory as well", async () => {
  let counted = 0;
  const count = async (bytes: number) => void (counted += bytes);
  const body = toStream([toChunk(60_000), toChunk(100_000), toChunk(65_536), toChunk(1)]);
  const { bytes } = await receive(body, { ...pace, receive: count });
  expect(bytes).toBe(225_537);
  expect(counted).toBe(225_537);
});

test("memory that a chunk shares with others is left alone", async () => {
  const shared = toChunk(1000);
  const { content } = await receive(toStream([shared.subarray(10, 20)]));
  expect(content.equals(shared.subarray(10, 20))).toBe(true);
  expect(shared.buffer.byteLength).toBe(1000);
});

test("a body that cannot be written is not read on", async () => {
  let reason: unknown;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(toChunk(100_000)),
    cancel: (error) => void (reason = error),
  });
  const full = new Error("no space left");
  const write = () => {
    throw full;
  };
  const file = { write, sync: async () => {}, [Symbol.dispose]: () => {} };
  const target = { file, hash: createHash("sha256"), beforePart: async () => {} };
  await expect(receiveBlocks(pace, body, target)).rejects.toThrow(full);
  expect(reason).toBe(full);
});
