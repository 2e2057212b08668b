// The tables of an archive in PostgreSQL: who makes them, and what is refused.
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createStore, findAdapter, openStore } from "../src/open.ts";
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
