// Recordings in OpenStack Swift: an S3 server of another maker, which accepts and refuses other things than Amazon's.
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { hasSwift, startSwift, type SwiftServer } from "@call-media/test-setup/swift";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MediaStore, StoredMedia } from "../src/index.ts";
import { parseBucket } from "../src/media/s3/address.ts";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { createClient } from "../src/media/s3/client.ts";
import { createKeyFinder } from "../src/media/s3/credentials.ts";
import { describeMediaStore } from "../src/suite/index.ts";

const MIB = 1024 ** 2;
const ENABLE =
  '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>';

async function listAll(store: MediaStore): Promise<StoredMedia[]> {
  const listed: StoredMedia[] = [];
  for await (const one of store.list()) listed.push(one);
  return listed;
}

describe.skipIf(!hasSwift)("Swift", () => {
  let swift: SwiftServer;
  beforeAll(async () => {
    swift = await startSwift();
  }, 60_000);
  afterAll(() => swift[Symbol.asyncDispose]());

  async function createBucket({ isVersioned = false } = {}) {
    const address = `s3://b-${randomUUID()}/cm?endpoint=${swift.endpoint}`;
    const client = createClient(parseBucket(address, {}), createKeyFinder(swift.env));
    await client.send({ method: "PUT", action: "s3:CreateBucket" });
    const [query, body] = [{ versioning: "" }, Buffer.from(ENABLE)];
    if (isVersioned)
      await client.send({ method: "PUT", action: "s3:PutBucketVersioning", query, body });
    return { client, store: openBucket(address, swift.env) };
  }

  describeMediaStore({ place: "a bucket", create: async () => (await createBucket()).store });
  describeMediaStore({
    place: "a bucket with versions",
    create: async () => (await createBucket({ isVersioned: true })).store,
  });

  test.each([false, true])(
    "the doctor finds nothing to grant: versions %j",
    async (isVersioned) => {
      const { store } = await createBucket({ isVersioned });
      expect((await store.check?.())?.filter(({ level }) => level === "error")).toEqual([]);
    },
  );

  test("all versions of a recording are deleted", async () => {
    const { client, store } = await createBucket({ isVersioned: true });
    const media = await store.put({ name: "a", content: Buffer.from("first") });
    const key = `${media.sha256.slice(0, 2)}/${media.sha256}`;
    for (const text of ["second", "third"])
      await client.send({ method: "PUT", action: "s3:PutObject", key, body: Buffer.from(text) });
    await client.send({ method: "DELETE", action: "s3:DeleteObject", key });
    expect(await store.delete(media.sha256)).toBe(undefined);
    const query = { versions: "" };
    const { body } = await client.send({ method: "GET", action: "s3:ListBucketVersions", query });
    expect(body).not.toContain(media.sha256);
  });

  test("a body that is not what was signed is refused", async () => {
    const { client } = await createBucket();
    const headers = { "x-amz-content-sha256": "0".repeat(64) };
    const body = Buffer.from("sound");
    const sent = client.send({ method: "PUT", action: "s3:PutObject", key: "a", headers, body });
    await expect(sent).rejects.toThrow(/400 \w*(?:BadDigest|SHA256Mismatch)/);
  });

  test("another content under the same key is damaged", async () => {
    const { client, store } = await createBucket();
    const media = await store.put({ name: "a", content: Buffer.from("first") });
    const key = `${media.sha256.slice(0, 2)}/${media.sha256}`;
    await client.send({ method: "PUT", action: "s3:PutObject", key, body: Buffer.from("other") });
    await expect(store.open(media)).rejects.toMatchObject({ reason: "damaged" });
  });

  test("a URL of a recording is good without keys, and says what it is", async () => {
    const { store } = await createBucket();
    const media = await store.put({ name: "a", content: Buffer.from("sound") });
    const disposition = `attachment; filename="a b+c.wav"; filename*=UTF-8''%C3%A4.wav`;
    const grant = { seconds: 60, type: "audio/wav", disposition };
    const sent = await fetch((await store.presign?.(media, grant)) ?? "");
    expect(await sent.text()).toBe("sound");
    const [type, named] = ["content-type", "content-disposition"].map((name) =>
      sent.headers.get(name),
    );
    expect([type, named]).toEqual(["audio/wav", disposition]);
  });

  test("a download goes on when the server was killed in the middle of it", async () => {
    const { store } = await createBucket();
    const content = randomBytes(64 * MIB);
    const media = await store.put({ name: "a", content });
    const file = await store.open(media);
    const whole = Buffer.alloc(content.length);
    await file.read(whole.subarray(0, 8 * MIB));
    await swift.kill();
    const rest = file.read(whole.subarray(8 * MIB));
    await setTimeout(1_000);
    await swift.start();
    await rest;
    await file.close();
    expect(whole.equals(content)).toBe(true);
  });

  test("an upload in parts that the death of the server ends leaves parts, and the next one succeeds", async () => {
    const { store } = await createBucket();
    const content = randomBytes(96 * MIB);
    const sent = store.put({ name: "a", content });
    void sent.catch(() => {});
    await expect.poll(() => listAll(store)).toMatchObject([{ isUnfinished: true }]);
    await swift.kill();
    await expect(sent).rejects.toMatchObject({ reason: "unavailable" });
    await swift.start();

    const left = await listAll(store);
    expect(left).toMatchObject([{ isUnfinished: true }]);
    const media = await store.put({ name: "a", content });
    await store.verify(media);
    for (const { name } of left) await store.delete(name);
    expect(await listAll(store)).toMatchObject([{ sha256: media.sha256, isUnfinished: false }]);
    await store.verify(media);
  });

  test("wrong keys are told", async () => {
    const address = `s3://recordings?endpoint=${swift.endpoint}`;
    const other = openBucket(address, { ...swift.env, AWS_SECRET_ACCESS_KEY: "wrong" });
    await expect(other.reach?.()).rejects.toThrow("the secret key is not that of the access key");
  });
});
