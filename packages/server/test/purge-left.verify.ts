// What purge says when somebody reads an old state of the archive for longer than it waits: that not all is gone yet.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { importFiles } from "@call-media/import";
import { createStore } from "@call-media/store/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./support/command.ts";

test("rows that are gone while the log still has them end it with 2, and with 0 when it is run again", async () => {
  const directory = await createArchive('{"kind":"call","call_id":"A"}\n');
  const purge = () => run("purge", "--data", directory, "--call-id", "A", "--yes");
  const reader = new DatabaseSync(join(directory, "archive.db"), { readOnly: true });
  onTestFinished(() => reader.close());
  reader.exec("BEGIN; SELECT count(*) FROM call");

  const { code, stdout, stderr } = await purge();
  expect([code, stdout]).toEqual([
    2,
    expect.stringContaining("Taken out: 1 record, 0 chat messages, 0 files of recordings (0 B).\n"),
  ]);
  expect(stderr).toMatch(
    /^call-media-server: the database's log still holds .*: run purge again$/m,
  );

  reader.exec("COMMIT");
  expect(await purge()).toMatchObject({ code: 0, stderr: "" }); // which has it from the log that A was there
});

async function createArchive(lines: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "call-media-purge-left-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, "calls.jsonl");
  await writeFile(path, lines);
  await using store = await createStore({ directory });
  await importFiles({ store, paths: [path], format: "jsonl" });
  return directory;
}
