// The embedded adapter, as `open.ts` knows it.
import type { Adapter } from "../port/adapter.ts";
import type { MediaStore } from "../port/media.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { openScratchCopy } from "./scratch-copy.ts";
import { createStore, isArchive, openStore } from "./sqlite-store.ts";

/** Without `media` the recordings are in the directory `media` of the archive's directory. */
export function toAdapter(directory: string, media: MediaStore | undefined): Adapter {
  return {
    exists: async () => isArchive(directory),
    open: (options) => openStore({ directory, media, ...options }),
    create: (options) => createStore({ directory, media, ...options }),
    maintenance: createMaintenance(directory, { media }),
    openDryRun: (options) => openScratchCopy({ directory, media, ...options }),
  };
}
