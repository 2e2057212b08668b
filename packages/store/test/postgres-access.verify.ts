// Credentials, sign-ins and the access log in PostgreSQL, as several servers share them.
import { readFile } from "node:fs/promises";
import postgres, { type Sql } from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { type CallStore, type Failures, StoreFault } from "../src/index.ts";
import { openMaintenance, openStore } from "../src/open.ts";
import { createRowWriter } from "../src/postgres/access-log.ts";
import { openConnections } from "../src/postgres/connection.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { call, fill, query, toUser } from "../src/suite/records.ts";
import { toRowHash } from "../src/values/access-chain.ts";
import { createAccessQueue } from "../src/values/access-queue.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces } = usePostgres();

/** An archive as several servers open it, and a connection of the owner's. */
async function openServers(count: number) {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  const stores = await Promise.all(Array.from({ length: count }, () => openStore(places)));
  onTestFinished(async () => {
    await Promise.allSettled(stores.map((store) => store[Symbol.asyncDispose]()));
    await sql.end();
  });
  return { stores, sql };
}

const setUser = (store: CallStore, fields: Parameters<typeof toUser>[1] = {}) =>
  fill(store, [{ kind: "user", record: toUser(1, fields) }]);

test("what one server revokes is refused by another with the next request, and no other way around", async () => {
  const { stores } = await openServers(2);
  const [one, other] = stores;
  if (one === undefined || other === undefined) throw new Error("there are two");
  await setUser(one);
  const token = {
    id: "t",
    kind: "token",
    hash: "h",
    userId: 1,
    createdMs: 1,
    expiresMs: 8e12,
  } as const;
  await one.credentials.addBearer(token);
  expect(await other.credentials.bearer("h")).toMatchObject({ isRevoked: false });
  const act = { operation: "token revoke", operator: "olive", asked: {} } as const;
  expect(await one.credentials.revoke({ tokenHash: "h" }, act)).toMatchObject({ bearers: 1 });
  expect(await other.credentials.bearer("h")).toMatchObject({ isRevoked: true });
  expect(await readAll(other)).toMatchObject([{ operation: "token revoke" }]);

  await setUser(one, { status: 0 });
  expect(await other.credentials.bearer("h")).toMatchObject({ user: { status: 0 } });
});

test("a server that has only the grants of the guide serves, and cannot change the log", async () => {
  const places = await createPlaces();
  const owner = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => owner.end());
  const guide = new URL("../../../apps/docs/guides/growing.md", import.meta.url);
  const [, grants = ""] =
    /```sql\n(CREATE ROLE.*?)\n```/s.exec(await readFile(guide, "utf8")) ?? [];
  const { serviceRole = "" } = await openMaintenance(places);
  expect(serviceRole).toBe(grants);
  await owner.unsafe(serviceRole);
  {
    await using filled = await openStore(places);
    const first = call({ call_id: "of a month to come", datetime: "2025-01-01T10:00:00Z" });
    await fill(filled, [{ kind: "user", record: toUser(1) }, first]);
  }
  const records = places.records.replace("owner@", "call_media_service@");
  await using store = await openStore({ ...places, records });
  const { credentials, accessLog, signIns } = store;
  expect(await store.calls.search(query({}))).toMatchObject({ recordCount: 1 });
  await accessLog.check();
  await accessLog.append(toEntry(), true);
  const session = {
    id: "s",
    kind: "session",
    hash: "h",
    userId: 1,
    createdMs: 1,
    expiresMs: 2,
  } as const;
  await credentials.addBearer(session);
  await credentials.extendSession("h", 8e12);
  expect(await credentials.bearer("h")).toMatchObject({ isRevoked: false, expiresMs: 8e12 });
  await credentials.revoke({ tokenHash: "h" });
  const attempt = { forgetAfterMs: 60_000, judge: () => {}, check: async () => false };
  await signIns?.attempt(["key"], attempt);
  await signIns?.attempt(["key"], { ...attempt, check: async () => true });
  expect(await accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });

  const service = postgres(records, { max: 1, onnotice: () => {} });
  onTestFinished(() => service.end());
  for (const text of [
    "UPDATE access SET hash = ''",
    "DELETE FROM access",
    "TRUNCATE access",
    "ALTER TABLE access DISABLE TRIGGER access_kept",
    "DELETE FROM access_head",
    "DELETE FROM call",
    'UPDATE "user" SET status = 1',
  ])
    await expect(service.unsafe(text)).rejects.toThrow(/permission denied|must be owner/);
});

