// An archive of an earlier version: the program says that it is brought up to date, and goes on with what it was asked.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ARCHIVE_SCHEMA } from "@call-media/store/migrations";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./support/command.ts";

test("an import into an archive of schema 5 says how many calls are written anew, once", async () => {
  const directory = await createSchema5(["a", "b"]);
  const path = join(directory, "calls.jsonl");
  await writeFile(path, '{"kind":"call","call_id":"c"}\n');
  const imports = () => run("import", "--data", directory, "--format", "jsonl", path);

  const { code, stdout, stderr } = await imports();
  expect([code, stdout]).toEqual([0, "read 1 = imported 1 + unchanged 0 + rejected 0\n"]);
  expect(stderr).toContain("bringing the archive up to date: 2 calls\n");
  expect((await imports()).stderr).not.toContain("up to date");
});

/** As the program of then made it, with calls that have nothing but these identifiers. */
async function createSchema5(callIds: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "call-media-upgrade-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  using archive = new DatabaseSync(join(directory, "archive.db"));
  archive.function("combination_of", (_record) => "");
  for (const step of ARCHIVE_SCHEMA.slice(0, 5)) archive.exec(String(step));
  archive.exec(
    "PRAGMA journal_mode = WAL; PRAGMA user_version = 5; INSERT INTO setting VALUES ('time_zone', 'UTC')",
  );
  const insert = archive.prepare(
    "INSERT INTO call (id, call_id, digest, record) VALUES (?, ?, ?, '{}')",
  );
  for (const [index, callId] of callIds.entries()) insert.run(index, callId, new Uint8Array(16));
  return directory;
}
