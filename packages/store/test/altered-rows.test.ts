// Rows that no import brings and that a disk, or somebody, has altered: they let nothing back, give no right, and are named.
import { expect, test } from "vitest";
import { createMaintenance } from "../src/sqlite/maintenance/maintenance.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { call, fill, toUser } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { change, makeEarlier } from "./support/examined.ts";
import { acceptLostAccessRows, backUp, examine } from "./support/maintenance.ts";

const GONE = call({ call_id: "gone", ref_id: "r", datetime: "2025-05-01T10:00:00Z" });

/** An archive, closed, with a tombstone, an application with a token, and an API key. */
async function createWithAll(): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory });
  await fill(store, [
    GONE,
    { kind: "user", record: toUser(1) },
    { kind: "user", record: toUser(2) },
  ]);
  await store.maintenance.erase({ callId: "gone" }, { operator: "olive" });
  const of = { userId: 1, createdMs: 1 };
  await store.credentials.addApplication({ ...of, secretID: "app", keyHash: "h" });
  const token = { ...of, id: "t", hash: "ht", secretID: "app", expiresMs: 8e12 };
  await store.credentials.addBearer({ ...token, kind: "token" });
  await store.credentials.addBearer({ ...of, id: "k", kind: "key", hash: "hk" });
  return directory;
}

const FLIPPED_MARK = "UPDATE tombstone SET mark = CAST('x' || substr(mark, 2) AS BLOB)";

test.each([
  FLIPPED_MARK,
  "UPDATE tombstone SET until_day = 1",
  "UPDATE tombstone SET digest = NULL",
])("%s: an import stops, and names the tombstone", async (sql) => {
  const directory = await createWithAll();
  change(directory, sql);
  await using store = await openStore({ directory });
  await expect(fill(store, [GONE])).rejects.toThrow(
    /^the tombstone [\da-f]{32} is not what was written: restore the last backup elsewhere$/,
  );
  expect(await store.calls.byCallId("gone", "everything")).toEqual([]);
  // An erasure leaves one that is of every day.
  await store.maintenance.erase({ callId: "gone" }, { operator: "olive" });
  const to = await createFolder();
  const { damagedRecords } = await backUp({ from: directory, to: `${to}/backup` });
  expect(damagedRecords[0]).toMatch(/^the tombstone /);
});

test.each([
  ["UPDATE bearer SET user_id = 2", "hk", "the API key k"],
  ["UPDATE bearer SET user_id = 2 WHERE kind = 'token'", "ht", "the token t"],
  ["UPDATE bearer SET expires_ms = 9e12 WHERE kind = 'token'", "ht", "the token t"],
  ["UPDATE application SET revoked_ms = 1", "ht", "the token t"],
])("%s: it gives nobody a right, and the doctor names it", async (sql, hash, name) => {
  const directory = await createWithAll();
  change(directory, sql, "access.db");
  await using store = await openStore({ directory });
  const damaged = { reason: "damaged", message: expect.stringContaining(`${name} is not what`) };
  await expect(store.credentials.bearer(hash)).rejects.toMatchObject(damaged);
  await expect(store.credentials.applications()).rejects.toMatchObject({ reason: "damaged" });
  expect(await examine(directory)).toContainEqual(
    expect.objectContaining({ what: expect.stringContaining("are not what was written: ") }),
  );
  // It is revoked all the same, and stays what it is: damaged.
  await store.credentials.revoke(hash === "hk" ? { key: "k" } : { application: "app" });
  await expect(store.credentials.bearer(hash)).rejects.toMatchObject({ reason: "damaged" });
});

