// The witness of the access log: rows that are lost, and an older access.db that is put back, show without a hash that anybody
// noted, and nobody is let in by such a file until an operator decides.
import { open as openFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { CallStore, OperatorAct } from "../src/index.ts";
import { acceptLostAccessRows, backUp, examine, restore } from "./support/maintenance.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { createFolder } from "./support/archives.ts";
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
async function expectLoss(directory: string, loss: string): Promise<void> {
  await expect(openStore({ directory })).rejects.toThrow(
    `${accessOf(directory)} lost rows of its access log, or is an older copy: ${loss}`,
  );
  expect((await verify(directory)).fault).toContain(loss);
  expect(await examine(directory)).toMatchObject([
    { level: "error", what: expect.stringContaining(loss), where: accessOf(directory) },
  ]);
}

const REVOKE: OperatorAct = { operation: "key revoke", operator: "mia", asked: { id: "k" } };

describe("an older access.db that is put back", () => {
  /** In it a key is valid that was revoked since. */
  async function createRolledBack(): Promise<string> {
    const directory = await createUsed();
    await addRows(directory, 2);
    const older = await readFile(accessOf(directory));
    {
      await using store = await openStore({ directory });
      await store.credentials.revoke({ key: "k" }, REVOKE);
    }
    await using file = await openFile(accessOf(directory), "w");
    await file.writeFile(older);
    return directory;
  }

  test("is refused, and so is a backup of it", async () => {
    const directory = await createRolledBack();
    await expectLoss(directory, "row 3 is missing: it ends with row 2, and row 3 of ");
    const to = join(await createFolder(), "backup");
    await expect(backUp({ from: directory, to })).rejects.toThrow("lost rows of its access log");
  });

  test("is used once an operator has accepted it, and the log says who and what", async () => {
    const directory = await createRolledBack();
    const lost = await acceptLostAccessRows({ directory, operator: "mia" });
    expect(lost).toMatch(/^row 3 is missing: /);

    await using store = await openStore({ directory });
    expect(await store.credentials.bearer(HASH)).toMatchObject({ isRevoked: false });
    const asked = { lost };
    const decision = { seq: 4, operation: "audit accept-loss", operator: "mia", asked };
    expect((await readAll(store)).at(-1)).toMatchObject(decision);
    await append(store, 1);
    expect(await store.accessLog.verify()).toMatchObject({
      rows: 4,
      fault: undefined,
      decisions: [decision],
    });
    await expect(acceptLostAccessRows({ directory, operator: "mia" })).rejects.toThrow(
      "nothing was done",
    );
    expect(await examine(directory)).toEqual([]);
  });
});

describe("the witness", () => {
  test("waits for no import, and is noted when that has ended", async () => {
    const directory = await createUsed();
    await using store = await openStore({ directory });
    await append(store, 1);
    using importing = new DatabaseSync(archiveOf(directory));
    importing.exec("BEGIN IMMEDIATE");
    expect(await store.accessLog.witness()).toMatchObject({ seq: 1 });
    expect(readNoted(directory)).toBeUndefined();
    importing.exec("ROLLBACK");
    await store.accessLog.witness();
    expect(readNoted(directory)).toMatch(/^1 [0-9a-f]{64} 0$/);
  });

  test("is undefined without rows, and noted by whoever closes the archive", async () => {
    const directory = await createUsed();
    await using store = await openStore({ directory });
    expect(await store.accessLog.witness()).toBeUndefined();
    expect(readNoted(directory)).toBeUndefined();
    await addRows(directory, 3);
    expect(readNoted(directory)).toMatch(/^3 /);
  });

  test("in a backup is a row that the backup has, though the service notes later ones", async () => {
    const directory = await createUsed();
    await using store = await openStore({ directory });
    await append(store, 2);
    const backup = join(await createFolder(), "backup");
    let noted: unknown;
    const onProgress = ({ step }: { readonly step: string }) => {
      if (step === "access.db" && noted === undefined)
        noted = append(store, 2).then(() => store.accessLog.witness());
    };
    await backUp({ from: directory, to: backup, operator: "mia", onProgress });
    await noted;
    const manifest = JSON.parse(await readFile(join(backup, "backup.json"), "utf8"));
    const restored = join(await createFolder(), "restored");
    await restore({ from: backup, to: restored, operator: "leo" });

    await using other = await openStore({ directory: restored });
    const rows = await readAll(other);
    expect(rows.at(-1)).toMatchObject({ operation: "restore", operator: "leo" });
    expect(rows.at(-2)).toMatchObject({
      seq: manifest.accessHead.seq,
      hash: manifest.accessHead.hash,
    });
    expect(rows.find(({ operation }) => operation === "backup")).toMatchObject({ operator: "mia" });
    expect(await other.accessLog.verify()).toMatchObject({ fault: undefined });
  });

  test("in a backup keeps it from being replaced by one that lacks rows", async () => {
    const directory = await createUsed();
    await addRows(directory, 1);
    const older = await readFile(accessOf(directory));
    await addRows(directory, 1);
    const backup = join(await createFolder(), "backup");
    await backUp({ from: directory, to: backup });
    await using file = await openFile(accessOf(directory), "w");
    await file.writeFile(older);
    await acceptLostAccessRows({ directory, operator: "mia" });
    await expect(backUp({ from: directory, to: backup })).rejects.toThrow(
      "has a backup of this archive with an access log that went on: row 2 is",
    );
  });
});

function readNoted(directory: string): unknown {
  using database = new DatabaseSync(archiveOf(directory), { readOnly: true });
  const find = database.prepare("SELECT value FROM setting WHERE name = 'access_head'");
  return find.get()?.["value"];
}

describe("the row of an operator's command", () => {
  test("is in the log when, and only when, its credentials are changed", async () => {
    const directory = await createUsed();
    await using store = await openStore({ directory });
    const application = { secretID: "app", keyHash: "h", userId: 1, createdMs: 1 };
    const act: OperatorAct = {
      operation: "app create",
      operator: "mia",
      asked: { secretID: "app" },
    };
    await store.credentials.addApplication(application, act);
    await expect(store.credentials.addApplication(application, act)).rejects.toThrow("UNIQUE");
    await store.credentials.revoke({ key: "k" }, REVOKE);
    await store.credentials.revoke({ key: "k" }, REVOKE);
    expect(await readAll(store)).toMatchObject([
      { seq: 1, ...act, callIds: [] },
      { seq: 2, ...REVOKE, callIds: [] },
    ]);
  });
});
