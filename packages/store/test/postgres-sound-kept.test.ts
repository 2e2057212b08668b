// A purge, and the catch-up with the ledger of an archive in PostgreSQL, delete no recording that is still needed.
import { readdir } from "node:fs/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import type { CallStore } from "../src/index.ts";
import { openMaintenance, openStore, type Places } from "../src/open.ts";
import { expectWell } from "../src/suite/holding.ts";
import { call, fill } from "../src/suite/records.ts";
import { openChanged, toFolder } from "./support/changed-places.ts";
import { type PostgresPlace, usePostgres } from "./support/postgres.ts";
import { addRecording, listIds } from "./support/purging.ts";
import { keepCopy } from "./support/set-back.ts";

const server = usePostgres();
const AT = "2025-05-01T10:00:00Z";
const BY = { operator: "olive" };

async function use<T>(places: Places, work: (store: CallStore) => Promise<T>): Promise<T> {
  await using store = await openStore(places);
  return await work(store);
}

/** Imports a call with these recordings. */
const importCall = (places: Places, callId: string, sounds: readonly string[]) =>
  use(places, async (store) => {
    const recordings = await Promise.all(sounds.map((name) => addRecording(store, name)));
    return await fill(store, [call({ call_id: callId, datetime: AT }, { recordings })]);
  });

const toSha256 = (path: string) => path.slice(-64);

const isSound = (name: string) => /[0-9a-f]{64}$/.test(name);

const listSounds = async (places: PostgresPlace) =>
  (await readdir(toFolder(places), { recursive: true })).filter(isSound);

async function endGates({ records }: PostgresPlace): Promise<number> {
  const sql = postgres(records, { max: 1 });
  const ended =
    await sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 2 AND mode = 'ExclusiveLock'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await sql.end();
  return ended.length;
}

test("a database that is put back deletes no recording that a call imported since has, too", async () => {
  const places = await server.createPlaces();
  await importCall(places, "A", ["tone", "own"]);
  const old = await keepCopy(server, places);
  await importCall(places, "C", ["tone"]);
  await (await openMaintenance(places)).erase({ callId: "A" }, BY);
  const kept = await listSounds(places);
  expect(kept).toHaveLength(1);
  await use(old, async (store) => expect(await listIds(store)).toEqual([]));
  expect(await listSounds(places)).toEqual(kept);
  await importCall(old, "C", ["tone"]);
  await use(old, expectWell);
});

test("a purge whose lock is lost with its connection deletes no further recording", async () => {
  const places = await server.createPlaces();
  await importCall(places, "A", ["one", "two", "three"]);
  const archive = openChanged(places, (folder) => ({
    media: {
      delete: async (name) => {
        expect(await endGates(places)).toBe(1);
        return await folder.delete(name);
      },
    },
  }));
  await expect(archive.erase({ callId: "A" }, BY)).rejects.toMatchObject({ reason: "unavailable" });
  expect(await listSounds(places)).toHaveLength(2);
  await use(places, expectWell);
  expect(await listSounds(places)).toEqual([]);
});

test("a purge whose lock is lost with its connection erases no further call", async () => {
  const places = await server.createPlaces();
  const calls = Array.from({ length: 600 }, (_, at) => call({ call_id: `A-${at}`, datetime: AT }));
  await use(places, async (store) => void (await fill(store, calls)));
  const archive = openChanged(places, (_media, ledger) => ({
    ledger: {
      add: async (number, text) => {
        await endGates(places);
        return await ledger.add(number, text);
      },
    },
  }));
  const callIds = calls.flatMap(({ record }) => record.call_id ?? []);
  await expect(archive.erase({ callIds }, BY)).rejects.toMatchObject({ reason: "unavailable" });
  await use(places, async (store) => expect(await listIds(store)).not.toEqual([]));
});

test("a purge deletes no recording that has got a record since it was listed", async () => {
  const places = await server.createPlaces();
  await importCall(places, "A", ["one", "two"]);
  const sounds = (await listSounds(places)).map(toSha256);
  await importCall(places, "B", ["three"]);
  const sql = postgres(places.records, { max: 1 });
  const deleted: string[] = [];
  const archive = openChanged(places, (folder) => ({
    media: {
      delete: async (name) => {
        deleted.push(name);
        const other = sounds.find((one) => one !== name) ?? "";
        await sql.begin(async (one) => {
          await one`SET LOCAL call_media.counts = 'on'`;
          await one`INSERT INTO recording (call, part, filename, sha256, type, modified_ms)
            SELECT call, part + 1, filename, decode(${other}, 'hex'), type, modified_ms FROM recording`;
        });
        return await folder.delete(name);
      },
    },
  }));
  await archive.erase({ callId: "A" }, BY);
  await sql.end();
  expect(deleted).toHaveLength(1);
  expect(await listSounds(places)).toHaveLength(2);
});
