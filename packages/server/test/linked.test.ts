// Recordings that an import has linked: the service sends them from where they lie, and never what was put in their place.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStore } from "@call-media/store/sqlite";
import { createApiKey } from "../src/index.ts";
import { run } from "./support/command.ts";
import { startServing } from "./support/program.ts";
import { ALLOWED_ALL, toUser } from "./support/service.ts";

test("a linked recording is served until its file changes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-media-linked-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [directory, sounds] = [join(folder, "archive"), join(folder, "sounds")];
  await mkdir(sounds);
  await writeFile(join(sounds, "a.wav"), "sound of a");
  const call = { kind: "call", call_id: "A", datetime: "2026-05-01T10:00:00Z" };
  const lines = join(folder, "calls.jsonl");
  await writeFile(lines, JSON.stringify({ ...call, media: [{ file: "a.wav" }] }));

  const imported = await run(
    "import",
    "--data",
    directory,
    "--recordings",
    sounds,
    "--link",
    lines,
  );
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("imported 1") });
  expect(await readdir(join(directory, "media"))).toEqual([
    expect.stringMatching(/^\.call-media-log-/),
  ]);
  const key = await addUser(directory);
  const serving = await startServing(directory);
  const listen = () =>
    fetch(`${serving.baseUrl}/recording/stream-by-call-id/A`, {
      headers: { Authorization: `Bearer ${key}` },
    });

  const response = await listen();
  expect([response.status, await response.text()]).toEqual([200, "sound of a"]);
  expect(response.headers.get("content-disposition")).toContain("a.wav");
  await writeFile(join(sounds, "a.wav"), "SOUND OF A");
  expect((await listen()).status).toBe(503);
  await rm(join(sounds, "a.wav"));
  expect((await listen()).status).toBe(503);
  await serving.stop();
  expect(await run("doctor", "--data", directory)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `error: linked recordings are not where they were: 1 file\n  where: ${join(sounds, "a.wav")}`,
    ),
  });
});

async function addUser(directory: string): Promise<string> {
  await using store = await createStore({ directory });
  await using session = await store.openImport();
  await session.write([
    [{ kind: "user", record: toUser({ ...ALLOWED_ALL, id: 1, username: "mia" }) }],
  ]);
  return (await createApiKey(store, 1)).apiKey;
}
