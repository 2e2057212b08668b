// Imports into PostgreSQL by several workers at once, and texts that it cannot hold as they are.
import postgres from "postgres";
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore } from "../src/index.ts";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { createStore, openStore } from "../src/open.ts";
import { openConnections } from "../src/postgres/connection.ts";
import { holdGate } from "../src/postgres/locks.ts";
import { call, fill, message, query, toUser } from "../src/suite/records.ts";
import { usePostgres } from "./support/postgres.ts";

const { create, createPlaces } = usePostgres();

const ROWS = 1_500;
const BATCH = 125;

/** Many of the same second and of the same call, in a year that has no tables yet. */
const rows = Array.from({ length: ROWS }, (_, index): readonly ArchiveItem[] => {
  const call_id = `call ${index % 900}`;
  const datetime = new Date(
    Date.UTC(2024, 0, 1) + Math.floor(index / 7) * 20_000_000,
  ).toISOString();
  return [
    call({ call_id, datetime, agent: index < 900 ? "ann" : "bob", ref_id: `r${index % 50}` }),
    ...(index % 10 === 0
      ? [{ kind: "chat" as const, record: message(call_id, "Yes.", datetime) }]
      : []),
  ];
});

async function importAll(store: CallStore, order: (at: number) => number): Promise<void> {
  await using session = await store.openImport();
  const starts = Array.from({ length: ROWS / BATCH }, (_, at) => order(at) * BATCH);
  for (const at of starts) await session.write(rows.slice(at, at + BATCH), 0, true);
  await session.write([]);
}

test("workers that import the same file at once make what one makes of it", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await using other = await openStore(places);
  await using connections = openConnections(places.records);
  const over = new AbortController();
  const searchOn = async () => {
    let last = 0;
    while (!over.signal.aborted) {
      const { recordCount = 0 } = await store.calls.search(query({}));
      expect(recordCount).toBeGreaterThanOrEqual(last);
      last = recordCount;
      expect(await holdGate(connections.write, true)).toBeUndefined();
    }
  };
  await using session = await other.openImport();
  await session.write([]);
  const searching = searchOn();
  try {
    await Promise.all([
      importAll(store, (at) => at),
      importAll(other, (at) => at),
      // Against the others, so that all meet.
      importAll(other, (at) => ROWS / BATCH - 1 - at),
    ]);
  } finally {
    over.abort();
  }
  await searching;

  const { recordCount } = await store.calls.search(query({}));
  expect(recordCount).toBe(ROWS);
  const { imported, replaced, unchanged } = await store.importedRows();
  expect([imported + unchanged, replaced]).toEqual([3 * ROWS, 0]);
  for (const index of [0, 5, 899]) {
    const callId = `call ${index}`;
    const legs = await store.calls.byCallId(callId, "everything");
    expect(legs.map(({ agent }) => agent)).toEqual(index < 600 ? ["bob", "ann"] : ["ann"]);
  }
  expect((await store.calls.byReference("r7", "everything")).length).toBe(ROWS / 50);
  const [row] = await connections.read.ask<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  expect(row?.deadlocks).toBe("0");
});

test("an import that has lost its hold on the archive writes nothing more", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await using connections = openConnections(places.records);
  await using session = await store.openImport();
  await session.write([[call({ call_id: "A" })]]);
  await connections.write.ask(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 2",
  );
  await expect
    .poll(async () => await session.write([[call({ call_id: "B" })]]).then(() => "", String))
    .toContain("StoreFault");
  await expect(session.write([[call({ call_id: "C" })]])).rejects.toMatchObject({
    name: "StoreFault",
  });
  expect(await store.calls.byCallId("C", "everything")).toEqual([]);
});

test("nobody erases while an import is open, and nobody imports while somebody erases", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await using connections = openConnections(places.records);
  {
    await using session = await store.openImport();
    await session.write([]);
    expect(await holdGate(connections.write, true)).toBeUndefined();
  }
  await using gate = await holdGate(connections.write, true);
  expect(gate).toBeDefined();
  await expect(store.openImport()).rejects.toThrow("being purged");
});

