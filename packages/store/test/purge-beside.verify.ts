// A purge beside others: who waits for whom, and who is refused.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { planPurge, purge } from "./support/maintenance.ts";
import { createArchive } from "./support/archives.ts";
import { contains, listIds, purgeFrom, SECRET } from "./support/purging.ts";
import { call, fill } from "../src/suite/records.ts";
import { readAll } from "../src/suite/access-log.ts";

test("a purge waits for whoever reads an old state, whose log would keep what is erased", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [call({ call_id: "A", datetime: "2025-05-01T10:00:00Z", notes: SECRET })]);
  using reader = new DatabaseSync(join(directory, "archive.db"), { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM call");
  const released = setTimeout(700).then(() => reader.exec("COMMIT"));

  expect(await purgeFrom(directory, { callId: "A" })).toMatchObject({ isComplete: true });
  await released;
  expect(await contains(directory, SECRET)).toEqual([]);
});

test("an import and a purge refuse each other, and a refused purge takes nothing", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [call({ call_id: "A", datetime: "2025-05-01T10:00:00Z" })]);
  {
    await using session = await store.openImport();
    await expect(purgeFrom(directory, { callId: "A" })).rejects.toThrow("an import, a backup");
    await session.write([]);
  }
  expect(await listIds(store)).toEqual(["A"]);
  expect(await readAll(store)).toEqual([]);

  let refusal: unknown;
  await purge({
    directory,
    filter: { callId: "A" },
    operator: "olive",
    onProgress: () => {
      refusal ??= store.openImport().catch((error: unknown) => error);
    },
  });
  expect(await refusal).toMatchObject({ message: expect.stringContaining("being purged") });
});

test("what else keeps a purge from its lock is said as it is", async () => {
  const { directory } = await createArchive();
  await writeFile(join(directory, "purge.lock"), "no database");

  await expect(planPurge({ directory, filter: { callId: "a" } })).rejects.toThrow(
    /purge\.lock cannot be used: file is not a database/,
  );
});

test("an import keeps other programs from purging, whatever else its own one opens and closes", async () => {
  const { directory, ...store } = await createArchive();
  const first = await store.openImport();
  onTestFinished(() => first[Symbol.asyncDispose]());
  await (await store.openImport())[Symbol.asyncDispose]();
  const module = new URL("./support/maintenance.ts", import.meta.url).href;
  const purging = `const { purge } = await import(process.argv[1]);
    await purge({ directory: process.argv[2], filter: { callId: "A" }, operator: "olive" });`;
  const args = ["--input-type=module", "--eval", purging, module, directory];
  const { stderr } = await promisify(execFile)(process.execPath, args).catch(
    (error: { stderr: string }) => error,
  );
  expect(stderr).toContain("an import, a backup, an export or another purge is under way");
});
