// The ledger of an archive in PostgreSQL: what a purge has erased is erased again in a database that was put back.
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { type CallStore, type ErasureFilter, StoreFault } from "../src/index.ts";
import { createLedgerFolder } from "../src/media/ledger-folder.ts";
import { createMediaFolder } from "../src/media/media-folder.ts";
import { migrateArchive } from "../src/migrate/migrate.ts";
import { createStore, findAdapter, openMaintenance, openStore, type Places } from "../src/open.ts";
import { createMaintenance } from "../src/postgres/maintenance/maintenance.ts";
import { openStore as openAt } from "../src/postgres/postgres-store.ts";
import { readAll } from "../src/suite/access-log.ts";
import { expectWell } from "../src/suite/holding.ts";
import { call, fill, message } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { changePlaces, openChanged } from "./support/changed-places.ts";
import { type PostgresPlace, usePostgres } from "./support/postgres.ts";
import { addRecording, listIds } from "./support/purging.ts";
import { keepCopy } from "./support/set-back.ts";

const postgresServer = usePostgres();
const AT = "2025-05-01T10:00:00Z";
const JUNE = "2025-06-01T10:00:00Z";
const BY = { operator: "olive" };

async function use<T>(places: Places, work: (store: CallStore) => Promise<T>): Promise<T> {
  await using store = await openStore(places);
  return await work(store);
}

const purge = async (places: Places, filter: ErasureFilter, ofCase?: string) =>
  await (await openMaintenance(places)).erase(filter, { ...BY, case: ofCase });

const toLedger = ({ media = "" }: Places) => join(media.replace("file:", ""), ".call-media-ledger");

const listEntries = async (places: Places) =>
  (await readdir(toLedger(places))).filter((name) => /^\d/.test(name));

async function listSounds({ media = "" }: Places): Promise<readonly string[]> {
  const files = await readdir(media.replace("file:", ""), { recursive: true });
  return files
    .map((file) => file.split("/").at(-1) ?? "")
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
}

const CHAT = { kind: "chat", record: message("A", "Yes.", AT) } as const;

const LEGS = [
  call({ call_id: "legs", datetime: AT, agent: "ann" }),
  call({ call_id: "legs", datetime: JUNE, agent: "bob" }),
];

async function createFilled() {
  const places = await postgresServer.createPlaces();
  await use(places, async (store) => {
    const recordings = [await addRecording(store, "A")];
    const unnamed = call({ agent: "nobody", datetime: AT });
    const named = call({ call_id: "A", datetime: AT, notes: "Gespenst" }, { recordings });
    const lone = { kind: "chat", record: message("alone", "Alone.", AT) } as const;
    await fill(store, [named, CHAT, call({ call_id: "B", datetime: AT }), ...LEGS, unnamed, lone]);
  });
  return { places, old: await keepCopy(postgresServer, places) };
}

/** Rows of the access log are lost as well. */
const accept = async (old: Places) =>
  void (await (await openMaintenance(old)).lostLog?.acceptLoss("olive"));

const copyOf = (places: PostgresPlace) => keepCopy(postgresServer, places);

test("a database that is put back is brought up to its ledger before anything is written", async () => {
  const { places, old } = await createFilled();
  await purge(places, { callId: "A" }, "GDPR-1");
  await purge(places, { before: "2025-05-02" });
  const archive = await openMaintenance(old);
  const finding = (await archive.check()).find(({ what }) => what.includes("purge took out"));
  expect(finding).toMatchObject({ level: "error", what: expect.stringContaining("3 entries") });
  const plan = await archive.planErasure({ callId: "A" });
  expect(plan).toMatchObject({ calls: 1, chats: 1, behind: 3 });
  expect(await listEntries(old)).toEqual(["000001.json", "000002.json", "000003.json"]);
  for (const name of await listEntries(old))
    expect(await readFile(join(toLedger(old), name), "utf8")).not.toMatch(/"A"|Gespenst/);

  await use(old, async (store) => {
    expect(await listIds(store)).toEqual(["legs", "legs"]);
    expect(await store.calls.chat("A", "everything")).toEqual([]);
    const outcomes = await fill(store, [
      call({ call_id: "A", datetime: "2025-09-01T10:00:00Z" }),
      CHAT,
      call({ call_id: "B", datetime: "2025-05-01T10:00:00.000Z", agent: "new" }),
      call({ agent: "nobody", datetime: AT }),
      ...LEGS,
    ]);
    const kept = ["unchanged", "unchanged"];
    expect(outcomes).toEqual(["erased", "erased", "erased", "erased", ...kept]);
    expect((await readAll(store))[0]).toMatchObject({
      operation: "purge",
      operator: "olive",
      asked: { ledger: "1 to 3", case: "GDPR-1" },
      found: { calls: 3, chats: 2, files: 1 },
    });
    expect((await store.maintenance.planErasure({ callId: "B" })).taken?.asked).toMatchObject({
      ledger: "1 to 3",
    });
    await expectWell(store);
  });
  const traced = await archive.trace?.({ callId: "A" });
  expect(traced).toMatchObject({ here: { records: 0 }, entries: [{ erasure: 1, by: "olive" }] });
  // The ledger goes on.
  await purge(old, { callId: "legs" });
  expect(await listEntries(old)).toHaveLength(4);
});