test("a damaged record keeps no import from going on, and is replaced", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await using connections = openConnections(places.records);
  const at = { datetime: "2025-05-01T10:00:00Z" };
  const before = call({ call_id: "A", notes: "ann", ...at }, { sessionId: "old" });
  await fill(store, [before, call({ call_id: "B", ...at })]);
  await connections.write.ask("UPDATE call SET record = '[' WHERE record LIKE '%ann%'");
  await expect(store.calls.byCallId("A", "everything")).rejects.toMatchObject({
    reason: "damaged",
  });

  // What is compared of a record is beside it.
  expect(await fill(store, [before, call({ call_id: "C", ...at })])).toEqual([
    "unchanged",
    "imported",
  ]);
  const after = call({ call_id: "A", notes: "bob", ...at }, { sessionId: "new" });
  expect(await fill(store, [after])).toEqual(["replaced"]);
  expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ notes: "bob" }]);
  expect(await store.calls.byReference("old", "everything")).toEqual([]);
  expect(await store.calls.search(query({}))).toMatchObject({ recordCount: 3 });
});

test("nothing is imported into an archive that lacks a call, and a user is disabled", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await fill(store, [call({ call_id: "A" }), { kind: "user", record: toUser(1) }]);
  await fill(store, [call({ call_id: "B" })]);
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  await sql`DELETE FROM call WHERE id = (SELECT min(id) FROM call)`;
  await sql.end();
  await expect(store.openImport()).rejects.toMatchObject({
    reason: "damaged",
    message: expect.stringContaining("the table call (1 of "),
  });
  const before = toUser(1);
  const record = { ...before, status: 2 } as const;
  await using session = await store.openImport({ only: "users" });
  expect(await session.write([[{ kind: "user", record, before }]])).toEqual(["replaced"]);
});

test("an import for whose locks the database has no room says which setting to raise", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const others = postgres(places.records, { max: 1, onnotice: () => {} });
  try {
    // What has been locked until then stays so.
    await expect(
      others`SELECT pg_advisory_lock(key) FROM generate_series(1, 100000) AS key`,
    ).rejects.toThrow("out of shared memory");
    const calls = Array.from({ length: 500 }, (_, id) => call({ call_id: String(id) }));
    await expect(fill(store, calls)).rejects.toThrow("raise its max_locks_per_transaction");
  } finally {
    await others.end();
  }
  expect(await fill(store, [call({ call_id: "A" })])).toEqual(["imported"]);
});

test("texts that PostgreSQL does not hold come back as in memory, and are found", async () => {
  const [store, model] = [await create(), createMemoryStore()];
  const odd = [
    "a\u0000b",
    "half \ud800",
    "\udc00 half",
    "\u0000",
    'back\\slash "quoted" {,}',
    "\t\n\r\\N",
  ];
  const long = Array.from({ length: 6_000 }, (_, index) => (index * 7_919 + 13).toString(36)).join(
    "",
  );
  for (const one of [store, model]) {
    await fill(one, [
      ...[...odd, long].map((text) =>
        call(
          {
            call_id: text,
            ref_id: `r${text}`,
            agent: text,
            notes: text,
            datetime: "2025-05-01T10:00:00Z",
          },
          { sessionId: `s${text}`, masterId: text },
        ),
      ),
      ...odd.map((text) => ({
        kind: "chat" as const,
        record: message(text, text, "2025-05-01T10:00:00Z"),
      })),
      ...odd.map((username, id) => ({ kind: "user" as const, record: toUser(id, { username }) })),
    ]);
  }
  const answers = async ({ calls, users }: CallStore) => ({
    all: await calls.search(query({})),
    users: await users.list(),
    each: await Promise.all(
      [...odd, long].map(async (text) => [
        await calls.byCallId(text, "everything"),
        await calls.byReference(`s${text}`, [
          { field: "agent", allowed: [text.trim().toLowerCase()] },
        ]),
        await calls.chat(text, "everything"),
        await calls.search(query({ filter: { agent: text } })),
        await users.byName(text),
      ]),
    ),
  });
  expect(await answers(store)).toEqual(await answers(model));
  await store[Symbol.asyncDispose]();
});
