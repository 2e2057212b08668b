// An archive whose access.db is gone, empty or another's: it is not opened as if it never had one, until an operator says so.
// Nor is an archive made beside the access.db of one that is gone.
import { cp, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backUp, beginAccessLogAnew, examine, purge, restore } from "./support/maintenance.ts";
import { createStore, openScratchCopy, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { createClosedArchive } from "./support/kept-archive.ts";
import { fill, toUser } from "../src/suite/records.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";

const accessOf = (directory: string) => join(directory, "access.db");
const remove = (directory: string) => rm(accessOf(directory));
const empty = (directory: string) => truncate(accessOf(directory), 0);

/** An archive with an application, a row in its access log, and a call. */
async function createUsed(): Promise<string> {
  const directory = await createClosedArchive("a");
  await using store = await openStore({ directory });
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  const createdMs = Date.now();
  await store.credentials.addApplication({ secretID: "app", keyHash: "h", userId: 1, createdMs });
  await store.accessLog.append(toEntry(), true);
  return directory;
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size;

describe.each([
  ["removed", remove],
  ["emptied", empty],
] as const)("an access.db that was %s", (_what, lose) => {
  test("is missed, whatever is asked of the archive, and none is made", async () => {
    const directory = await createUsed();
    await lose(directory);
    const size = await sizeOf(accessOf(directory));
    const message = `${accessOf(directory)} is lost, and with it the credentials and the access log of this archive: put it back from a backup ("restore"), or begin a new one with "audit begin-anew"`;

    await expect(openStore({ directory })).rejects.toThrow(message);
    await expect(createStore({ directory })).rejects.toThrow(message);
    const to = join(await createFolder(), "backup");
    await expect(backUp({ from: directory, to })).rejects.toThrow(message);
    const filter = { callId: "a" };
    await expect(purge({ directory, filter, operator: "mia" })).rejects.toThrow(message);

    expect(await sizeOf(accessOf(directory))).toBe(size);
  });

  test("can be begun anew: an empty log that says so, and no credentials", async () => {
    const directory = await createUsed();
    await lose(directory);
    await beginAccessLogAnew({ directory, operator: "mia" });

    await using store = await openStore({ directory });
    const rows = await readAll(store);
    expect(rows).toMatchObject([{ seq: 1, operation: "audit begin-anew", operator: "mia" }]);
    expect(await store.accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });
    expect(await store.credentials.application("app")).toBeUndefined();
    expect(await store.calls.byCallId("a", "everything")).toHaveLength(1);
    expect(await examine(directory)).toEqual([]);
  });
});

test("the doctor says that it is lost, or another archive's", async () => {
  const directory = await createUsed();
  await remove(directory);
  expect(await examine(directory)).toMatchObject([
    { level: "error", what: expect.stringMatching(/^access\.db is lost/) },
  ]);
  await cp(accessOf(await createUsed()), accessOf(directory));
  expect(await examine(directory)).toMatchObject([
    { level: "error", what: expect.stringMatching(/^access\.db belongs to another archive/) },
  ]);
});

test("that of another archive is refused", async () => {
  const directory = await createUsed();
  await cp(accessOf(await createUsed()), accessOf(directory));
  await expect(openStore({ directory })).rejects.toThrow("belongs to another archive");
});

test("nothing is begun anew while nothing is lost", async () => {
  const directory = await createUsed();
  const beginning = beginAccessLogAnew({ directory, operator: "mia" });
  await expect(beginning).rejects.toThrow("nothing was done");
  await using store = await openStore({ directory });
  expect(await store.credentials.application("app")).toBeDefined();
  expect(await readAll(store)).toHaveLength(1);
});

test("one that goes while the archive is open is not made anew by the next row", async () => {
  const directory = await createClosedArchive("a");
  const store = await openStore({ directory });
  await remove(directory);
  await expect(store.accessLog.append(toEntry(), true)).rejects.toThrow("the file is gone");
  expect(await sizeOf(accessOf(directory))).toBeUndefined();
  await store[Symbol.asyncDispose]();
});

test("a backup, its restore and a dry run have what they need", async () => {
  const directory = await createUsed();
  const folder = await createFolder();
  await backUp({ from: directory, to: join(folder, "backup") });
  await restore({ from: join(folder, "backup"), to: join(folder, "restored") });
  await using restored = await openStore({ directory: join(folder, "restored") });
  expect(await readAll(restored)).toHaveLength(1);

  await using scratch = await openScratchCopy({ directory });
  expect(await readAll(scratch)).toEqual([]);
});

const archiveOf = (directory: string) => join(directory, "archive.db");

test.each([
  ["removed", (directory: string) => rm(archiveOf(directory))],
  ["emptied", (directory: string) => truncate(archiveOf(directory), 0)],
])(
  "beside an access.db whose archive.db was %s none is made, whose users would be others",
  async (_what, lose) => {
    const directory = await createUsed();
    await lose(directory);
    const size = await sizeOf(archiveOf(directory));
    const message = `${archiveOf(directory)} is lost, and ${accessOf(directory)} has the credentials of its users: put it back`;

    await expect(createStore({ directory })).rejects.toThrow(message);
    await expect(openStore({ directory })).rejects.toThrow(message);
    await expect(openScratchCopy({ directory })).rejects.toThrow(message);
    await expect(beginAccessLogAnew({ directory, operator: "mia" })).rejects.toThrow(
      /is lost|no archive/,
    );
    expect(await sizeOf(archiveOf(directory))).toBe(size);

    await remove(directory);
    await using store = await createStore({ directory });
    expect(await store.credentials.application("app")).toBeUndefined();
  },
);
