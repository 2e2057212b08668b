// An archive in PostgreSQL whose role, or database, has settings of its own that change how values are written and what a transaction is.
import { hasPgBouncer } from "@call-media/test-setup/pgbouncer";
import postgres from "postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createStore, openMaintenance, openStore } from "../src/open.ts";
import { toEntry } from "../src/suite/access-log.ts";
import { addRecording, call, fill, flag, message, query, toUser } from "../src/suite/records.ts";
import { usePostgres } from "./support/postgres.ts";

const AT = "2025-05-01T10:00:00Z";

const ODD = {
  extra_float_digits: "-15",
  DateStyle: "SQL, DMY",
  IntervalStyle: "sql_standard",
  bytea_output: "escape",
  TimeZone: "Asia/Kathmandu",
  lc_messages: "POSIX",
  standard_conforming_strings: "off",
  backslash_quote: "off",
  search_path: "odd, public, pg_catalog",
  default_transaction_isolation: "serializable",
  client_encoding: "LATIN1",
};

const { createPlaces } = usePostgres();

test("odd settings of its role change nothing", async () => {
  const places = await createPlaces();
  const items = [
    { kind: "user", record: toUser(1) },
    { kind: "flag", record: flag(7, "Public", "vip") },
    { kind: "chat", record: message("A", "Ærø – yes", AT) },
  ] as const;
  const make = async (id: string) => {
    await using store = await openStore(places);
    const recording = await addRecording(store, { filename: "ä.wav", content: id });
    const dated = call(
      { call_id: id, datetime: AT, notes: "wörds \\d" },
      { recordings: [recording], revisedMs: 1_746_093_600_123 },
    );
    expect(await fill(store, [dated])).toEqual(["imported"]);
    await store.accessLog.append(toEntry(), true);
    const key = { userId: 1, createdMs: 1_746_093_600_123, hash: id, id, kind: "key" } as const;
    await store.credentials.addBearer(key);
    return dated;
  };
  {
    await using store = await createStore(places);
    await fill(store, items);
  }
  await make("A");
  const sql = postgres(places.records, { max: 1, onnotice: () => {}, prepare: false });
  onTestFinished(() => sql.end());
  await sql`CREATE SCHEMA odd`;
  const [row] = await sql`SELECT current_database() AS name, current_user AS role`;
  for (const [name, value] of Object.entries(ODD))
    await sql.unsafe(
      `ALTER ROLE ${row?.["role"]} IN DATABASE ${row?.["name"]} SET ${name} = ${name === "search_path" ? value : `'${value}'`}`,
    );
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;

  const again = await make("B");
  await using store = await openStore(places);
  expect(await fill(store, [...items, again])).toEqual([
    "unchanged",
    "unchanged",
    "unchanged",
    "unchanged",
  ]);
  for (const id of ["A", "B"]) {
    expect(await store.calls.byCallId(id, "everything")).toMatchObject([{ notes: "wörds \\d" }]);
    expect(await store.credentials.bearer(id)).toMatchObject({ createdMs: 1_746_093_600_123 });
  }
  expect(await store.calls.search(query({}))).toMatchObject({ recordCount: 2 });
  expect(await store.users.list()).toMatchObject([{ id: 1 }]);
  const rows = [];
  for await (const one of store.accessLog.read({ sinceMs: 1 })) rows.push(one.seq);
  expect(rows).toEqual([1, 2]);
  await store.accessLog.check();
  expect(await store.credentials.revoke({ key: "B" })).toBeTruthy();
  const findings = await (await openMaintenance(places)).check();
  expect(findings.filter(({ level }) => level === "error")).toEqual([]);
  await store.maintenance.erase({ callId: "B" }, { operator: "olive" });
  expect(await store.calls.byCallId("B", "everything")).toEqual([]);
  expect(await fill(store, [again])).toEqual(["erased"]);
});

describe.skipIf(!hasPgBouncer)(
  "through PgBouncer, which refuses settings that it does not know",
  () => {
    const pooled = usePostgres({ isPooled: true });

    // PgBouncer keeps connections to the server a while, which have the settings of before.
    const waitUntilClosed = async (name: unknown) => {
      const sql = postgres(await pooled.server().createDatabase(), { max: 1, onnotice: () => {} });
      const list = () =>
        sql`SELECT pid FROM pg_stat_activity WHERE datname = ${String(name)} AND backend_type = 'client backend'`;
      await vi.waitFor(async () => expect(await list()).toHaveLength(0), {
        timeout: 60_000,
        interval: 100,
      });
      await sql.end();
    };

    test("those that change nothing are borne, and one that rounds numbers is named", async () => {
      const places = await pooled.createPlaces();
      const set = async (odd: Readonly<Record<string, string>>) => {
        const sql = postgres(places.records, { max: 1, onnotice: () => {}, prepare: false });
        const [row] = await sql`SELECT current_database() AS name`;
        for (const [name, value] of Object.entries(odd))
          await sql.unsafe(`ALTER DATABASE ${row?.["name"]} SET ${name} = '${value}'`);
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
        await sql.end();
        await waitUntilClosed(row?.["name"]);
      };
      const { extra_float_digits, standard_conforming_strings, DateStyle, TimeZone, bytea_output } =
        ODD;
      await set({ standard_conforming_strings, DateStyle, TimeZone, bytea_output });
      {
        await using store = await createStore(places);
        expect(await fill(store, [call({ call_id: "A", datetime: AT })])).toEqual(["imported"]);
        await store.accessLog.append(toEntry(), true);
        const rows = [];
        for await (const one of store.accessLog.read({ sinceMs: 1 })) rows.push(one.seq);
        expect(rows).toEqual([1]);
      }
      expect(await (await openMaintenance(places)).check()).toEqual([]);
      await set({ extra_float_digits });
      await expect(openStore(places)).rejects.toThrow("extra_float_digits is -15");
    });
  },
);
