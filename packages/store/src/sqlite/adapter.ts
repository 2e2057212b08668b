// The embedded adapter, as `open.ts` knows it.
import type { Adapter } from "../port/adapter.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { openScratchCopy } from "./scratch-copy.ts";
import { createStore, isArchive, openStore } from "./sqlite-store.ts";

export function toAdapter(directory: string): Adapter {
  return {
    exists: async () => isArchive(directory),
    open: (options) => openStore({ directory, ...options }),
    create: (options) => createStore({ directory, ...options }),
    maintenance: createMaintenance(directory),
    openDryRun: (options) => openScratchCopy({ directory, ...options }),
  };
}
