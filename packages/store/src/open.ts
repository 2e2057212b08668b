// Opening an archive by the address of its places: the adapter is the one that its scheme names.
import {
  type Adapter,
  ArchiveError,
  type CallStore,
  type CreateOptions,
  type Maintenance,
  type OpenOptions,
} from "./port/index.ts";

export { makeFolder } from "./media/files.ts";
export type { Adapter, CreateOptions, DryRunOptions, OpenOptions } from "./port/index.ts";

/** Where an archive lies. */
export interface Places {
  /** `sqlite:DIR`, or a folder alone, which is the same. */
  readonly records: string;
  /** Default: where the adapter of the records keeps recordings: of sqlite, the folder `media` in that of the records. */
  readonly media?: string | undefined;
}

const ADAPTERS: Readonly<Record<string, (place: string) => Promise<Adapter>>> = {
  sqlite: async (directory) => (await import("./sqlite/adapter.ts")).toAdapter(directory),
};

/** The adapter of the places. Throws `ArchiveError` for a combination that there is none for. */
export async function findAdapter({ records, media }: Places): Promise<Adapter> {
  const [, scheme = "", place = ""] = /^([a-z][a-z\d]+):(.*)$/s.exec(records) ?? [];
  const load = ADAPTERS[scheme];
  // A folder may be called anything.
  const open = load ?? ADAPTERS["sqlite"];
  if (open === undefined || media !== undefined)
    throw new ArchiveError(`recordings cannot lie in ${media} with records in ${records}`);
  return await open(load === undefined ? records : place);
}

/** Opens an archive that exists. Throws `ArchiveError`. */
export async function openStore(places: Places, options: OpenOptions = {}): Promise<CallStore> {
  return await (await findAdapter(places)).open(options);
}

/** Opens the archive of these places, or makes an empty one there. Throws `ArchiveError`. */
export async function createStore(places: Places, options: CreateOptions = {}): Promise<CallStore> {
  return await (await findAdapter(places)).create(options);
}

/** Throws `ArchiveError` when it is used, not before: some of it is for an archive that cannot be opened. */
export async function openMaintenance(places: Places): Promise<Maintenance> {
  return (await findAdapter(places)).maintenance;
}
