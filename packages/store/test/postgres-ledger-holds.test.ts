// Holds and owed erasures in the ledger of an archive in PostgreSQL: a database that is put back has those that came since.
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { type Maintenance, type NewHold, StoreFault } from "../src/index.ts";
import { openMaintenance, openStore, type Places } from "../src/open.ts";
import { readAll } from "../src/suite/access-log.ts";
import { expectWell } from "../src/suite/holding.ts";
import { call, fill, message } from "../src/suite/records.ts";
import { openChanged } from "./support/changed-places.ts";
import { type PostgresPlace, usePostgres } from "./support/postgres.ts";
import { keepCopy } from "./support/set-back.ts";

const server = usePostgres();
const AT = "2025-05-01T10:00:00Z";
const BY = { operation: "hold add", operator: "olive" } as const;
const X: NewHold["holds"] = { where: { campaign: ["x"] } };

const add = (archive: Maintenance, name: string, holds: NewHold["holds"]) =>
  archive.holds.add({ name, reason: "Smith v Acme", holds }, BY);

const erase = (archive: Maintenance, callIds: readonly string[], ofCase?: string) =>
  archive.erase({ callIds }, { operator: "olive", case: ofCase });

const listNames = async (archive: Maintenance) =>
  (await archive.holds.list()).map(({ name }) => name);

async function importInto(places: Places, ...calls: readonly Parameters<typeof call>[0][]) {
  await using store = await openStore(places);
  return await fill(
    store,
    calls.map((fields) => call({ datetime: AT, ...fields }, { identity: ["1"] })),
  );
}

async function createKept() {
  const places = await server.createPlaces();
  await importInto(places, { call_id: "A", campaign: "x" }, { call_id: "B", campaign: "y" });
  const copy = () => keepCopy(server, places);
  const toFile = (name: string) =>
    join(places.media.replace("file:", ""), ".call-media-ledger", name);
  return { places, copy, old: await copy(), archive: await openMaintenance(places), toFile };
}

test("a database that is put back has its holds before anything is planned, purged, imported or read", async () => {
  const { copy, archive } = await createKept();
  const old = await Promise.all([copy(), copy(), copy(), copy(), copy()]);
  await add(archive, "smith", X);
  const held = { calls: 1, holds: ["smith"], isOwed: true };
  const ways: readonly ((places: Places) => Promise<unknown>)[] = [
    async (places) =>
      expect(
        (await (await openMaintenance(places)).planErasure({ callIds: ["A"] })).held,
      ).toMatchObject(held),
    async (places) =>
      expect(await erase(await openMaintenance(places), ["A"])).toMatchObject({ calls: 0, held }),
    async (places) => await (await openStore(places))[Symbol.asyncDispose](),
    async (places) => await (await (await openMaintenance(places)).scan())[Symbol.asyncDispose](),
    async (places) => expect(await listNames(await openMaintenance(places))).toEqual(["smith"]),
  ];
  for (const [index, work] of ways.entries()) {
    const places = old[index];
    if (places === undefined) continue;
    await work(places);
    const sql = postgres(places.records, { max: 1 });
    expect([...(await sql`SELECT name FROM hold`)]).toEqual([{ name: "smith" }]);
    await sql.end();
  }
  expect.assertions(ways.length + 3);
});

test("of a released hold the ledger has the name and the date alone, and it does not come back", async () => {
  const { archive, toFile, copy } = await createKept();
  await add(archive, "smith", { callIds: ["A", "John Smith"] });
  const old = await openMaintenance(await copy());
  expect(await readFile(toFile("hold-smith.json"), "utf8")).toContain("John Smith");
  expect(await archive.holds.release("smith")).toBe(0);
  const { hold, released, ...rest } = JSON.parse(await readFile(toFile("hold-smith.json"), "utf8"));
  expect([hold, released]).toEqual(["smith", expect.stringMatching(/^\d{4}-.*Z$/)]);
  expect(Object.keys(rest)).toEqual(["archive", "sha256"]);
  expect(await erase(old, ["A"])).toMatchObject({ calls: 1 });
  expect(await listNames(old)).toEqual([]);
  await add(archive, "smith", X);
  expect(await old.holds.list()).toMatchObject([{ name: "smith", query: X }]);
});