test("whoever imports, purges or copies a database that is put back does not see what the ledger names", async () => {
  const { places, old } = await createFilled();
  // A server that runs since before the database was put back.
  await using running = await openStore(old);
  await purge(places, { callId: "B" });
  const again = call({ call_id: "B", datetime: AT, agent: "other" });
  expect(await fill(running, [again])).toEqual(["erased"]);
  const [scanned, purged] = [await createFilled(), await createFilled()];
  await purge(scanned.places, { callId: "B" });
  await using scan = await (await openMaintenance(scanned.old)).scan();
  const found: (string | null)[] = [];
  for await (const { items } of scan.rows())
    for (const item of items) if (item.kind === "call") found.push(item.record.call_id);
  expect(found).not.toContain("B");
  await purge(purged.places, { callId: "B" });
  expect(await purge(purged.old, { callId: "A" })).toMatchObject({ calls: 2, chats: 1, files: 1 });
});

test("sound that was erased is erased again with its file, and its call stays", async () => {
  const { places, old } = await createFilled();
  await purge(places, { before: "2025-05-02", isSound: true });
  await use(old, async (store) => {
    expect(await listSounds(places)).toEqual([]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ recordings: "A.wav" }]);
    const recordings = [await addRecording(store, "A")];
    const again = call({ call_id: "A", datetime: AT, notes: "Gespenst" }, { recordings });
    expect(await fill(store, [again])).toEqual(["unchanged"]);
    await store.maintenance.discard(recordings.map((one) => one.media.sha256));
    await expectWell(store);
  });
});

test("without its ledger an archive is read, and nobody writes to it, purges it or copies it", async () => {
  const { places } = await createFilled();
  await purge(places, { callId: "A" });
  await purge(places, { callId: "legs" });
  const refusal = "000002.json of the ledger in";
  await rm(toLedger(places), { recursive: true });
  const onBehind = vi.fn<(why: string) => void>();
  await using store = await openStore(places, { onBehind });
  expect(onBehind.mock.calls).toEqual([[expect.stringContaining(refusal)]]);
  expect(await listIds(store)).toEqual(["", "B"]);
  await expect(store.openImport()).rejects.toThrow(refusal);
  const archive = await openMaintenance(places);
  await expect(archive.scan()).rejects.toThrow(refusal);
  await expect(purge(places, { callId: "B" })).rejects.toThrow(refusal);
  expect(await archive.skipLedger?.("olive")).toMatchObject({ passedOver: [] });
  await purge(places, { callId: "B" });
  expect(await listEntries(places)).toEqual(["000003.json"]);
  const { asked } = (await readAll(store)).find((row) => "without_ledger" in row.asked) ?? {};
  expect(asked).toEqual({ without_ledger: 2, passed_over: 0 });
});

test("of a ledger with a torn entry an operator goes on by the others, and the torn one is named", async () => {
  const { places, old } = await createFilled();
  for (const callId of ["A", "B", "legs"]) await purge(places, { callId });
  await writeFile(join(toLedger(old), "000002.json"), '{"erasure":2,"prev');
  const skipped = await (await openMaintenance(old)).skipLedger?.("olive");
  expect(skipped).toMatchObject({
    erasedAgain: { calls: 3, chats: 1, newest: 3 },
    passedOver: [
      expect.stringMatching(/000002\.json of the ledger in .* is not what was written$/),
    ],
  });
  await use(old, async (store) => expect(await listIds(store)).toEqual(["", "B"]));
});

