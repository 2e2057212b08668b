// A migration into an archive that an earlier one filled, when the other archive was purged in between.
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrateArchive } from "../src/index.ts";
import { createStore, findAdapter, openMaintenance, openStore, type Places } from "../src/open.ts";
import { readAll } from "../src/suite/access-log.ts";
import { expectWell } from "../src/suite/holding.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { usePostgres } from "./support/postgres.ts";
import { addRecording, listIds } from "./support/purging.ts";

const postgresServer = usePostgres();
const AT = "2025-05-01T10:00:00Z";

/** Each returns the place of the recordings of the first archive, and the places of the other. */
const TARGETS = {
  "a folder": async () => [await createFolder(), { records: join(await createFolder(), "b") }],
  "a folder with the same recordings": async () => {
    const media = await createFolder();
    return [media, { records: join(await createFolder(), "b"), media }];
  },
  "a database": async () => [await createFolder(), await postgresServer.createPlaces()],
  "a database with the same recordings": async () => {
    const to = await postgresServer.createPlaces();
    return [to.media, to];
  },
} satisfies Record<string, () => Promise<readonly [media: string, to: Places]>>;

async function migrate(from: Places, to: Places) {
  await using store = await (await findAdapter(to)).create({ timeZone: "UTC", toMigrate: true });
  return await migrateArchive({ from: await openMaintenance(from), to: store });
}

const add = async (places: Places, callId: string, recorded: readonly string[] = []) => {
  await using store = await createStore(places);
  const recordings = await Promise.all(recorded.map((one) => addRecording(store, one)));
  await fill(store, [call({ call_id: callId, datetime: AT }, { recordings })]);
};

test.each(Object.entries(TARGETS))("%s loses what was purged in between", async (_what, open) => {
  const [media, to] = await open();
  const from = { records: join(await createFolder(), "a"), media };
  const purge = async (callId: string) =>
    await (await openMaintenance(from)).erase({ callId }, { operator: "olive" });
  await add(from, "A", ["own", "shared"]);
  await add(from, "B");
  await purge("B");
  expect(await migrate(from, to)).toMatchObject({ calls: 1, differences: [] });
  await add(from, "C", ["shared"]);
  await purge("A");

  expect(await migrate(from, to)).toMatchObject({ calls: 1, differences: [] });
  await using store = await openStore(to);
  expect(await listIds(store)).toEqual(["C"]);
  expect((await readAll(store)).map(({ asked }) => asked)).toEqual([
    { call_id: "B" },
    { call_id: "A" },
  ]);
  const sizes: number[] = [];
  for await (const { bytes } of store.media.list()) sizes.push(bytes);
  expect(sizes).toHaveLength(1);
  expect(await fill(store, [call({ call_id: "A" }), call({ call_id: "B" })])).toEqual([
    "erased",
    "erased",
  ]);
  await expectWell(store);
});