test("rows of the log can neither be changed nor removed, and what goes around that shows", async () => {
  const { stores, sql } = await openServers(1);
  const [one] = stores;
  if (one === undefined) throw new Error("there is one");
  for (const callId of ["A", "B", "C"])
    await one.accessLog.append(toEntry({ callIds: [callId] }), true);
  for (const text of ["UPDATE access SET hash = ''", "DELETE FROM access", "TRUNCATE access"])
    await expect(sql.unsafe(text)).rejects.toThrow("never changed or removed");

  await sql`ALTER TABLE access DISABLE TRIGGER access_kept`;
  const [, second] = await readAll(one);
  const forged = toRowHash(second?.hash ?? "", 3, "{}");
  await sql`UPDATE access SET entry = '{}', hash = ${forged} WHERE seq = 3`;
  expect(await one.accessLog.verify()).toMatchObject({
    rows: 3,
    fault: expect.stringContaining("row 3 is not the one that was written last"),
  });
  await sql`DELETE FROM access WHERE seq = 3`;
  expect(await one.accessLog.verify()).toMatchObject({ fault: "row 3 is missing" });
  await expect(one.accessLog.witness()).rejects.toMatchObject({ reason: "lost" });
  await sql`DELETE FROM access WHERE seq = 1`;
  expect(await one.accessLog.verify()).toMatchObject({ fault: "row 1 is missing" });
});

/** What somebody does who owns the tables: the last rows go, and the head is set back. */
async function cut(sql: Sql, rows: number): Promise<void> {
  await sql`ALTER TABLE access DISABLE TRIGGER ALL`;
  await sql`DELETE FROM access WHERE seq > (SELECT max(seq) - ${rows} FROM access)`;
  await sql`UPDATE access_head SET seq = (SELECT max(seq) FROM access),
    hash = (SELECT hash FROM access ORDER BY seq DESC LIMIT 1)`;
}

test("rows that are cut off, with the head set back, are named by running servers and by whoever comes later", async () => {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const loss = /rows 6 to 25 are missing: it ends with row 5, and row 25 of .* was there/;
  {
    await using one = await openStore(places);
    await using idle = await openStore(places);
    for (let row = 1; row <= 25; row += 1) await one.accessLog.append(toEntry(), row === 25);
    expect(await idle.accessLog.witness()).toMatchObject({ seq: 25 });
    await cut(sql, 20);
    for (const store of [one, idle]) {
      const { accessLog } = store;
      await expect(accessLog.append(toEntry(), true)).rejects.toThrow(/rows 6 to 25 are missing/);
      await expect(accessLog.check()).rejects.toThrow(/rows 6 to 25 are missing/);
    }
  }
  await expect(openStore(places)).rejects.toThrow(loss);
  const maintenance = await openMaintenance(places);
  {
    await using store = await openStore(places, { toInspect: true });
    expect((await store.accessLog.verify()).fault).toMatch(loss);
    expect(await maintenance.check()).toContainEqual(
      expect.objectContaining({ level: "error", what: expect.stringMatching(loss) }),
    );
  }

  expect(await maintenance.lostLog?.acceptLoss("olive")).toMatch(loss);
  await expect(maintenance.lostLog?.acceptLoss("olive")).rejects.toThrow("nothing was done");
  await using store = await openStore(places);
  await store.accessLog.append(toEntry(), true);
  const decision = { seq: 26, operation: "audit accept-loss", operator: "olive" };
  expect(await store.accessLog.verify()).toMatchObject({
    rows: 7,
    fault: undefined,
    decisions: [decision],
  });
  expect((await maintenance.check()).filter(({ where }) => where === "table access")).toEqual([]);
});

