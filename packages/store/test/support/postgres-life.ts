// The life of archives in PostgreSQL: backed up as a copy of the database and of the recordings, put back in their place, and killed.
import { cp, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import postgres from "postgres";
import { onTestFinished } from "vitest";
import type { CallStore } from "../../src/index.ts";
import { openMaintenance, openStore } from "../../src/open.ts";
import type { LifeMeans } from "../../src/suite/index.ts";
import { close } from "../../src/suite/stores.ts";
import { createFolder } from "./archives.ts";
import { killed, toUrl } from "./killed.ts";
import type { PostgresPlace, TestServer } from "./postgres.ts";

const toFolder = ({ media }: PostgresPlace) => media.replace("file:", "");

const toErasing = (places: PostgresPlace, callIds: readonly string[]) => `
  import { createLedgerFolder } from ${toUrl("../src/media/ledger-folder.ts")};
  import { createMediaFolder } from ${toUrl("../src/media/media-folder.ts")};
  import { createMaintenance } from ${toUrl("../src/postgres/maintenance/maintenance.ts")};
  const directory = ${JSON.stringify(toFolder(places))};
  const place = createLedgerFolder(directory + "/.call-media-ledger");
  const add = async (number, text) => {
    await place.add(number, text);
    process.kill(process.pid, "SIGKILL");
  };
  const media = { ...createMediaFolder(directory), ledger: { ...place, add } };
  const archive = createMaintenance({ address: ${JSON.stringify(places.records)}, media });
  await archive.erase({ callIds: ${JSON.stringify(callIds)} }, { operator: "olive" });`;

/** The recordings are put back, too. */
async function removeSounds(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of files) if (isSound(name)) await rm(join(parentPath, name));
}

const isSound = (name: string) => /^[0-9a-f]{64}$/.test(name);

export function createLife(server: TestServer) {
  const open = new WeakMap<CallStore, PostgresPlace>();
  const backups = new Map<string, PostgresPlace>();
  const remember = (store: CallStore, places: PostgresPlace): CallStore => {
    open.set(store, places);
    onTestFinished(() => close(store));
    return store;
  };
  const toPlaces = (store: CallStore): PostgresPlace => {
    const places = open.get(store);
    if (places === undefined) throw new Error("the store was made here");
    return places;
  };
  const copyDatabase = async ({ records }: PostgresPlace) => {
    const name = new URL(records).pathname.slice(1);
    // Nobody may have a database open that is copied. A store opens its connections again.
    const sql = postgres(server.server().toAddress("postgres"), { max: 1 });
    await sql`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = ${name}`;
    await sql.end();
    return await server.server().createDatabase(name);
  };
  const create = async (): Promise<CallStore> => {
    const places = await server.createPlaces();
    return remember(await openStore(places), places);
  };
  const life: LifeMeans = {
    backUp: async (store) => {
      const places = toPlaces(store);
      const place = join(await createFolder(), "backup");
      await cp(toFolder(places), place, {
        recursive: true,
        filter: (path) => !basename(path).startsWith(".call-media"),
      });
      backups.set(place, { records: await copyDatabase(places), media: `file:${place}` });
      return place;
    },
    listSounds: async (place) => {
      const files = await readdir(place, { recursive: true });
      return files.map((file) => basename(file)).filter(isSound);
    },
    restore: async (store, place) => {
      const { media } = toPlaces(store);
      await close(store);
      const backup = backups.get(place);
      if (backup === undefined) throw new Error("the backup was made here");
      const places = { records: await copyDatabase(backup), media };
      await removeSounds(toFolder(places));
      await cp(place, toFolder(places), { recursive: true });
      // Nothing is in the access log since then.
      await (await openMaintenance(places)).lostLog?.acceptLoss("olive").catch(() => "");
      return remember(await openStore(places), places);
    },
    killErasing: async (store, callIds) => {
      const places = toPlaces(store);
      await close(store);
      await killed(toErasing(places, callIds));
      return remember(await openStore(places), places);
    },
  };
  return { create, life };
}
