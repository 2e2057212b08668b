// Recordings in a bucket that breaks off, refuses, lies, locks and goes away.
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Media, type MediaStore, type StoredMedia, verifyMedia } from "../src/index.ts";
import { OWNER } from "../src/media/claim.ts";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { createStore, openMaintenance } from "../src/open.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { KEYS, type S3Server, startS3, TOKEN } from "@call-media/test-setup/s3-server";

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

test.each([1, 4])(
  "a download that breaks off %i times is resumed where it ended",
  async (times) => {
    const { server, store } = await open();
    const content = toSound(MIB);
    const media = await put(store, content);
    server.faults.breakOff = { afterBytes: 200_000, times };
    expect((await read(store, media)).equals(content)).toBe(true);
    expect(server.faults.breakOff.times).toBe(0);
  },
);

test("a download survives that the server is gone for a while", async () => {
  const { server, store } = await open();
  const content = toSound(4 * MIB);
  const media = await put(store, content);
  const file = await store.open(media);
  const whole = Buffer.alloc(content.length);
  await file.read(whole.subarray(0, MIB));
  await server.stop();
  const rest = file.read(whole.subarray(MIB));
  await setTimeout(500);
  await server.start();
  await rest;
  await file.close();
  expect(whole.equals(content)).toBe(true);
});

test.each([false, true])(
  "what is changed in the middle of a download is not sent on: If-Match ignored %j",
  async (isIgnored) => {
    const { server, store } = await open();
    server.faults.ignoresIfMatch = isIgnored;
    const media = await put(store, toSound(MIB));
    server.faults.breakOff = { afterBytes: 200_000, times: 1 };
    const file = await store.open(media);
    server.replace(toKey(media), toSound(MIB));
    await expect(file.read(Buffer.alloc(MIB))).rejects.toMatchObject({
      reason: "damaged",
      message: expect.stringContaining("was changed while it was read"),
    });
  },
);

test("a server that ignores If-Match sends no other content either", async () => {
  const { server, store } = await open();
  const content = toSound(1_000);
  const media = await put(store, content);
  server.faults.ignoresIfMatch = true;
  server.replace(toKey(media), toSound(1_000));
  await expect(store.open(media)).rejects.toMatchObject({ reason: "damaged" });
  server.replace(toKey(media), content, '"other-2"');
  expect((await read(store, media)).equals(content)).toBe(true);
});

test("an object of another content is damaged, and read whole once for each state of it", async () => {
  const { server, store } = await open();
  const media = await put(store, toSound(MIB));
  server.replace(toKey(media), toSound(MIB));
  for (const _ of [1, 2, 3])
    await expect(store.open(media)).rejects.toMatchObject({
      reason: "damaged",
      message: `recording ${media.sha256} in s3://recordings/cm has another content than imported`,
    });
  // Three times 412 and the state, but one download.
  expect(count(server, "s3:GetObject")).toBe(1 + 3 * 2 + 1);
  await expect(store.verify(media)).rejects.toMatchObject({ reason: "damaged" });

  server.replace(toKey(media), toSound(9));
  await expect(store.open(media)).rejects.toThrow("has 9 bytes, 1048576 were imported");
});

test("an object that was written again with its own content is sent", async () => {
  const { server, store } = await open();
  const content = toSound(MIB);
  const media = await put(store, content);
  server.replace(toKey(media), content, '"other-2"');
  expect((await read(store, media)).equals(content)).toBe(true);
  expect(await store.verify(media)).toEqual({ ...media, version: `"other-2" ${MIB}` });
});