test("lists go on without what was altered, and name it", async () => {
  const directory = await createWithAll();
  {
    await using store = await openStore({ directory });
    const of = { kind: "key", createdMs: 1 } as const;
    await store.credentials.addBearer({ ...of, userId: 1, id: "good", hash: "hg" });
    await store.credentials.addBearer({ ...of, userId: 2, id: "of2", hash: "h2" });
  }
  // Also what would no longer be among those that are asked for.
  change(directory, "UPDATE bearer SET user_id = 2 WHERE id IN ('k', 't')", "access.db");
  change(directory, "UPDATE user SET status = 7 WHERE id = 2");
  await using store = await openStore({ directory });
  const named: string[] = [];
  const onDamaged = (name: string) => named.push(name);
  expect(await store.credentials.keys(1, onDamaged)).toMatchObject([{ id: "good" }]);
  expect(named.toSorted()).toEqual(["the API key k", "the token t"]);
  expect(await store.credentials.applications(undefined, onDamaged)).toMatchObject([
    { secretID: "app", tokens: 0, user: { status: 1 } },
  ]);
  expect(await store.credentials.keys(2, onDamaged)).toMatchObject([
    { id: "of2", user: undefined },
  ]);
  expect(named).toContain("user 2");
});

test.each(["archive_id", "tombstone_key", "index_seed", "time_zone", "access_id"])(
  "an archive whose setting %s was altered, or renamed, is not opened",
  async (name) => {
    for (const [set, found] of [
      ["value = value || '0'", name],
      ["name = name || '0'", `${name}0`],
    ]) {
      const directory = await createWithAll();
      change(directory, `UPDATE setting SET ${set} WHERE name = '${name}'`);
      const what = `the setting ${found} is not what was written`;
      await expect(openStore({ directory })).rejects.toThrow(what);
      await expect(createMaintenance(directory).scan()).rejects.toThrow(what);
      expect(await examine(directory)).toMatchObject([
        { what: `settings are not what was written: 1, the setting ${found} for one` },
      ]);
    }
  },
);

test("an archive of before gets digests when it is opened, and a row without one is damaged from then on", async () => {
  const directory = await createWithAll();
  makeEarlier(directory);
  expect(await examine(directory)).toEqual([]);
  {
    await using store = await openStore({ directory });
    expect(await fill(store, [GONE])).toEqual(["erased"]);
    expect(await store.credentials.bearer("ht")).toMatchObject({ userId: 1, isRevoked: false });
    expect(await store.credentials.keys()).toHaveLength(1);
  }
  expect(await examine(directory)).toEqual([]);
  change(directory, "UPDATE bearer SET digest = NULL", "access.db");
  await using store = await openStore({ directory });
  await expect(store.credentials.bearer("ht")).rejects.toMatchObject({ reason: "damaged" });
});

test.each([
  ["behind", 1, "the counter of its rows says 1, and row 2 is there"],
  ["ahead", 9, "rows 3 to 9 are missing: the counter of its rows says 9"],
])(
  "a log whose counter is %s is written to by nobody until that is accepted",
  async (_, seq, what) => {
    const directory = await createWithAll();
    {
      await using store = await openStore({ directory });
      await store.accessLog.record({ operation: "import", operator: "olive", asked: {} });
      change(directory, `UPDATE sqlite_sequence SET seq = ${seq}`, "access.db");
      await expect(store.accessLog.check()).rejects.toThrow(what);
      const act = { operation: "export", operator: "olive", asked: {} } as const;
      await expect(store.accessLog.record(act)).rejects.toThrow(what);
    }
    await expect(openStore({ directory })).rejects.toThrow(what);
    expect(await examine(directory)).toMatchObject([{ level: "error" }]);
    expect(await acceptLostAccessRows({ directory, operator: "olive" })).toBe(what);
    await using store = await openStore({ directory });
    await store.accessLog.check();
    expect((await store.accessLog.verify()).fault).toBeUndefined();
  },
);

test("a row of the log that was altered is a fault of a backup, and is not listed as if it were well", async () => {
  const directory = await createWithAll();
  const sql =
    "DROP TRIGGER access_unchanged; UPDATE access SET entry = replace(entry, 'olive', 'alice')";
  change(directory, sql, "access.db");
  const to = `${await createFolder()}/backup`;
  const { damagedRecords } = await backUp({ from: directory, to });
  expect(damagedRecords).toEqual([
    "the access log (row 1 was altered)",
    "the trigger access_unchanged (missing)",
  ]);
  await using store = await openStore({ directory });
  const list = async () => {
    for await (const row of store.accessLog.read({})) expect(row.seq).toBeGreaterThan(1);
  };
  await expect(list()).rejects.toThrow("row 1 of the access log cannot be read: it was altered");
});
