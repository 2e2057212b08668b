// An archive whose recordings lie in a bucket that dies, says nothing, or holds what is to be purged.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createArchive, serve } from "./support/bucket-archive.ts";
import { openDownload } from "./support/download.ts";
import { run } from "./support/command.ts";

const MIB = 1024 ** 2;

/** The keys of the recordings, without those of what the archive keeps beside them. */
const listMedia = ({ objects }: { readonly objects: ReadonlyMap<string, unknown> }) =>
  [...objects.keys()].filter((key) => !key.includes("/.call-media"));

const STREAM = "/recording/stream-by-call-id/A";

test("an import goes on after the bucket died in the middle of a recording, and takes it whole", async () => {
  const content = randomBytes(20 * MIB);
  const { server, places, lines } = await createArchive(content);
  const dead = Promise.withResolvers<void>();
  const act = () => void server.stop().then(dead.resolve);
  server.faults.whenArrived = { bytes: 10 * MIB, act };
  expect(await run("import", ...places, lines)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("s3://recordings/cm cannot be reached"),
  });
  await dead.promise;
  const toMedia = () => listMedia(server);
  expect(toMedia()).toEqual([]);

  await server.start();
  expect(await run("import", ...places, lines)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("imported 1"),
  });
  expect(server.objects.get(toMedia()[0] ?? "")?.[0]?.content.equals(content)).toBe(true);
  const verified = await run("verify", "--remove-leftovers", ...places);
  expect(verified.code).toBe(0);
  expect(server.uploads.size).toBe(0);
});

test("a bucket that accepts connections and says nothing keeps nobody from metadata", async () => {
  const { server, program, get } = await serve(randomBytes(1_000));
  server.faults.delayMs = 60_000;
  const response = await fetch(`${program.baseUrl}/readyz`, { signal: AbortSignal.timeout(3_000) });
  expect(response.status).toBe(200);
  expect((await get("/metadata/by-call-id/A")).status).toBe(200);
  server.faults.delayMs = 0;
  await program.stop();
});

test("a client that goes away ends what is read for it from the bucket", async () => {
  const { server, program, key } = await serve(randomBytes(40 * MIB));
  const download = await openDownload(program, STREAM, key);
  expect(server.countOpen()).toBe(1);
  download.abandon();
  await expect.poll(() => server.countOpen()).toBe(0);
  await program.stop();
});

test("purge says what an object lock keeps, and takes it when the lock has ended", async () => {
  const { server, places, lines } = await createArchive(randomBytes(1_000));
  server.settings.set("versioning", "<Versioning><Status>Enabled</Status></Versioning>");
  await run("import", ...places, lines);
  const [name = ""] = listMedia(server);
  const lockedUntil = new Date(Date.now() + 60_000).toISOString();
  server.lock(name, { lockedUntil });
  const purge = () => run("purge", "--call-id", "A", "--yes", ...places);
  expect(await purge()).toMatchObject({
    code: 2,
    stderr: `call-media-server: not deleted yet: ${name}, by object lock until ${lockedUntil}\n`,
  });
  server.lock(name, { lockedUntil: undefined });
  expect(await purge()).toMatchObject({ code: 0 });
  expect(listMedia(server)).toEqual(["cm/ledger/000001.json"]);
});
