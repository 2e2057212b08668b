// Rows of the access log that are lost show by its witness, without a hash that anybody noted.
import { copyFile, cp, open as openFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CallStore } from "../src/index.ts";
import { examine } from "./support/maintenance.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";
import { createClosedArchive } from "./support/kept-archive.ts";
import { fill, toUser } from "../src/suite/records.ts";

const HASH = "ab".repeat(32);

/** An archive with a call, a user, and an API key of that user. */
async function createUsed(): Promise<string> {
  const directory = await createClosedArchive("a");
  await using store = await openStore({ directory });
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  await store.credentials.addBearer({ id: "k", kind: "key", hash: HASH, userId: 1, createdMs: 1 });
  return directory;
}

async function append(store: CallStore, rows: number): Promise<void> {
  const appended = Array.from({ length: rows }, (_, row) =>
    store.accessLog.append(toEntry({ requestId: `request ${row}`, timeMs: row }), true),
  );
  await Promise.all(appended);
}

async function addRows(directory: string, rows: number): Promise<void> {
  await using store = await openStore({ directory });
  await append(store, rows);
}

const accessOf = (directory: string) => join(directory, "access.db");
const archiveOf = (directory: string) => join(directory, "archive.db");

async function verify(directory: string) {
  await using store = await openStore({ directory, toInspect: true });
  return await store.accessLog.verify();
}

/** The archive is refused, and verify and the doctor name what is lost. */
async function expectLoss(
  directory: string,
  loss: string,
  others: readonly string[] = [],
): Promise<void> {
  await expect(openStore({ directory })).rejects.toThrow(
    `${accessOf(directory)} lost rows of its access log, or is an older copy: ${loss}`,
  );
  expect((await verify(directory)).fault).toContain(loss);
  expect(await examine(directory)).toMatchObject([
    ...others.map((what) => ({ level: "error", what })),
    { level: "error", what: expect.stringContaining(loss), where: accessOf(directory) },
  ]);
}

describe("rows that are lost", () => {
  test("as access.db was copied without its log are named, though archive.db was too", async () => {
    const directory = await createUsed();
    const copy = await createFolder();
    await using store = await openStore({ directory });
    await append(store, 318);
    expect(await store.accessLog.witness()).toMatchObject({ seq: 318 });
    for (const fileOf of [accessOf, archiveOf]) await copyFile(fileOf(directory), fileOf(copy));
    await cp(join(directory, "media"), join(copy, "media"), { recursive: true });

    await expectLoss(
      copy,
      "rows 1 to 318 are missing: it is empty, and row 318 of 1970-01-01T00:00:00.317Z was there",
    );
  });

  test("at the end, together with their sequence, are named", async () => {
    const directory = await createUsed();
    await addRows(directory, 10);
    change(
      directory,
      "DROP TRIGGER access_kept; DELETE FROM access WHERE seq > 7; UPDATE sqlite_sequence SET seq = 7",
      "access.db",
    );
    await expectLoss(
      directory,
      "rows 8 to 10 are missing: it ends with row 7, and row 10 of 1970-01-01T00:00:00.009Z was there",
      ["the trigger access_kept is missing"],
    );
  });

  test("and followed by others, in an older file that went on, are named", async () => {
    const directory = await createUsed();
    await addRows(directory, 2);
    await copyFile(accessOf(directory), join(directory, "older"));
    await addRows(directory, 3);
    await copyFile(join(directory, "older"), accessOf(directory));
    const loss = "row 5 is not the one of 1970-01-01T00:00:00.002Z that was there";
    {
      await using store = await openStore({ directory, toInspect: true });
      await append(store, 1);
      await append(store, 5);
      await expect(store.accessLog.witness()).rejects.toThrow(loss);
    }
    await rm(join(directory, "older"));
    await expectLoss(directory, loss);
  });

  test("where 64 bytes of the file are damaged are named, and those after them are followed", async () => {
    const directory = await createUsed();
    await addRows(directory, 400);
    const [first, last] = await damageRows(accessOf(directory), "request 150");

    const { fault, rows } = await verify(directory);
    expect(fault).toBe(`rows ${first} to ${last} are unreadable, as the file is damaged`);
    expect(rows).toBe(first - 1);
    await using store = await openStore({ directory });
    await expect(readAll(store)).rejects.toThrow('"audit verify" names the rows');
  });
});

/** Writes 64 bytes over the head of the page that has the text; returns the first and the last row of that page. */
async function damageRows(file: string, text: string): Promise<[first: number, last: number]> {
  const bytes = await readFile(file);
  const pageBytes = bytes.readUInt16BE(16); // https://sqlite.org/fileformat2.html, section 1.3.2
  const page = Math.floor(bytes.indexOf(`"${text}"`) / pageBytes);
  await using handle = await openFile(file, "r+");
  await handle.write(Buffer.alloc(64, 0xff), 0, 64, page * pageBytes);
  const content = bytes.toString("latin1", page * pageBytes, (page + 1) * pageBytes);
  const rows = [...content.matchAll(/"request (\d+)"/g)].map(([, row]) => Number(row) + 1);
  return [Math.min(...rows), Math.max(...rows)];
}
