// An archive that a migration has begun to fill and not completed: nobody takes it for the other one.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrateArchive } from "../src/index.ts";
import { createStore, findAdapter } from "../src/open.ts";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { call, fill, toUser } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";

const SENTENCE =
  /^the migration into this archive that began at \d{4}-.*Z has not come to an end.*: run "migrate" again, which completes it$/;

test("it is refused by all but the next migration, which completes it", async () => {
  await using from = createMemoryStore();
  await fill(from, [
    { kind: "user", record: toUser(1) },
    call({ call_id: "a", datetime: "2025-05-01T10:00:00Z" }),
  ]);
  const places = { records: await createFolder() };
  const adapter = await findAdapter(places);
  const migrate = async (internals: typeof from.maintenance.internals) => {
    await using to = await adapter.create({ toMigrate: true });
    return await migrateArchive({ from: { ...from.maintenance, internals }, to });
  };
  let reads = 0;
  const cut = {
    ...from.maintenance.internals,
    read: (afterSeq?: number) => {
      reads += 1;
      if (reads > 1) throw new Error("cut off");
      return from.maintenance.internals.read(afterSeq);
    },
  };
  await expect(migrate(cut)).rejects.toThrow("cut off");

  const { maintenance } = adapter;
  const act = { operation: "export", operator: "olive", asked: {} } as const;
  const by = { operator: "olive" };
  for (const refused of [
    () => adapter.open({}),
    () => createStore(places),
    () => maintenance.scan({ act }),
    async () => maintenance.snapshot?.(await createFolder()),
    () => maintenance.erase({ isUndated: true }, by),
  ])
    await expect(refused()).rejects.toThrow(SENTENCE);
  expect(await maintenance.check()).toContainEqual(
    expect.objectContaining({ level: "error", todo: 'run "migrate" again, which completes it' }),
  );

  expect(await migrate(from.maintenance.internals)).toMatchObject({ differences: [] });
  await using store = await adapter.open({});
  expect(await store.calls.byCallId("a", "everything")).toHaveLength(1);
});

test("one that was completed and has been served since is refused, and stays open", async () => {
  await using from = createMemoryStore();
  await fill(from, [call({ call_id: "a", datetime: "2025-05-01T10:00:00Z" })]);
  const adapter = await findAdapter({ records: await createFolder() });
  const migrate = async () => {
    await using to = await adapter.create({ toMigrate: true });
    return await migrateArchive({ from: from.maintenance, to });
  };
  expect(await migrate()).toMatchObject({ differences: [] });
  await adapter.maintenance.erase({ callId: "a" }, { operator: "olive" });

  await expect(migrate()).rejects.toThrow("neither continues the other");
  await using store = await adapter.open({});
  expect(await store.calls.byCallId("a", "everything")).toEqual([]);
});

test("credentials that the other archive lacks afterwards are a difference", async () => {
  await using from = createMemoryStore();
  await fill(from, [{ kind: "user", record: toUser(1) }]);
  const key = { id: "k", kind: "key", hash: "h", userId: 1, createdMs: 1 } as const;
  await from.credentials.addBearer(key);
  await using to = createMemoryStore();
  const { internals } = to.maintenance;
  const forgetful = {
    ...internals,
    write: (rows: Parameters<typeof internals.write>[0]) =>
      internals.write(rows.filter(({ kind }) => kind !== "bearer")),
  };
  const lossy = { ...to, maintenance: { ...to.maintenance, internals: forgetful } };
  expect(await migrateArchive({ from: from.maintenance, to: lossy })).toMatchObject({
    differences: [expect.stringContaining("a token, a key or a session is not there")],
  });
  expect(await migrateArchive({ from: from.maintenance, to })).toMatchObject({ differences: [] });
});

test("one that lacks what is damaged is refused as well, unless that was said to be left out", async () => {
  const records = await createFolder();
  const source = await findAdapter({ records });
  {
    await using store = await source.create({});
    await fill(store, [
      { kind: "user", record: toUser(1) },
      call({ call_id: "a", datetime: "2025-05-01T10:00:00Z" }),
      call({ call_id: "b", datetime: "2025-05-02T10:00:00Z" }),
    ]);
  }
  {
    using database = new DatabaseSync(join(records, "archive.db"));
    database.exec("DELETE FROM call WHERE id = (SELECT min(id) FROM call)");
  }
  const target = await findAdapter({ records: await createFolder() });
  const migrate = async (skipsDamaged: boolean) => {
    await using to = await target.create({ toMigrate: true });
    return await migrateArchive({ from: source.maintenance, to, skipsDamaged });
  };
  const report = await migrate(false);
  expect(report.damagedRecords.length + report.differences.length).toBeGreaterThan(0);
  await expect(target.open({})).rejects.toThrow(SENTENCE);
  expect(await migrate(true)).toMatchObject({ differences: [] });
  await using store = await target.open({});
  expect(await store.calls.byCallId("b", "everything")).toHaveLength(1);
});
