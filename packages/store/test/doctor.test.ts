// The doctor: archives that are really broken, each in one way, and what it says of each.
import { execFile } from "node:child_process";
import {
  chmod,
  copyFile,
  mkdir,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { backUp, examine, type Finding, type Progress } from "../src/keeping/index.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { createClosedArchive, damageIndex, findFile } from "./support/kept-archive.ts";
import { fill, toUser } from "./support/records.ts";

const run = promisify(execFile);

const CALLS = ["a", "b", "c"];

function change(directory: string, sql: string, name = "archive.db"): void {
  using database = new DatabaseSync(join(directory, name));
  database.exec(sql);
}

async function fileOf(directory: string, callId: string): Promise<string> {
  await using store = await openStore({ directory });
  return await findFile(store, directory, callId);
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
  const backup = join(await createFolder(), "backup");
  await backUp({ from: directory, to: backup });
  expect(await examine(backup)).toEqual([]);
});

test("each step says how far it is, up to its end", async () => {
  const directory = await createClosedArchive(...CALLS);
  const told: Progress[] = [];
  await examine(directory, { onProgress: (progress) => told.push(progress) });

  const steps = Map.groupBy(told, ({ step }) => step);
  expect([...steps.keys()]).toEqual([
    "archive.db",
    "records",
    "rights",
    "search index",
    "recordings",
  ]);
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

type Damage = (directory: string) => unknown;

const WAYS: readonly (readonly [what: string, damage: Damage, finding: Partial<Finding>])[] = [
  [
    "no archive",
    (directory) => rm(join(directory, "archive.db")),
    { level: "error", what: "there is no archive in this folder" },
  ],
  [
    "no archive but its log",
    async (directory) => {
      await rm(join(directory, "archive.db"));
      await writeFile(join(directory, "archive.db-wal"), "x");
    },
    { level: "error", what: "archive.db is missing, and its log archive.db-wal is there" },
  ],
  [
    "an empty file",
    (directory) => truncate(join(directory, "archive.db"), 0),
    { level: "error", what: "the file is empty" },
  ],
  [
    "something else",
    (directory) => writeFile(join(directory, "archive.db"), "a letter to my mother"),
    { level: "error", what: "this is no SQLite database" },
  ],
  [
    "a database that is cut",
    (directory) => truncate(join(directory, "archive.db"), 40_000),
    { level: "error", what: expect.stringMatching(/^it (is damaged|cannot be read): /) },
  ],
  [
    "a database with a damaged page",
    (directory) => damageIndex(join(directory, "archive.db"), "call_by_call_id"),
    { level: "error", what: expect.stringMatching(/^it is damaged: /) },
  ],
  [
    "damaged credentials",
    (directory) => writeFile(join(directory, "access.db"), "x"),
    { level: "error", what: "this is no SQLite database" },
  ],
  [
    "a schema of the future",
    (directory) => change(directory, "PRAGMA user_version = 999"),
    {
      level: "error",
      what: expect.stringContaining("it has schema 999, this program knows up to"),
    },
  ],
  [
    "a schema of the past",
    (directory) => change(directory, "PRAGMA user_version = 1"),
    { level: "warning", what: expect.stringContaining("it has schema 1, this program writes") },
  ],
  [
    "a recording without its media row",
    (directory) => change(directory, "PRAGMA foreign_keys = OFF; DELETE FROM media"),
    { level: "error", what: "3 rows point to what is not there: recording to media" },
  ],
  [
    "calls that the index does not have",
    (directory) => change(directory, "DELETE FROM index_piece"),
    {
      level: "error",
      what: "the search index does not fit the calls: it has 0 calls, the archive 3",
    },
  ],
  [
    "an index that lacks a page",
    (directory) =>
      change(directory, "DELETE FROM index_page WHERE id = (SELECT max(id) FROM index_page)"),
    {
      level: "error",
      what: expect.stringMatching(/^the search index lacks the page/),
    },
  ],
  [
    "an index with the terms of another archive",
    (directory) =>
      change(directory, "UPDATE setting SET value = '0123456789abcdef' WHERE name = 'index_seed'"),
    {
      level: "error",
      what: expect.stringMatching(/^the search index does not fit the calls: it has \d+ terms/),
    },
  ],
  [
    "a call that the index has taken out",
    (directory) =>
      change(
        directory,
        "UPDATE index_piece SET gone = 1, removed = x'01000000' WHERE id = (SELECT max(id) FROM index_piece)",
      ),
    {
      level: "error",
      what: "the search index does not fit the calls: it has 2 calls, the archive 3",
    },
  ],
  [
    "a call with another value than was imported",
    (directory) =>
      change(
        directory,
        "UPDATE call SET record = json_insert(record, '$[#]', 'video') WHERE call_id = 'b'",
      ),
    { level: "error", what: "calls are not what was imported: 1, call_id b for one" },
  ],
  [
    "a call that is no JSON any more",
    (directory) => change(directory, "UPDATE call SET record = '[\"agent' WHERE call_id = 'b'"),
    { level: "error", what: "calls are not what was imported: 1, call_id b for one" },
  ],
  [
    "a call with a recording of another name",
    (directory) =>
      change(
        directory,
        "UPDATE recording SET filename = 'other.wav' WHERE part = 1 AND call = (SELECT id FROM call WHERE call_id = 'b')",
      ),
    { level: "error", what: "calls are not what was imported: 1, call_id b for one" },
  ],
  [
    "a call with the rights of another",
    (directory) =>
      change(
        directory,
        `INSERT INTO restricted_value (id, field, key) VALUES (99, 'agent', 'eve');
         UPDATE call SET restricted = x'63' WHERE call_id = 'b'`,
      ),
    { level: "error", what: "calls carry the rights of other calls: 1, call_id b for one" },
  ],
  [
    "a chat message with another text",
    (directory) =>
      change(directory, "INSERT INTO chat (call_id, digest, record) VALUES ('b', x'00', '{}')"),
    { level: "error", what: "chat messages are not what was imported: 1, call_id b for one" },
  ],
  [
    "no media folder",
    (directory) => rename(join(directory, "media"), join(directory, "medium")),
    { level: "error", what: "the folder of the recordings is missing" },
  ],
  [
    "a missing recording",
    async (directory) => rm(await fileOf(directory, "b")),
    { level: "error", what: "recordings are missing: 1 file" },
  ],
  [
    "a recording of another length",
    async (directory) => writeFile(await fileOf(directory, "b"), "BB"),
    {
      level: "error",
      what: "recordings have another length than was imported: 1 file",
    },
  ],
  [
    "a recording that no record names",
    async (directory) => copyFile(await fileOf(directory, "b"), join(directory, "media", "stray")),
    { level: "warning", what: "no record names what lies here: 1 file" },
  ],
  [
    "a file that was never finished",
    async (directory) => {
      await writeFile(join(directory, "media", ".x.part"), "x");
      await utimes(join(directory, "media", ".x.part"), 1, 1);
    },
    {
      level: "warning",
      what: "an import or a backup was cut off and left behind: 1 file",
    },
  ],
  [
    "a folder that everybody can read",
    async (directory) => {
      await chmod(directory, 0o755);
      await chmod(join(directory, "archive.db"), 0o644);
    },
    { level: "error", what: "every user of this machine can read it" },
  ],
  [
    "a log that has grown",
    async (directory) => {
      await writeFile(join(directory, "access.db-wal"), "");
      await truncate(join(directory, "access.db-wal"), 300 * 1024 ** 2);
    },
    { level: "warning", what: "the log of the database has grown to 300 MiB" },
  ],
];

describe("the doctor finds", () => {
  test.each(WAYS)("%s", async (_what, damage, finding) => {
    const directory = await createClosedArchive(...CALLS);
    await damage(directory);

    const findings = await examine(directory);

    expect(findings).toEqual([expect.objectContaining(finding)]);
    expect(findings[0]?.where).toContain(directory);
    expect(findings[0]?.todo).not.toBe("");
  });

  test("no folder, and a file instead of one", async () => {
    const folder = await createFolder();
    await writeFile(join(folder, "file"), "x");
    for (const name of ["none", "file"])
      expect(await examine(join(folder, name))).toMatchObject([
        { what: "there is no such folder" },
      ]);
  });

  test("a clock that went back, and credentials of users who may not sign in", async () => {
    const directory = await createFolder();
    await using store = await createStore({ directory });
    const users = [toUser(1), toUser(2, { status: 0 }), toUser(3, { status: 2 })];
    await fill(
      store,
      users.map((record) => ({ kind: "user", record })),
    );
    const createdMs = Date.now();
    for (const { id: userId } of users)
      await store.credentials.addBearer({
        id: `k${userId}`,
        kind: "key",
        hash: `h${userId}`,
        userId,
        createdMs,
      });

    expect(await examine(directory, { now: () => createdMs - 3_600_000 })).toMatchObject([
      { level: "error", what: expect.stringContaining("the clock of this machine is wrong") },
      { level: "warning", what: "API key k2 belongs to a user who is inactive: user 2" },
      { level: "warning", what: "API key k3 belongs to a user who is deleted: user 3" },
    ]);
  });

  test("an access log of which a row was removed", async () => {
    const directory = await createFolder();
    await using store = await createStore({ directory });
    await store.accessLog.append(
      {
        timeMs: 1,
        requestId: "r",
        address: "",
        userId: 1,
        credential: "k",
        operation: "listPublicFlags",
        asked: {},
        callIds: [],
        rows: 0,
        status: 200,
      },
      true,
    );
    change(directory, "DROP TRIGGER access_kept; DELETE FROM access", "access.db");

    expect(await examine(directory)).toMatchObject([
      { level: "error", what: "the access log was changed: row 1 was removed" },
    ]);
  });

  test("a backup that was changed", async () => {
    const directory = await createClosedArchive(...CALLS);
    const backup = join(await createFolder(), "backup");
    await backUp({ from: directory, to: backup });
    change(backup, "DELETE FROM chat; INSERT INTO setting VALUES ('x', 'y')");

    expect(await examine(backup)).toMatchObject([
      { level: "error", what: expect.stringContaining("is not what backup.json names") },
    ]);
  });
});

// As root every permission is granted, so it runs as nobody; a disk of its own needs a namespace of its own.
const EXAMINE = `
  const { examine } = await import(process.argv[1]);
  console.log(JSON.stringify(await examine(process.argv[2])));
`;
const DOOR = new URL("../src/keeping/index.ts", import.meta.url).href;
const SCRIPT = ["--input-type=module", "--eval", EXAMINE, DOOR];

async function hasNamespaces(): Promise<boolean> {
  return await run("unshare", ["-rm", "true"]).then(
    () => true,
    () => false,
  );
}

describe.runIf(await hasNamespaces())("on a disk of its own, the doctor finds", () => {
  const examineOnDisk = async (directory: string, prepare: string): Promise<Finding[]> => {
    const disk = join(await createFolder(), "disk");
    await mkdir(disk);
    const mount = `mount -t tmpfs -o size=16m tmpfs "$1" && cp -a "$2/." "$1" && ${prepare} && shift 2 && exec "$@"`;
    const script = [process.execPath, ...SCRIPT, disk];
    const { stdout } = await run("unshare", [
      "-rm",
      "sh",
      "-c",
      mount,
      "sh",
      disk,
      directory,
      ...script,
    ]);
    return JSON.parse(stdout);
  };

  test("that it is nearly full", async () => {
    const directory = await createClosedArchive(...CALLS);
    expect(await examineOnDisk(directory, "true")).toMatchObject([
      {
        level: "warning",
        what: expect.stringMatching(/^the disk is nearly full: \d+ MiB are left$/),
      },
    ]);
  });

  test("that it can only be read", async () => {
    const directory = await createClosedArchive(...CALLS);
    expect(await examineOnDisk(directory, 'mount -o remount,ro "$1"')).toMatchObject([
      { level: "error", what: "the disk can only be read" },
      { level: "warning", what: expect.stringContaining("the disk is nearly full") },
    ]);
  });
});