test("a hold that the ledger lost is written into it by whoever comes next", async () => {
  const { places, archive, toFile } = await createKept();
  await add(archive, "smith", X);
  await rm(toFile("hold-smith.json"));
  expect(await archive.check()).toContainEqual(
    expect.objectContaining({
      level: "warning",
      what: "the ledger lacks holds of the archive, or calls that they have caught: smith",
    }),
  );
  await importInto(places, { call_id: "C" });
  expect(await readFile(toFile("hold-smith.json"), "utf8")).toContain("Smith v Acme");
});

test("what a correction pinned is held in a database that never had the state before", async () => {
  const { places, archive, copy } = await createKept();
  await add(archive, "smith", X);
  const old = await copy();
  await importInto(places, { call_id: "C", campaign: "x" });
  await importInto(places, { call_id: "C", campaign: "corrected" });
  await importInto(old, { call_id: "C", campaign: "corrected" });
  for (const one of [archive, await openMaintenance(old)])
    expect(await erase(one, ["C"])).toMatchObject({ calls: 0, held: { calls: 1 } });
});

test("what was owed since goes after the release, with the case that named it", async () => {
  const { places, archive, old, toFile } = await createKept();
  await add(archive, "smith", { callIds: ["A", "C", "D"] });
  await importInto(places, { call_id: "C", ref_id: "r" }, { call_id: "D" });
  await erase(archive, ["A", "D"], "GDPR-118");
  await archive.erase({ reference: "r" }, { operator: "olive" });
  for (const name of ["000001.json", "000002.json"])
    expect(await readFile(toFile(name), "utf8")).not.toMatch(/"[ACDr]"/);

  const there = await openMaintenance(old);
  expect(await there.erase({ isOwed: true }, { operator: "olive" })).toMatchObject({
    calls: 0,
    held: { calls: 1, isOwed: true },
  });
  // What a hold waits for is let in again.
  expect(await importInto(old, { call_id: "C", ref_id: "r" })).toEqual(["imported"]);
  expect(await there.holds.release("smith")).toBe(3);
  expect(await there.erase({ isOwed: true }, { operator: "oscar" })).toMatchObject({ calls: 2 });
  await using store = await openStore(old);
  const row = (await readAll(store)).find(({ operation }) => operation === "purge");
  expect(row).toMatchObject({ operator: "oscar", asked: { owed: true, case: "GDPR-118" } });
  expect(await fill(store, [call({ call_id: "D", agent: "new" })])).toEqual(["erased"]);
  // A record with the reference that comes later was not named.
  expect(await fill(store, [call({ call_id: "E", ref_id: "r" })])).toEqual(["imported"]);
  expect(await there.erase({ isOwed: true }, { operator: "olive" })).toMatchObject({ calls: 0 });
  await expectWell(store);
});

test("a damaged message, or names of a damaged call, keep nothing else from being erased that is owed by its mark", async () => {
  const { places, archive } = await createKept();
  {
    await using store = await openStore(places);
    await fill(store, [{ kind: "chat", record: message("B", "Yes.", AT) }]);
  }
  await add(archive, "smith", { callIds: ["A"] });
  const old = await keepCopy(server, places);
  await erase(archive, ["A"]);
  const sql = postgres(old.records, { max: 1 });
  await sql`SET call_media.counts = 'on'`;
  await sql`UPDATE chat SET record = left(record, 10)`;
  await sql`UPDATE call SET linked = '[' WHERE record LIKE '%"B"%'`;
  await sql.end();
  await (await openStore(old))[Symbol.asyncDispose]();
  const there = await openMaintenance(old);
  expect(await there.holds.release("smith")).toBe(1);
  expect(await there.erase({ isOwed: true }, { operator: "olive" })).toMatchObject({ calls: 1 });
});