test("what an import let in again is not erased by the ledger, and what it refuses is", async () => {
  const { places, old } = await createFilled();
  for (const callId of ["A", "B"]) await purge(places, { callId });
  await use(places, async (store) => {
    await using session = await store.openImport({ restoresErased: true });
    const refused = call({ call_id: "A", datetime: "some day" });
    const rows = [[refused], [call({ call_id: "B", datetime: AT, agent: "again" })]];
    const outcomes = [{ rejected: expect.stringContaining("datetime") }, "imported"];
    expect(await session.write(rows)).toEqual(outcomes);
    expect(await session.write([[call({ call_id: "new" })]])).toEqual(["imported"]);
  });
  expect(await listEntries(places)).toHaveLength(3);
  await accept(old);
  await use(old, async (store) => {
    expect(await listIds(store)).toEqual(["", "B", "legs", "legs"]);
    expect(await fill(store, [call({ call_id: "A", datetime: AT })])).toEqual(["erased"]);
  });
});

test("two imports at a time may both let erased calls in again", async () => {
  const { places, old } = await createFilled();
  for (const callId of ["A", "B"]) await purge(places, { callId });
  await use(places, async (store) => {
    const again = async (callId: string) => {
      await using session = await store.openImport({ restoresErased: true });
      return await session.write([[call({ call_id: callId, datetime: AT })]]);
    };
    expect(await Promise.all(["A", "B"].map(again))).toEqual([["imported"], ["imported"]]);
  });
  await accept(old);
  await use(old, async (store) => expect(await listIds(store)).toContain("B"));
});

test("a purge whose ledger cannot be reached removes nothing, and an archive is read and imported into", async () => {
  const { places, old } = await createFilled();
  await purge(places, { callId: "A" });
  const media = "s3://recordings/x?endpoint=http://127.0.0.1:9&region=us-east-1";
  const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  const away = { records: old.records, media, env };
  await expect(purge(away, { callId: "B" })).rejects.toThrow("127.0.0.1:9");
  const onBehind = vi.fn<(why: string) => void>();
  await using store = await openStore(away, { onBehind });
  expect(onBehind.mock.calls).toEqual([[expect.stringContaining("127.0.0.1:9")]]);
  expect(await listIds(store)).toContain("B");
  expect(await fill(store, [call({ call_id: "C", datetime: AT })])).toEqual(["imported"]);
});

test("a purge whose entry cannot be written removes nothing", async () => {
  const { places } = await createFilled();
  const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const add = () => Promise.reject(new StoreFault("unavailable", "the bucket is away", { cause }));
  const folder = createMediaFolder(places.media.replace("file:", ""));
  const ledger = { ...createLedgerFolder(toLedger(places)), add };
  const archive = createMaintenance({ address: places.records, media: { ...folder, ledger } });
  await expect(archive.erase({ callId: "B" }, BY)).rejects.toThrow("the bucket is away");
  await use(places, async (store) => expect(await listIds(store)).toContain("B"));
});

test.each(["call", "recording", "chat"])(
  "a catch-up waits for %s longer than a look-up does",
  async (table) => {
    const { places, old } = await createFilled();
    await purge(places, { callId: "A" });
    const sql = postgres(old.records, { max: 2 });
    await sql.unsafe(
      `ALTER DATABASE ${new URL(old.records).pathname.slice(1)} SET lock_timeout = 1`,
    );
    const isLocked = Promise.withResolvers<void>();
    const isAwaited = Promise.withResolvers<void>();
    const lock = sql.begin(async (one) => {
      await one`SET LOCAL lock_timeout = 0`;
      await one.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      isLocked.resolve();
      await isAwaited.promise;
    });
    await isLocked.promise;
    const onBehind = vi.fn<(why: string) => void>();
    const opening = { isOver: false };
    const opened = openStore(old, { onBehind }).finally(() => (opening.isOver = true));
    for (let waiting = 0; waiting === 0 && !opening.isOver;)
      waiting = (await sql`SELECT pg_sleep(0.1) FROM pg_locks WHERE NOT granted`).length;
    isAwaited.resolve();
    await using store = await opened;
    await lock;
    await sql.end();
    expect(onBehind.mock.calls).toEqual([]);
    expect(await listIds(store)).not.toContain("A");
  },
);