test.each([1_000])("a file of %i bytes that is changed meanwhile is rejected", async (bytes) => {
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

test("a file that is gone meanwhile is rejected", async () => {
  const { server, store } = await open();
  const path = join(await createFolder(), "a.wav");
  await writeFile(path, "sound");
  server.faults.delayMs = 200;
  const rejected = store.put({ path });
  void rejected.catch(() => {});
  await vi.waitFor(() => expect(server.log).toHaveLength(1));
  await rm(path);
  await expect(rejected).rejects.toThrow("a.wav was changed while it was read");
});

test.each([
  ["in one piece", 7 * MIB],
  ["in parts", 20 * MIB],
])("an upload %s goes on when the connection ends in the middle", async (_how, bytes) => {
  const { server, store } = await open();
  const content = toSound(bytes);
  server.faults.whenArrived = { bytes: bytes * 0.6, act: server.cut };
  const media = await put(store, content);
  expect(server.faults.whenArrived).toBe(undefined);
  expect((await read(store, media)).equals(content)).toBe(true);
  expect(server.uploads.size).toBe(0);
});

test.each([["in one piece", 7 * MIB, 0]])(
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

const OPERATIONS: Readonly<Record<string, (store: MediaStore, media: Media) => Promise<unknown>>> =
  {
    put: (store) => put(store),
    "put in parts": (store) => put(store, toSound(9 * MIB)),
    open: (store, media) => store.open(media),
    "open of unknown state": (store, media) => store.open({ ...media, version: undefined }),
    delete: (store, media) => store.delete(media.sha256),
    list: (store) => listAll(store),
    verify: (store, media) => store.verify(media),
    reach: async (store) => await store.reach?.(),
  };

test.each(Object.keys(OPERATIONS))(
  "when the bucket cannot be reached, %s is unavailable",
  async (name) => {
    const { server, store } = await open();
    const media = await put(store);
    await server.stop();
    await expect(OPERATIONS[name]?.(store, media)).rejects.toMatchObject({
      name: "StoreFault",
      reason: "unavailable",
      message: expect.stringMatching(/^s3:\/\/recordings\/cm cannot be reached: .*ECONNREFUSED/),
    });
  },
);

test.each(Object.keys(OPERATIONS))(
  "when there is no such bucket, %s is unavailable",
  async (name) => {
    const { server, store } = await open();
    const media = await put(store);
    const other = openBucket(server.address.replace("recordings", "nowhere"), KEYS);
    await expect(OPERATIONS[name]?.(other, media)).rejects.toMatchObject({
      reason: "unavailable",
      message: expect.stringContaining("there is no such bucket"),
    });
  },
);

test.each([
  ["put", "s3:GetObject"],
  ["put", "s3:PutObject"],
  ["put in parts", "s3:PutObject"],
  ["open", "s3:GetObject"],
  ["verify", "s3:GetObject"],
  ["delete", "s3:GetBucketVersioning"],
  ["delete", "s3:DeleteObject"],
  ["list", "s3:ListBucket"],
  ["list", "s3:ListBucketMultipartUploads"],
  ["reach", "s3:ListBucket"],
])("%s without %s says what to grant", async (name, action) => {
  const { server, store } = await open();
  const media = await put(store);
  server.faults.denied.add(action);
  await expect(OPERATIONS[name]?.(store, media)).rejects.toMatchObject({
    reason: "unavailable",
    message: expect.stringMatching(
      new RegExp(`^s3://recordings/cm refuses ${action} .*grant ${action}$`),
    ),
  });
});

test.each(["s3:ListBucketVersions", "s3:DeleteObjectVersion"])(
  "in a bucket with versions, nothing is deleted by halves without %s",
  async (action) => {
    const { server, store } = await open({ isVersioned: true });
    const media = await put(store);
    server.faults.denied.add(action);
    await expect(store.delete(media.sha256)).rejects.toThrow(`grant ${action}`);
    expect(server.objects.get(toKey(media))).toHaveLength(1);
  },
);

test("deleting takes all versions, and those behind a mark that it is deleted", async () => {
  const { server, store } = await open({ isVersioned: true });
  const [media, other] = [await put(store), await put(store)];
  for (const _ of [1, 2, 3, 4]) server.replace(toKey(media), toSound(7));
  server.remove(toKey(media));
  server.replace(toKey(media), toSound(7));
  server.replace(`${toKey(media)}.txt`, toSound(7));
  expect(await store.delete(media.sha256)).toBe(undefined);
  expect([...server.objects.keys()]).toEqual([toKey(other), `${toKey(media)}.txt`]);
});

test("a deletion that is cut off leaves the object as it was", async () => {
  const { server, store } = await open({ isVersioned: true });
  const media = await put(store);
  for (const _ of [1, 2, 3]) server.replace(toKey(media), toSound(7));
  const newest = server.objects.get(toKey(media))?.at(-1);
  server.faults.denyAfter = { action: "s3:DeleteObjectVersion", times: 2 };
  await expect(store.delete(media.sha256)).rejects.toThrow("grant s3:DeleteObjectVersion");
  expect(server.objects.get(toKey(media))?.at(-1)).toBe(newest);
  server.faults.denyAfter = undefined;
  await store.delete(media.sha256);
  expect(server.objects.size).toBe(0);
});

test("what the bucket locks is not deleted, and it is said until when", async () => {
  const { server, store } = await open({ isVersioned: true });
  const [media, held] = [await put(store), await put(store)];
  const lockedUntil = new Date(Date.now() + 60_000).toISOString();
  server.lock(toKey(media), { lockedUntil });
  server.lock(toKey(held), { isHeld: true });

  const name = toKey(media);
  expect(await store.delete(media.sha256)).toEqual({
    name,
    by: `object lock until ${lockedUntil}`,
  });
  expect(await store.delete(toKey(held))).toMatchObject({ by: "a legal hold of the bucket" });
  expect(await read(store, media)).toHaveLength(1_000);
  server.lock(toKey(media), { lockedUntil: undefined });
  expect(await store.delete(media.sha256)).toBe(undefined);
});

test("a server that knows no versions deletes what it has", async () => {
  const { server, store } = await open();
  const media = await put(store);
  server.faults.answer = { status: 501, code: "NotImplemented", times: 1 };
  await store.delete(media.sha256);
  expect(server.objects.size).toBe(0);
});

test("what others keep in the bucket is neither listed nor deleted", async () => {
  const { server, store } = await open();
  const media = await put(store);
  const others = ["cm/mine.txt", `cm/xx/${media.sha256}`, `other/${toKey(media)}`, "cm/ab/ab"];
  for (const key of others) server.replace(key, toSound(3));
  expect((await listAll(store)).map(({ name }) => name)).toEqual([toKey(media)]);
  for (const key of [...others, `${others[0]}?uploadId=1`])
    await expect(store.delete(key)).rejects.toThrow("is no recording's name");
  expect(server.objects.size).toBe(5);
});

test("purge and verify over a bucket: what is locked is reported, and goes with the next purge", async () => {
  const { server } = await open({ isVersioned: true });
  const places = { records: await createFolder(), media: server.address, env: KEYS };
  await using store = await createStore(places);
  const [media, kept] = [await put(store.media), await put(store.media)];
  await fill(store, [
    call({ call_id: "A" }, { recordings: [{ filename: "a.wav", media }] }),
    call({ call_id: "B" }, { recordings: [{ filename: "b.wav", media: kept }] }),
  ]);
  server.lock(toKey(media), { lockedUntil: new Date(Date.now() + 60_000).toISOString() });
  const archive = await openMaintenance(places);
  expect(await verifyMedia(archive)).toMatchObject({ files: 2, damages: [], unreferenced: [] });
  expect(await archive.check()).toMatchObject([{ what: expect.stringContaining("lifecycle") }]);
  expect(store.media).not.toHaveProperty("link");

  const first = await archive.erase({ callId: "A" }, { operator: "mia" });
  expect(first).toMatchObject({ calls: 1, files: 1, retained: [{ name: toKey(media) }] });
  server.lock(toKey(media), { lockedUntil: undefined });
  const second = await archive.erase({ callId: "A" }, { operator: "mia" });
  expect(second).toMatchObject({ calls: 0, files: 1, ofNoRecord: [toKey(media)], retained: [] });
  const ledger = ["cm/ledger/000001.json", "cm/ledger/if-none-match"];
  const left = [`cm/${OWNER}`, toKey(kept), ...ledger];
  expect([...server.objects.keys()].toSorted()).toEqual(left);
});

test.each(["s3:", "file:"])(
  "two archives do not share a place of %s: a purge would take what is the other's",
  async (scheme) => {
    const { server } = await open();
    const media = scheme === "s3:" ? server.address : `file:${await createFolder()}`;
    const toPlaces = async () => ({ records: await createFolder(), media, env: KEYS });
    const [first, second] = [await toPlaces(), await toPlaces()];
    await using store = await createStore(first);
    await using other = await createStore(second);
    const kept = await put(store.media);
    const another = put(other.media);
    await expect(another).rejects.toMatchObject({ name: "ArchiveError" });
    await expect(another).rejects.toThrow("has the recordings of another archive");
    const asked = { operator: "mia" };
    const erased = (await openMaintenance(second)).erase({ isUndated: true }, asked);
    await expect(erased).rejects.toThrow("has the recordings of another archive");
    expect(await read(store.media, kept)).toHaveLength(1_000);

    // Of no record yet.
    const own = await (await openMaintenance(first)).erase({ isUndated: true }, asked);
    expect(own.ofNoRecord).toHaveLength(1);
    expect(await listAll(store.media)).toEqual([]);
  },
);

test("a purge takes nothing when the bucket cannot be reached", async () => {
  const { server } = await open();
  const places = { records: await createFolder(), media: server.address, env: KEYS };
  await using store = await createStore(places);
  const media = await put(store.media);
  await fill(store, [call({ call_id: "A" }, { recordings: [{ filename: "a.wav", media }] })]);
  await server.stop();
  const archive = await openMaintenance(places);
  await expect(archive.erase({ callId: "A" }, { operator: "mia" })).rejects.toMatchObject({
    reason: "unavailable",
  });
  expect(await store.calls.byCallId("A", "everything")).toHaveLength(1);
});

test("wrong keys are told apart, and told nowhere", async () => {
  const { server } = await open();
  const secret = "wrong secret";
  for (const [env, fault] of [
    [{ ...KEYS, AWS_SECRET_ACCESS_KEY: secret }, "the secret key is not that of the access key"],
    [{ ...KEYS, AWS_ACCESS_KEY_ID: "AKOTHER" }, "the access key is unknown there"],
  ] as const) {
    const failed = openBucket(server.address, env).reach?.();
    await expect(failed).rejects.toThrow(fault);
    await expect(failed).rejects.not.toThrow(/wrong secret|AKOTHER|AKTEST/);
  }
  const session = openBucket(server.address, { ...KEYS, AWS_SESSION_TOKEN: TOKEN });
  await session.reach?.();
});

test("without keys in the environment, a profile of the AWS tools serves", async () => {
  const { server } = await open();
  const file = join(await createFolder(), "credentials");
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = KEYS;
  await writeFile(file, `[archive]\naws_access_key_id=${id}\naws_secret_access_key=${secret}\n`);
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", file);
  vi.stubEnv("AWS_CONFIG_FILE", "/dev/null");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_PROFILE", "archive");
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = openBucket(server.address, {});
  expect(await read(store, await put(store))).toHaveLength(1_000);
  vi.stubEnv("AWS_PROFILE", "nobody");
  await expect(openBucket(server.address, {}).reach?.()).rejects.toMatchObject({
    reason: "unavailable",
    message: expect.stringContaining("no keys for S3"),
  });
});

test.each([
  ["s3://AKIA:wJalr@recordings", "has no keys in it"],
  ["s3://recordings?endpoint=http://AKIA:wJalr@host", "has no keys in it"],
  ["s3://recordings/cm?secretAccessKey=wJalr", "has no keys in it"],
  ["s3://recordings?acl=public", "has the options endpoint and region, not acl"],
  ["s3://recordings?endpoint=s3.example.com", "is a URL, like https://s3.example.com"],
  ["s3://recordings?endpoint=ftp://s3.example.com", "is a URL, like https://s3.example.com"],
  ["s3://recordings/a b", "names no bucket"],
  ["s3://recordings/a//b", "names no bucket"],
  ["s3:recordings", "names no bucket"],
  ["s3://", "names no bucket"],
])("the address %j is refused without its secrets", (address, fault) => {
  const parse = () => openBucket(address, KEYS);
  expect(parse).toThrow(fault);
  expect(parse).not.toThrow(/AKIA|wJalr/);
});