test("a hold that was damaged in the ledger is refused by its name, and an operator can go on without it", async () => {
  const { archive, old, toFile } = await createKept();
  await add(archive, "lost", { callIds: ["B"] });
  await writeFile(toFile("hold-lost.json"), "torn");
  const refusal = "the hold hold-lost.json of the ledger in";
  const there = await openMaintenance(old);
  for (const one of [archive, there]) {
    await expect(erase(one, ["B"])).rejects.toThrow(refusal);
    await expect(one.scan()).rejects.toThrow(refusal);
    await expect(add(there, "LOST", { callIds: ["A"] })).rejects.toThrow("hold-lost.json");
  }
  const onBehind = vi.fn<(why: string) => void>();
  await (await openStore(old, { onBehind }))[Symbol.asyncDispose]();
  expect(onBehind.mock.calls).toEqual([[expect.stringContaining(refusal)]]);
  expect((await there.skipLedger?.("olive"))?.passedOver).toEqual([
    expect.stringContaining("the archive has no hold lost"),
  ]);
  // The archive that has it writes it there again.
  expect(await erase(archive, ["B"])).toMatchObject({ calls: 0, held: { holds: ["lost"] } });
  expect(await listNames(there)).toEqual(["lost"]);
});

test("a hold that was added while the ledger could not be read takes no place of one that it has", async () => {
  const { archive, old, toFile } = await createKept();
  await add(archive, "smith", X);
  const folder = dirname(toFile("hold-smith.json"));
  await rename(folder, `${folder}-away`);
  await writeFile(folder, "a file in place of the folder");
  const there = await openMaintenance(old);
  expect(await add(there, "smith", { callIds: ["B"] })).toHaveProperty("unread");
  await rm(folder);
  await rename(`${folder}-away`, folder);
  for (let times = 0; times < 2; times += 1)
    expect(await there.holds.list()).toMatchObject([
      { name: "smith", calls: 1, query: X },
      { name: "smith-2", calls: 1, query: undefined },
    ]);
  expect(await erase(there, ["A", "B"])).toMatchObject({ calls: 0, held: { calls: 2 } });
});

/** Purges that are ended after their entry, once a hold has been asked for: the archive is caught up with no more. */
async function createInterrupted(onPurged: (places: PostgresPlace) => Promise<void>) {
  const { places } = await createKept();
  const purge = openChanged(places, (_media, ledger) => ({
    ledger: {
      add: async (number, text) => {
        await ledger.add(number, text);
        throw new StoreFault("unavailable", "the answer is lost");
      },
    },
  }));
  let isPurged = false;
  const listHolds = async () => {
    if (isPurged) return;
    // Others keep it from beginning at first.
    const why = await erase(purge, ["A"]).then(() => "", String);
    isPurged = why.includes("the answer is lost");
    if (isPurged) await onPurged(places);
  };
  return openChanged(places, (_media, ledger) => ({
    ledger: {
      listHolds: async () => {
        await listHolds();
        return await ledger.listHolds();
      },
    },
  }));
}

test("a hold is not counted for calls that an interrupted purge has named since it was asked for", async () => {
  const archive = await createInterrupted(async () => {});
  const added = await add(archive, "smith", { callIds: ["A", "B"] });
  expect(added).toMatchObject({ calls: 1, missing: ["A"] });
  expect(added).not.toHaveProperty("unread");
});

test("a hold says that it may miss calls if others keep the archive from catching up", async () => {
  const session: postgres.Sql[] = [];
  const archive = await createInterrupted(async ({ records }) => {
    const sql = postgres(records, { max: 1 });
    session.push(sql);
    // An import is under way.
    await sql`SELECT pg_advisory_lock_shared(2, 0)`;
  });
  const added = await add(archive, "smith", { callIds: ["A"] });
  expect(added).toMatchObject({ calls: 1, unread: expect.stringContaining("is behind") });
  await Promise.all(session.map((sql) => sql.end()));
});

test("a hold is added although the ledger cannot be written, which is said, and it is told later", async () => {
  const { archive, places, toFile } = await createKept();
  const folder = dirname(toFile("hold-smith.json"));
  await writeFile(folder, "a file in place of the folder");
  expect(await add(archive, "smith", X)).toMatchObject({
    calls: 1,
    unread: expect.stringContaining("cannot be used"),
  });
  await rm(folder);
  await importInto(places, { call_id: "C" });
  expect(await readFile(toFile("hold-smith.json"), "utf8")).toContain("Smith v Acme");
});