test("two servers start while the ledger hangs, and while the archive is busy or full", async () => {
  const { places } = await createFilled();
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const start = async (list: () => Promise<void>) => {
    const onBehind = vi.fn<(why: string) => void>();
    const changed = changePlaces(places, (_media, ledger) => ({
      ledger: {
        list: async () => {
          await list();
          return await ledger.list();
        },
      },
    }));
    await using store = await openAt({ ...changed, onBehind });
    expect(await listIds(store)).toContain("A");
    return onBehind.mock.calls.flat();
  };
  const wait = async () => {
    waiting += 1;
    if (waiting === 2) both.resolve();
    await both.promise;
  };
  expect(await Promise.all([start(wait), start(wait)])).toEqual([[], []]);
  for (const reason of ["busy", "full"] as const)
    expect(await start(() => Promise.reject(new StoreFault(reason, reason)))).toEqual([reason]);
});

test("a purge of a month has its tables before the ledger has its entry", async () => {
  const { places } = await createFilled();
  const sql = postgres(places.records, { max: 1 });
  const seen: string[] = [];
  const archive = openChanged(places, (_media, ledger) => ({
    ledger: {
      add: async (number, text) => {
        const rows = await sql<{ name: string }[]>`SELECT relation::regclass::text AS name
          FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND locktype = 'relation' AND pid <> pg_backend_pid()`;
        seen.push(...rows.map(({ name }) => name));
        return await ledger.add(number, text);
      },
    },
  }));
  await archive.erase({ before: "2025-07-01" }, BY);
  await sql.end();
  expect(seen).toEqual(expect.arrayContaining(["call", "call_2025_05", "recording_2025_05"]));
});

/** As an earlier version left it. */
async function removeLedger(places: PostgresPlace): Promise<void> {
  await rm(toLedger(places), { recursive: true });
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  await sql`SET call_media.counts = 'on'`;
  await sql`DELETE FROM setting WHERE name = 'erasures'`;
  await sql.end();
}

test("what was owed and purged before there was a ledger is in it when the archive is opened, and only once", async () => {
  const { places } = await createFilled();
  const old = await copyOf(places);
  const archive = await openMaintenance(places);
  const hold = { name: "smith", reason: "r", holds: { callIds: ["B"] } };
  await archive.holds.add(hold, { operation: "hold add", operator: "olive" });
  await purge(places, { callIds: ["A", "B"] }, "GDPR-2");
  await removeLedger(places);
  for (let opened = 0; opened < 2; opened += 1)
    await use(places, async (store) => expect((await store.vitals()).owed).toBe(1));
  const entries = await Promise.all(
    (await listEntries(places)).map((name) => readFile(join(toLedger(places), name), "utf8")),
  );
  expect(entries.map((text): unknown => JSON.parse(text))).toMatchObject([
    { kind: "erased", why: { sound: true } },
    { kind: "owed", why: { case: "GDPR-2" } },
  ]);

  await accept(old);
  await use(old, async (store) => {
    expect(await listIds(store)).toEqual(["", "B", "legs", "legs"]);
    expect(await store.maintenance.holds.release("smith")).toBe(1);
    await store.maintenance.erase({ isOwed: true }, BY);
    const { taken } = await store.maintenance.planErasure({ callId: "B" });
    expect(taken?.asked).toEqual({ owed: true, case: "GDPR-2" });
  });
});

test("the recordings of what was purged before there was a ledger go with it from a database that is put back", async () => {
  const { places, old } = await createFilled();
  const media = places.media.replace("file:", "");
  const kept = await createFolder();
  await cp(media, kept, { recursive: true });
  await purge(places, { callId: "A" });
  await removeLedger(places);
  await purge(places, { callId: "B" });
  await cp(kept, media, { recursive: true });
  expect(await listSounds(old)).toHaveLength(1);
  await use(old, async (store) => expect(await listIds(store)).not.toContain("A"));
  expect(await listSounds(old)).toEqual([]);
});

