// The life of archives in folders: backed up, restored in their place, and killed.
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import type { CallStore } from "../../src/index.ts";
import { createLedgerFolder } from "../../src/media/ledger-folder.ts";
import { openMaintenance, openStore } from "../../src/open.ts";
import { listGenerations } from "../../src/sqlite/maintenance/generations.ts";
import { createStore } from "../../src/sqlite/sqlite-store.ts";
import type { LifeMeans } from "../../src/suite/index.ts";
import { close, KEEP_DAYS } from "../../src/suite/stores.ts";
import { createFolder } from "./archives.ts";
import { killed, toUrl } from "./killed.ts";

const directories = new WeakMap<CallStore, string>();

function remember(store: CallStore, directory: string): CallStore {
  directories.set(store, directory);
  onTestFinished(() => close(store));
  return store;
}

const toDirectory = (store: CallStore): string => {
  const directory = directories.get(store);
  if (directory === undefined) throw new Error("the store was made here");
  return directory;
};

const restores = new Map<string, number>();

/** Beside the archive. A restored one has a folder of its own: that of before may have more of the access log, and is kept as it is. */
const toBackups = (directory: string) => `${directory}-backups-${restores.get(directory) ?? 0}`;

export async function createLifeStore(timeZone?: string): Promise<CallStore> {
  const directory = join(await createFolder(), "archive");
  return remember(await createStore({ directory, timeZone }), directory);
}

const toErasing = (directory: string, callIds: readonly string[]) => `
  import { createLedgerFolder } from ${toUrl("../src/media/ledger-folder.ts")};
  import { createMediaFolder } from ${toUrl("../src/media/media-folder.ts")};
  import { createMaintenance } from ${toUrl("../src/sqlite/maintenance/maintenance.ts")};
  const directory = ${JSON.stringify(directory)};
  const place = createLedgerFolder(directory + "/ledger");
  const add = async (number, text) => {
    await place.add(number, text);
    process.kill(process.pid, "SIGKILL");
  };
  const media = { ...createMediaFolder(directory + "/media"), ledger: { ...place, add } };
  const filter = { callIds: ${JSON.stringify(callIds)} };
  await createMaintenance(directory, { media }).erase(filter, { operator: "olive" });`;

export const LIFE: LifeMeans = {
  backUp: async (store) => {
    const to = toBackups(toDirectory(store));
    await store.maintenance.snapshot?.(to, { keepDays: KEEP_DAYS });
    return listGenerations(to).at(-1) ?? to;
  },
  generations: {
    list: (store) => listGenerations(toBackups(toDirectory(store))),
    age: async (store, days) => {
      for (const generation of listGenerations(toBackups(toDirectory(store)))) {
        const file = join(generation, "backup.json");
        const manifest: { createdAt: string } = JSON.parse(await readFile(file, "utf8"));
        const createdMs = Date.parse(manifest.createdAt) - days * 86_400_000;
        const createdAt = new Date(createdMs).toISOString();
        await writeFile(file, JSON.stringify({ ...manifest, createdAt }));
      }
    },
  },
  listSounds: async (place) => {
    const files = await readdir(join(place, "media"), { recursive: true });
    return files.map((file) => basename(file)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  },
  restore: async (store, place) => {
    const directory = toDirectory(store);
    await close(store);
    const away = `${directory}-away`;
    await rename(directory, away);
    const archive = await openMaintenance({ records: directory });
    await archive.restore?.(place, { ledger: createLedgerFolder(join(away, "ledger")) });
    await rm(away, { recursive: true });
    restores.set(directory, (restores.get(directory) ?? 0) + 1);
    return remember(await openStore({ records: directory }), directory);
  },
  killErasing: async (store, callIds) => {
    const directory = toDirectory(store);
    await close(store);
    await killed(toErasing(directory, callIds));
    return remember(await openStore({ records: directory }), directory);
  },
};
