// What the doctor says of an archive's folder: what is missing in it, and who may read it.
import { chmod, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine } from "./support/maintenance.ts";
import { createFolder } from "./support/archives.ts";
import { type BrokenWay, CALLS, RESTORE, testFindings } from "./support/examined.ts";
import { createClosedArchive } from "./support/kept-archive.ts";

const WAYS: readonly BrokenWay[] = [
  [
    "no records, but the credentials",
    (directory) => rm(join(directory, "archive.db")),
    {
      level: "error",
      what: "archive.db is missing, and with it every record",
      where: "archive.db",
      todo: `put it back, or ${RESTORE}`,
    },
  ],
  [
    "no archive but its log",
    async (directory) => {
      await rm(join(directory, "archive.db"));
      await writeFile(join(directory, "archive.db-wal"), "x");
    },
    {
      level: "error",
      what: "archive.db is missing, and its log archive.db-wal is there",
      where: "",
      todo: `put archive.db back where its log is: the newest rows are in the log; else ${RESTORE}`,
    },
  ],
  [
    "no media folder",
    (directory) => rename(join(directory, "media"), join(directory, "medium")),
    {
      level: "error",
      what: "the folder of the recordings is missing",
      where: "media",
      todo: `put it back, or ${RESTORE}`,
    },
  ],
  [
    "a log that has grown",
    async (directory) => {
      await writeFile(join(directory, "access.db-wal"), "");
      await truncate(join(directory, "access.db-wal"), 300 * 1024 ** 2);
    },
    {
      level: "warning",
      what: "the log of the database has grown to 300 MiB",
      where: "access.db-wal",
      todo: "stop the service and start it again: it is taken in when nobody reads an old state any more",
    },
  ],
];

describe("the doctor finds", () => {
  testFindings(WAYS);

  test("no archive in a folder", async () => {
    const folder = await createFolder();
    await chmod(folder, 0o700);
    expect(await examine(folder)).toEqual([
      {
        level: "error",
        what: "there is no archive in this folder",
        where: join(folder, "archive.db"),
        todo: 'make one with "import", or restore a backup',
      },
    ]);
  });

  test.each(["none", "file"])("no folder: %s", async (name) => {
    const folder = await createFolder();
    await writeFile(join(folder, "file"), "x");
    expect(await examine(join(folder, name))).toEqual([
      {
        level: "error",
        what: "there is no such folder",
        where: join(folder, name),
        todo: "look for a misspelt --data",
      },
    ]);
  });

  test("what everybody can read, unless nobody else gets into the folder", async () => {
    const directory = await createClosedArchive(...CALLS);
    const names = ["access.db", "archive.db", "media"];
    for (const name of names) await chmod(join(directory, name), 0o705);
    await chmod(directory, 0o700);
    expect(await examine(directory)).toEqual([]);

    await chmod(directory, 0o701);
    const findings = await examine(directory);
    expect(findings).toEqual(
      expect.arrayContaining(
        names.map((name) => ({
          level: "error",
          what: "every user of this machine can read it",
          where: join(directory, name),
          todo: `chmod -R o= ${directory}`,
        })),
      ),
    );
    // The logs that looking has left behind take over what their databases have.
    expect(findings.filter(({ where }) => !/\.db-(wal|shm)$/.test(where))).toHaveLength(
      names.length,
    );
  });
});
