// The tables of an archive in PostgreSQL: who makes them, and what is refused.
import { inspect } from "node:util";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { createStore, findAdapter, openStore } from "../src/open.ts";
import { DIGESTED } from "../src/postgres/digested.ts";
import { call, fill, query } from "../src/suite/records.ts";
import { EARLIER, expectKnown, listEarlier } from "./support/earlier-archives.ts";
import { usePostgres } from "./support/postgres.ts";

const { server, createPlaces } = usePostgres();

test("an archive is made once, by however many at the same time, and then opened", async () => {
  const places = { records: await server().createDatabase(), media: "file:media" };
  expect(await (await findAdapter(places)).exists()).toBe(false);
  await expect(openStore(places)).rejects.toThrow("call-media-server setup");
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      await using store = await createStore(places, { timeZone: "Asia/Tokyo" });
      expect(store.timeZone).toBe("Asia/Tokyo");
    }),
  );
  await using store = await openStore(places);
  expect(store.timeZone).toBe("Asia/Tokyo");
  expect(await store.users.list()).toEqual([]);
  expect(await (await findAdapter(places)).exists()).toBe(true);
});

test("a program goes on with tables that a newer one has added to, and refuses those that it would misread", async () => {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  await using running = await openStore(places);
  const uses = async () => {
    await using store = await openStore(places);
    await fill(store, [call({ call_id: "A", datetime: "2026-01-05T10:00:00Z" })]);
    return await store.calls.search(query({}));
  };
  // A newer program's migration, which this one can go on with: its setup changes nothing.
  const newer = await sql`UPDATE schema_version SET version = version + 1 RETURNING *`;
  await sql`ALTER TABLE call_key ADD COLUMN newer int4`;
  expect(await uses()).toMatchObject({ recordCount: 1 });
  expect(await running.calls.search(query({}))).toMatchObject({ recordCount: 1 });
  await (await createStore(places))[Symbol.asyncDispose]();
  expect(await sql`SELECT * FROM schema_version`).toEqual([...newer]);

  // One that it cannot go on with.
  const [found] = await sql`UPDATE schema_version SET readable_since = version RETURNING version`;
  const refusal = `the archive has tables of version ${found?.["version"]}, which this program does not know: use a newer program`;
  await expect(openStore(places)).rejects.toThrow(refusal);
  await expect(createStore(places)).rejects.toThrow(refusal);
  const { maintenance } = await findAdapter(places);
  await expect(maintenance.check()).rejects.toThrow(refusal);
  // Servers that run go on until they restart.
  expect(await running.calls.search(query({}))).toMatchObject({ recordCount: 1 });

  // An older archive is for setup.
  await sql`UPDATE schema_version SET version = 0, readable_since = 0`;
  await expect(openStore(places)).rejects.toThrow('run "call-media-server setup"');
});

test("setup brings up an archive of before, which knows its own calls when they come again", async () => {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const gone = call({ call_id: "C", datetime: "2025-05-01T10:00:00Z" });
  {
    await using made = await openStore(places);
    await fill(made, [...EARLIER, gone]);
    await made.maintenance.erase({ callId: "C" }, { operator: "olive" });
  }
  for (const { stored, earlier } of listEarlier())
    await sql`UPDATE call SET identity = decode(${earlier}, 'hex') WHERE identity = decode(${stored}, 'hex')`;
  await sql`DROP TABLE act, version, version_recording, held, hold, owed, owed_reference`;
  await sql`ALTER TABLE call DROP COLUMN act`;
  await sql`ALTER TABLE chat DROP COLUMN act`;
  await sql`ALTER TABLE "user" DROP COLUMN act`;
  await sql`ALTER TABLE flag DROP COLUMN act`;
  await sql`DROP FUNCTION rows_are_added, rows_are_removed, rows_are_changed CASCADE`;
  await sql`DROP FUNCTION add_row_sum, count_rows, digest_number`;
  await sql`DROP TABLE row_sum`;
  for (const table of DIGESTED.filter((one) => !/^(?:act|version|h[eo]ld|owed)/.test(one)))
    await sql.unsafe(
      `DROP TRIGGER digest_is_made ON ${table}; ALTER TABLE ${table} DROP COLUMN digest`,
    );
  await sql`DROP FUNCTION digest_is_made, row_digest, text_digest`;
  await sql`ALTER TABLE segment_bits DROP COLUMN ones`;
  await sql`ALTER TABLE media DROP COLUMN sound`;
  await sql`ALTER TABLE tombstone DROP COLUMN until_day, DROP COLUMN erasure`;
  await sql`ALTER TABLE "user" DROP COLUMN digest`;
  await sql`ALTER TABLE flag DROP COLUMN digest`;
  await sql`ALTER TABLE recording DROP COLUMN digest`;
  await sql`DROP TABLE read_back`;
  await sql`DROP INDEX access_by_call`;
  await sql`UPDATE schema_version SET version = 1`;

  await expect(openStore(places)).rejects.toThrow('run "call-media-server setup"');
  await using store = await createStore(places);
  expect(await fill(store, [gone])).toEqual(["erased"]);
  await expectKnown(store);
});

test("an address that is none is refused without its password", async () => {
  const places = { records: "postgres://owner:secret@[bad/archive", media: "file:media" };
  const error = await openStore(places).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ArchiveError" });
  expect(inspect(error)).not.toContain("secret");
});

test("the first host that answers is taken", async () => {
  const { records, media } = await createPlaces();
  const { host, pathname } = new URL(records);
  const address = `postgres://owner@127.0.0.1:1,${host}${pathname}?target_session_attrs=read-write`;
  await using store = await openStore({ records: address, media });
  expect(await store.users.list()).toEqual([]);
});

test("records in a database need a place for recordings", async () => {
  const { records } = await createPlaces();
  await expect(openStore({ records })).rejects.toThrow("need a place for the recordings");
});
