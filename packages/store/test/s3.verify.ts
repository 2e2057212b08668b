// Long recordings in a bucket: uploads in parts that break off, are refused, or outlive the server.
import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Media, type MediaStore, type StoredMedia, verifyMedia } from "../src/index.ts";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { createStore, openMaintenance } from "../src/open.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { KEYS, type S3Server, startS3 } from "@call-media/test-setup/s3-server";

const MIB = 1024 ** 2;
const VERSIONED = "<Versioning><Status>Enabled</Status></Versioning>";

async function open(options: { isVersioned?: boolean } = {}) {
  const server = await startS3();
  if (options.isVersioned) server.settings.set("versioning", VERSIONED);
  return { server, store: openBucket(server.address, KEYS) };
}

const toSound = (bytes: number) => randomBytes(bytes);

const put = (store: MediaStore, content: Uint8Array = toSound(1_000)) =>
  store.put({ name: "a.wav", content });

const toKey = ({ sha256 }: Pick<Media, "sha256">) => `cm/${sha256.slice(0, 2)}/${sha256}`;

async function read(store: MediaStore, media: Media): Promise<Buffer> {
  const file = await store.open(media);
  const pieces: Buffer[] = [];
  const buffer = Buffer.alloc(48 * 1024);
  try {
    for (let bytes; (bytes = await file.read(buffer)) > 0;)
      pieces.push(Buffer.from(buffer.subarray(0, bytes)));
  } finally {
    await file.close();
  }
  return Buffer.concat(pieces);
}

async function listAll(store: MediaStore): Promise<StoredMedia[]> {
  const listed: StoredMedia[] = [];
  for await (const one of store.list()) listed.push(one);
  return listed;
}

const count = ({ log }: S3Server, action: string) => log.filter((one) => one === action).length;

test("what is there and right is not sent a second time; what is damaged is", async () => {
  const { server, store } = await open();
  for (const content of [toSound(1_000), toSound(9 * MIB)]) {
    const media = await put(store, content);
    const before = count(server, "s3:PutObject");
    const reads = count(server, "s3:GetObject");
    expect(await put(store, content)).toMatchObject({ version: media.version });
    expect(count(server, "s3:GetObject")).toBe(reads + 1); // what state it has, and no more
    // Encrypted by a key of the customer, it has an ETag that says nothing.
    server.replace(toKey(media), content, '"of-a-key"');
    expect(await put(store, content)).toMatchObject({ version: `"of-a-key" ${content.length}` });
    expect(count(server, "s3:PutObject")).toBe(before);

    server.replace(toKey(media), toSound(content.length));
    expect((await put(store, content)).version).toBe(media.version);
    expect((await read(store, media)).equals(content)).toBe(true);
  }
});

test("an upload that breaks off leaves no parts; one that cannot be taken back is a leftover", async () => {
  const { server, store } = await open();
  server.faults.denyAfter = { action: "s3:PutObject", times: 2 };
  await expect(put(store, toSound(20 * MIB))).rejects.toThrow("grant s3:PutObject");
  expect(server.uploads.size).toBe(0);

  server.faults.denyAfter = { action: "s3:PutObject", times: 2 };
  server.faults.denied.add("s3:AbortMultipartUpload");
  await expect(put(store, toSound(20 * MIB))).rejects.toThrow("grant s3:PutObject");
  server.faults.denied.clear();
  server.faults.denyAfter = undefined;
  const [leftover, ...others] = await listAll(store);
  expect(leftover).toMatchObject({ isUnfinished: true, modifiedMs: 0 });
  expect(others).toEqual([]);
  await store.delete(leftover?.name ?? "");
  expect(server.uploads.size).toBe(0);
  await store.delete(leftover?.name ?? ""); // is gone already
});

test("a server that is busy for a moment is asked again", async () => {
  const { server, store } = await open();
  for (const status of [500, 503, 429]) {
    server.faults.answer = { status, code: "SlowDown", times: 2 };
    const media = await put(store);
    server.faults.answer = { status, code: "SlowDown", times: 2 };
    expect(await read(store, media)).toHaveLength(1_000);
  }
});

test.each([9 * MIB])("a file of %i bytes that is changed meanwhile is rejected", async (bytes) => {
  const { server, store } = await open();
  const path = join(await createFolder(), "a.wav");
  await writeFile(path, toSound(bytes));
  server.faults.delayMs = 300;
  const rejected = store.put({ path });
  void rejected.catch(() => {});
  await vi.waitFor(() => expect(server.log).toHaveLength(1));
  await writeFile(path, toSound(bytes));
  server.faults.delayMs = 0;
  await expect(rejected).rejects.toThrow("a.wav was changed while it was read");
  expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
});

test.each([["in parts", 20 * MIB, 1]])(
  "an upload %s during which the server dies leaves nothing by halves, and the next one succeeds",
  async (_how, bytes, parts) => {
    const { server, store } = await open();
    const places = { records: await createFolder(), media: server.address, env: KEYS };
    const content = toSound(bytes);
    const dead = Promise.withResolvers<void>();
    const act = () => void server.stop().then(dead.resolve);
    server.faults.whenArrived = { bytes: bytes * 0.6, act };
    await expect(put(store, content)).rejects.toMatchObject({ reason: "unavailable" });
    await dead.promise;
    expect([server.objects.size, server.uploads.size]).toEqual([0, parts]);

    await server.start();
    const { length } = await listAll(store);
    expect(length).toBe(parts);
    const media = await put(store, content);
    expect((await read(store, media)).equals(content)).toBe(true);
    await using archive = await createStore(places);
    await fill(archive, [call({ call_id: "A" }, { recordings: [{ filename: "a.wav", media }] })]);
    const verified = await verifyMedia(await openMaintenance(places), { removesLeftovers: true });
    expect(verified).toMatchObject({ files: 1, damages: [], unreferenced: [] });
    expect(verified.leftovers).toHaveLength(parts);
    expect(server.uploads.size).toBe(0);
  },
);

test("no object is taken for one that it is not: payloads are signed", async () => {
  const { server, store } = await open();
  const media = await put(store, toSound(20 * MIB));
  const [stored] = server.objects.get(toKey(media)) ?? [];
  expect(
    createHash("sha256")
      .update(stored?.content ?? "")
      .digest("hex"),
  ).toBe(media.sha256);
  server.faults.corruptsBodies = true;
  await expect(put(store)).rejects.toThrow("XAmzContentSHA256Mismatch");
  await expect(put(store, toSound(9 * MIB))).rejects.toThrow("XAmzContentSHA256Mismatch");
});
