// An archive whose recordings lie in a bucket: filled, served, and looked after by the program, while the bucket comes and goes.
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { KEYS } from "@call-media/test-setup/s3-server";
import { expect, test } from "vitest";
import { createArchive, serve } from "./support/bucket-archive.ts";
import { run } from "./support/command.ts";
import { scrape, valueOf } from "./support/scrape.ts";

const MIB = 1024 ** 2;

const STREAM = "/recording/stream-by-call-id/A";

test("recordings are streamed from the bucket: whole, in ranges, as base64, and when it breaks off", async () => {
  const content = randomBytes(3 * MIB);
  const { server, program, get } = await serve(content);
  const read = async (response: Response) => Buffer.from(await response.arrayBuffer());

  const whole = await get(STREAM);
  expect([whole.status, whole.headers.get("content-length")]).toEqual([200, String(3 * MIB)]);
  expect((await read(whole)).equals(content)).toBe(true);
  const part = await get(STREAM, { Range: "bytes=1000000-1000009" });
  expect(part.status).toBe(206);
  expect((await read(part)).equals(content.subarray(1_000_000, 1_000_010))).toBe(true);
  const { data } = (await (await get("/recording/by-call-id/A")).json()) as {
    readonly data: { readonly base64: string };
  };
  expect(Buffer.from(data.base64, "base64").equals(content)).toBe(true);

  server.faults.breakOff = { afterBytes: 700_000, times: 3 };
  expect((await read(await get(STREAM))).equals(content)).toBe(true);
  expect(program.output().stdout).toContain("and s3://recordings/cm at http");
  expect(await program.stop()).toBe(0);
});

test("while the bucket is away, metadata is served, recordings are 503, and /readyz says which", async () => {
  const content = randomBytes(MIB);
  const { server, program, get } = await serve(content, ["--metrics-port", "0"]);
  const metric = async () =>
    valueOf(await scrape(program.metricsUrl), "call_media_recordings_ready");
  expect(await metric()).toBe(1);
  const ready = async () => {
    const response = await fetch(`${program.baseUrl}/readyz`);
    return [response.status, await response.text()];
  };
  expect(await ready()).toEqual([200, "ok\n"]);

  await server.stop();
  expect((await get("/metadata/by-call-id/A")).status).toBe(200);
  for (const path of [STREAM, "/recording/by-call-id/A"]) {
    const refused = await get(path);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  }
  expect((await get("/recording/stream-by-call-id/B")).status).toBe(404);
  await expect.poll(ready).toEqual([200, "records: ok\nrecordings: not ready\n"]);

  expect(await metric()).toBe(0);

  await server.start();
  await expect.poll(metric).toBe(1);
  expect(await ready()).toEqual([200, "ok\n"]);
  expect((await get(STREAM)).status).toBe(200);
  server.faults.denied.add("s3:GetObject");
  expect((await get(STREAM)).status).toBe(503);
  expect(await program.stop()).toBe(0);

  const messages = program.log().map(({ err, msg }) => JSON.stringify([msg, err]));
  expect(messages.join("\n")).toMatch(/recordings cannot be reached.*s3:\/\/recordings\/cm cannot/);
  expect(messages.join("\n")).toContain("grant s3:GetObject");
  const { stdout, stderr } = program.output();
  for (const secret of [KEYS.AWS_SECRET_ACCESS_KEY, KEYS.AWS_ACCESS_KEY_ID, "AWS4-HMAC"])
    expect(stdout + stderr).not.toContain(secret);
});

test("doctor, verify, export and purge work on a bucket, and name what is missing there", async () => {
  const { server, places, lines, directory } = await createArchive(randomBytes(1_000));
  await run("import", ...places, lines);
  expect(await run("verify", ...places)).toMatchObject({ code: 0 });
  expect(await run("doctor", ...places)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/warning: no lifecycle rule/),
  });
  const out = join(directory, "../out");
  expect(await run("export", "--out", out, ...places)).toMatchObject({ code: 0 });
  expect(await readdir(join(out, "media"))).toHaveLength(1);

  server.faults.denied.add("s3:DeleteObject");
  expect(await run("doctor", ...places)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      "error: s3://recordings/cm refuses s3:DeleteObject (403 AccessDenied): grant s3:DeleteObject\n  where: s3://recordings/cm\n",
    ),
  });
  expect(await run("purge", "--call-id", "A", "--yes", ...places)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("grant s3:DeleteObject"),
  });
  server.faults.denied.clear();
  const purged = await run("purge", "--call-id", "A", "--yes", ...places);
  expect(purged.stdout).toContain("replicas and snapshots");
  expect([...server.objects.keys()].toSorted()).toEqual([
    "cm/.call-media-archive",
    expect.stringMatching(/^cm\/\.call-media-log-[\da-f]+$/),
    "cm/ledger/000001.json",
    "cm/ledger/if-none-match",
  ]);
});