test("a head that goes back while its rows stay, and one ahead of its rows, are refused", async () => {
  const { stores, sql } = await openServers(1);
  const [one] = stores;
  if (one === undefined) throw new Error("there is one");
  for (let row = 1; row <= 3; row += 1) await one.accessLog.append(toEntry(), true);
  await sql`UPDATE access_head SET seq = 2, hash = (SELECT hash FROM access WHERE seq = 2)`;
  await expect(one.accessLog.append(toEntry(), true)).rejects.toThrow(
    "its head was set back from row 3 to row 2",
  );
});

test("a head that goes back while its rows stay is named by whoever comes later, until it is accepted", async () => {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  await using idle = await openStore(places);
  {
    await using one = await openStore(places);
    for (let row = 1; row <= 3; row += 1) await one.accessLog.append(toEntry(), true);
  }
  const maintenance = await openMaintenance(places);
  for (const [row, hash] of [
    [2, sql`(SELECT hash FROM access WHERE seq = 2)`],
    [0, sql`''`],
  ] as const) {
    await sql`UPDATE access_head SET seq = ${row}, hash = ${hash}`;
    const loss = `its head was set back from row 3 to row ${row}`;
    await expect(openStore(places)).rejects.toThrow(loss);
    await expect(idle.accessLog.check()).rejects.toThrow(loss);
    await expect(idle.accessLog.append(toEntry(), true)).rejects.toThrow(loss);
    await using store = await openStore(places, { toInspect: true });
    expect((await store.accessLog.verify()).fault).toBe(loss);
    expect(await readAll(store)).toHaveLength(3);
    expect(await maintenance.check()).toContainEqual(
      expect.objectContaining({ level: "error", what: expect.stringContaining(loss) }),
    );
  }
  expect(await maintenance.lostLog?.acceptLoss("olive")).toContain("was set back from row 3");
  await expect(maintenance.lostLog?.acceptLoss("olive")).rejects.toThrow("nothing was done");
  await using store = await openStore(places);
  await store.accessLog.append(toEntry(), true);
  expect(await store.accessLog.verify()).toMatchObject({ rows: 5, fault: undefined });
  await idle.accessLog.check();
});

test("failed sign-ins count for all servers, one attempt with a key at a time, and a right one forgets them", async () => {
  const { stores } = await openServers(3);
  let [atOnce, most] = [0, 0];
  const seen: number[] = [];
  const attempt = async (place: number, isRight: boolean) =>
    await stores[place % 3]?.signIns?.attempt(["address", "pair"], {
      forgetAfterMs: 60_000,
      judge: ([failures]: readonly Failures[]) => void seen.push(failures?.count ?? -1),
      check: async () => {
        most = Math.max(most, (atOnce += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        atOnce -= 1;
        return isRight;
      },
    });
  await Promise.all(Array.from({ length: 12 }, (_, place) => attempt(place, false)));
  expect(most).toBe(1);
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, count) => count));
  const read = (forgetAfterMs: number) =>
    stores[0]?.signIns?.read(["pair", "other"], forgetAfterMs);
  expect(await read(60_000)).toEqual([
    { count: 12, agoMs: expect.any(Number) },
    { count: 0, agoMs: 0 },
  ]);
  expect(await read(0)).toMatchObject([{ count: 0 }, { count: 0 }]);
  await expect(
    stores[1]?.signIns?.attempt(["pair"], {
      forgetAfterMs: 60_000,
      judge: () => {
        throw Object.assign(new Error("too many"), { code: "CM_SIGN_IN_DELAYED" });
      },
      check: async () => true,
    }),
  ).rejects.toMatchObject({ message: "too many", code: "CM_SIGN_IN_DELAYED" });
  expect(await read(60_000)).toMatchObject([{ count: 12 }, {}]);
  await attempt(1, true);
  expect(await read(60_000)).toMatchObject([{ count: 0 }, { count: 0 }]);
});

test("a row whose write was confirmed to nobody stands once, when it is written again", async () => {
  const { records } = await createPlaces();
  await using connections = openConnections(records);
  const { write } = connections;
  let isLost = true;
  const queue = createAccessQueue(
    createRowWriter({
      ...write,
      transact: async (work, options) => {
        const done = await write.transact(work, options);
        if (isLost) throw new StoreFault("unavailable", "the answer was lost");
        return done;
      },
    }),
  );
  await queue.add('{"row":1}', false);
  await expect(queue.add('{"row":2}', true)).rejects.toThrow("the answer was lost");
  await expect(queue.add('{"row":3}', true)).rejects.toThrow("the answer was lost");
  isLost = false;
  await queue.add('{"row":4}', true);
  await queue.close();
  const rows = await write.ask<{ entry: string }>("SELECT entry FROM access ORDER BY seq");
  expect(rows.map(({ entry }) => entry)).toEqual([1, 2, 3, 4].map((row) => `{"row":${row}}`));
});

