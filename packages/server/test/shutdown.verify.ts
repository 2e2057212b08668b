// How a process that serves ends: a second signal ends it at once, and a log that nobody reads does not hold it up.
import { expect, onTestFinished, test } from "vitest";
import { openDownload } from "./support/download.ts";
import { startProgram } from "./support/program.ts";
import { addMedia, ALLOWED_ALL, startTestService, toCall } from "./support/service.ts";

// More than the buffers of a connection hold, so that it takes a client that reads to send it.
const SOUND_BYTES = 60_000_000;
const PATH = "/recording/stream-by-call-id/long";

// Longer than a test may take: a program that ends with this setting has not waited.
const FOR_EVER = ["--shutdown-timeout", "86400"];

async function createLongRecording() {
  const archive = await startTestService();
  onTestFinished(() => archive[Symbol.asyncDispose]());
  const { key } = await archive.addUser(ALLOWED_ALL);
  const sound = await addMedia(archive.store, "a.wav", Buffer.alloc(SOUND_BYTES, 7));
  await archive.add(toCall({ call_id: "long", datetime: "2026-01-05T10:00:00Z" }, [sound]));
  return { archive, key };
}

test.each<[first: NodeJS.Signals, second: NodeJS.Signals]>([
  ["SIGINT", "SIGTERM"],
  ["SIGTERM", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
])("after %s a second signal, %s, ends it at once", async (first, second) => {
  const { archive, key } = await createLongRecording();
  await using program = await startProgram(archive.directory, FOR_EVER);
  await openDownload(program, PATH, key);
  program.signal(first);
  await expect.poll(() => program.output().stderr).toContain("stopping");
  program.signal(second);
  expect(await program.ended).toEqual({ code: null, signal: second });
});

test("a log that nobody reads holds up neither answers nor the end, and no row of the access log is lost", async () => {
  await using archive = await startTestService();
  const { key } = await archive.addUser(ALLOWED_ALL);
  await using program = await startProgram(archive.directory);
  program.ignoreLog();
  const headers = { Authorization: `Bearer ${key}` };
  const ask = async () => (await fetch(`${program.baseUrl}/flags/public`, { headers })).status;
  const statuses = [];
  for (let n = 0; n < 100; n += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, ask))));
  expect(new Set(statuses)).toEqual(new Set([200]));
  program.signal("SIGTERM");
  expect(await program.ended).toEqual({ code: null, signal: "SIGKILL" });
  expect((await archive.store.accessLog.verify()).rows).toBe(2_001); // and that of the key
});