test("what was purged before there was a ledger is in its first entry", async () => {
  const { places } = await createFilled();
  const old = await copyOf(places);
  await purge(places, { callId: "A" });
  await removeLedger(places);
  await purge(places, { callId: "B" });
  await use(old, async (store) => expect(await listIds(store)).toEqual(["", "legs", "legs"]));
});

/** The same places for a role that only reads records. */
async function toReader(places: PostgresPlace, role: string): Promise<PostgresPlace> {
  const owner = postgres(places.records, { max: 1, onnotice: () => {} });
  await owner.unsafe(`CREATE ROLE ${role} LOGIN`);
  await owner.unsafe(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  await owner.end();
  return { ...places, records: places.records.replace("owner@", `${role}@`) };
}

test("a server whose role may not remove records does not serve what was purged", async () => {
  const { places, old } = await createFilled();
  await purge(places, { callId: "A" });
  const reader = await toReader(old, "reader");
  const onBehind = vi.fn<(why: string) => void>();
  const refused = /the role reader may not remove it: run "setup" as the owner/;
  await expect(openStore(reader, { onBehind })).rejects.toThrow(refused);
  expect(onBehind).not.toHaveBeenCalled();
  await use(old, async () => {});
  await using store = await openStore(reader, { onBehind });
  expect(await listIds(store)).not.toContain("A");
  expect(onBehind).not.toHaveBeenCalled();
});

test("a server whose role may not remove records starts while a purge is running, and tells the ledger nothing", async () => {
  const { places } = await createFilled();
  const archive = await openMaintenance(places);
  await archive.holds.add(
    { name: "smith", reason: "r", holds: { callIds: ["B"] } },
    { operation: "hold add", operator: "olive" },
  );
  await purge(places, { callIds: ["A", "B"] });
  const listAll = () => readdir(toLedger(places));
  const reader = await toReader(places, "reading");
  await removeLedger(places);
  // It has neither entries nor holds, and this role can write neither.
  await use(reader, async (store) => expect(await listIds(store)).not.toContain("A"));
  expect(await listAll().catch(() => [])).toEqual([]);
  await use(places, async () => {});
  expect(await listAll()).toHaveLength(3);

  const { promise: isHere, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: isRead, resolve: go } = Promise.withResolvers<void>();
  const behind: string[] = [];
  const media = createMediaFolder(places.media.replace("file:", ""));
  const place = createLedgerFolder(toLedger(places));
  const add: typeof place.add = async (...given) => {
    const isAdded = await place.add(...given);
    arrive();
    await isRead;
    return isAdded;
  };
  const slow = { ...media, ledger: { ...place, add } };
  const purging = createMaintenance({ address: places.records, media: slow }).erase(
    { callId: "legs" },
    BY,
  );
  await isHere;
  await using store = await openStore(reader, { onBehind: (why) => behind.push(why) });
  go();
  await purging;
  expect(behind).toEqual([expect.stringContaining("another purge")]);
  expect(await listIds(store)).not.toContain("legs");
});

test("a migration takes the ledger along, from a folder into a database and back", async () => {
  const [from, back] = [join(await createFolder(), "a"), join(await createFolder(), "b")];
  await using source = await createStore({ records: from });
  const calls = ["A", "B", "C", "D"].map((call_id) => call({ call_id, datetime: AT }));
  await fill(source, calls);
  await source.maintenance.erase({ callId: "A" }, BY);
  const places = await postgresServer.createPlaces();
  const move = async (here: Places, there: Places, taken: string) => {
    const adapter = await findAdapter(there);
    {
      await using store = await adapter.create({ timeZone: "UTC", toMigrate: true });
      const report = await migrateArchive({ from: await openMaintenance(here), to: store });
      expect(report).toMatchObject({ differences: [] });
    }
    await purge(there, { callId: taken });
    return (await openMaintenance(there)).ledger?.place.list();
  };
  expect(await move({ records: from }, places, "B")).toEqual([1, 2]);
  expect(await move(places, { records: back }, "C")).toEqual([1, 2, 3]);
  await using store = await openStore({ records: back });
  expect(await listIds(store)).toEqual(["D"]);
});
