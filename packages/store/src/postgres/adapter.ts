// The adapter for PostgreSQL, as `open.ts` knows it.
import type { Adapter } from "../port/adapter.ts";
import { ArchiveError } from "../port/faults.ts";
import type { MediaStore } from "../port/media.ts";
import type { ReplicaPlace } from "../port/replica.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { createStore, isArchive, openStore } from "./postgres-store.ts";

/** Throws `ArchiveError` without `media`: a database does not store recordings. */
export function toAdapter(
  address: string,
  media: MediaStore | undefined,
  replica: ReplicaPlace | undefined,
): Adapter {
  if (media === undefined)
    throw new ArchiveError(
      "records in PostgreSQL need a place for the recordings: name a folder (file:...) or a bucket (s3:...)",
    );
  const places = { address, media, replica };
  return {
    exists: () => isArchive(places),
    open: (options) => openStore({ ...places, ...options }),
    create: (options) => createStore({ ...places, ...options }),
    maintenance: createMaintenance(places),
  };
}
