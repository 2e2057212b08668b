// The doctor: it says nothing of what is well, changes nothing, tells how far it is, and looks at backups, too.
import { appendFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backUp, examine, type Progress } from "./support/maintenance.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { CALLS, change, RESTORE } from "./support/examined.ts";
import { createClosedArchive } from "./support/kept-archive.ts";
import { fill, toUser } from "../src/suite/records.ts";

async function createBackup(directory: string): Promise<string> {
  const backup = join(await createFolder(), "backup");
  await backUp({ from: directory, to: backup });
  return backup;
}

test("an archive that is well is well, closed or in use, and so is its backup", async () => {
  const directory = await createClosedArchive(...CALLS);
  expect(await examine(directory)).toEqual([]);
  await using store = await openStore({ directory });
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  await store.credentials.addApplication({
    secretID: "app",
    keyHash: "h",
    userId: 1,
    createdMs: Date.now(),
  });
  expect(await examine(directory)).toEqual([]);
  expect(await examine(await createBackup(directory))).toEqual([]);
});

test("each step says how far it is, up to its end", async () => {
  const directory = await createClosedArchive(...CALLS);
  const told: Progress[] = [];
  await examine(directory, { onProgress: (progress) => told.push(progress) });

  const steps = Map.groupBy(told, ({ step }) => step);
  expect([...steps.keys()]).toEqual(["archive.db", "records", "search index", "recordings"]);
  steps.delete("archive.db");
  for (const progresses of steps.values()) {
    const { bytesDone, bytesTotal } = progresses.at(-1) ?? {};
    expect(bytesDone).toBe(bytesTotal);
    expect(bytesTotal).toBeGreaterThan(0);
  }
});

test("looking changes nothing", async () => {
  const directory = await createClosedArchive(...CALLS);
  const before = await stat(join(directory, "archive.db"), { bigint: true });
  await examine(directory);
  const after = await stat(join(directory, "archive.db"), { bigint: true });
  expect([after.mtimeNs, after.size]).toEqual([before.mtimeNs, before.size]);
});

describe("of a backup the doctor says that", () => {
  const CHANGED = "it was damaged or changed, or a later backup was cut off";

  test.each<[what: string, damage: (backup: string) => unknown, file: string, said: string]>([
    [
      "archive.db was changed",
      (backup) => change(backup, "PRAGMA application_id = 7"),
      "archive.db",
      ` is not what backup.json names: ${CHANGED}`,
    ],
    [
      "access.db was changed",
      (backup) => change(backup, "PRAGMA application_id = 7", "access.db"),
      "access.db",
      ` is not what backup.json names: ${CHANGED}`,
    ],
    [
      "somebody has put a log beside it",
      (backup) => writeFile(join(backup, "access.db-journal"), ""),
      "access.db",
      ` is not what backup.json names: ${CHANGED}`,
    ],
    [
      "its backup.json is damaged",
      (backup) => appendFile(join(backup, "backup.json"), "x"),
      "backup.json",
      " is damaged, or was written by a newer version",
    ],
  ])("%s", async (_what, damage, file, said) => {
    const backup = await createBackup(await createClosedArchive(...CALLS));
    expect(await examine(backup)).toEqual([]);

    await damage(backup);

    expect(await examine(backup)).toEqual([
      {
        level: "error",
        what: `${join(backup, file)}${said}`,
        where: backup,
        todo: `make the backup again, or ${RESTORE}`,
      },
    ]);
  });
});