test("what comes after the deadline is undone", async () => {
  const { records } = await createPlaces();
  await using connections = openConnections(records);
  const put = (name: string, waitMs: number) =>
    connections.write.transact(
      async ({ ask }) => {
        await ask("INSERT INTO setting VALUES ($1::text, '')", [name]);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      },
      { deadlineMs: 1_000 },
    );
  await expect(put("late", 1_500)).rejects.toMatchObject({ reason: "unavailable" });
  await put("in time", 0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const text = "SELECT name FROM setting WHERE name IN ('late', 'in time')";
  expect(await connections.write.ask(text)).toEqual([{ name: "in time" }]);
});

test("the rows of one call are found by their index, however many others there are", async () => {
  const { stores, sql } = await openServers(1);
  const [store] = stores;
  if (store === undefined) throw new Error("there is one");
  const entries = Array.from({ length: 2_000 }, (_, index) =>
    toEntry({ callIds: [`c${index}`], asked: {} }),
  );
  await Promise.all(entries.map((entry) => store.accessLog.append(entry, false)));
  await store.accessLog.append(toEntry(), true);
  await sql`ANALYZE access`;
  const countScans = async () =>
    Number((await sql`SELECT pg_stat_get_numscans('access_by_call'::regclass) AS n`)[0]?.["n"]);
  const before = await countScans();
  const found = await store.accessLog.ofCall({ callId: "c1999", limit: 50 });
  expect(found.map(({ seq }) => seq)).toEqual([2_000]);
  // The statistics of a connection are there when it has ended.
  await store[Symbol.asyncDispose]();
  await expect.poll(countScans).toBe(before + 1);
});

test("what was asked for before a day leaves the log, whose chain, trigger and other rows stay", async () => {
  const places = await createPlaces();
  await using store = await openStore(places);
  const sql = postgres(places.records, { max: 2, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const [old, recent] = ["2025-04-30T23:59:59Z", "2025-05-01T00:00:00Z"].map((at) =>
    Date.parse(at),
  );
  const asked = { filter: { agent: ['Ge"spenst\\u0000'] } };
  for (let row = 0; row < 3; row += 1)
    await store.accessLog.append(toEntry({ timeMs: old ?? 0, asked, callIds: ["a"] }), true);
  await store.accessLog.append(toEntry({ timeMs: recent ?? 0, asked, callIds: ["b"] }), true);
  const { lastHash } = await store.accessLog.verify();
  const { maintenance } = store;
  const by = { operator: "olive" };
  expect(await maintenance.forgetAsked?.("2025-05-01", { ...by, isDryRun: true })).toMatchObject({
    forgotten: 3,
  });
  expect(await sql`SELECT FROM access`).toHaveLength(4);

  const forgotten = { forgotten: 3, whole: 0 };
  await sql.begin("ISOLATION LEVEL REPEATABLE READ", async (reading) => {
    await reading`SELECT FROM access`;
    expect(await maintenance.forgetAsked?.("2025-05-01", by)).toEqual({
      ...forgotten,
      isComplete: false,
    });
  });
  expect(await maintenance.forgetAsked?.("2025-05-01", by)).toMatchObject({
    forgotten: 0,
    isComplete: true,
  });
  expect(await store.accessLog.verify(lastHash)).toMatchObject({ rows: 6, fault: undefined });
  const rows = await readAll(store, {});
  expect(rows.map((row) => row.asked).slice(0, 4)).toEqual([
    ...Array.from({ length: 3 }, () => ({ forgotten: true })),
    asked,
  ]);
  await expect(sql`UPDATE access SET entry = ''`).rejects.toThrow("never changed");
  await expect(maintenance.forgetAsked?.("2025-13-01", by)).rejects.toThrow("2025-13-01");
});
