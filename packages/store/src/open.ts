// Opening an archive by the address of its places: the adapter is the one that its scheme names.
import type { CallStore, Maintenance } from "./port/index.ts";
import { ArchiveError } from "./port/faults.ts";

export { makeFolder } from "./sqlite/files/make-folder.ts";

/** Where an archive lies. */
export interface Places {
  /** `sqlite:DIR`, or a folder alone, which is the same. */
  readonly records: string;
  /** Default: where the adapter of the records keeps recordings: of sqlite, the folder `media` in that of the records. */
  readonly media?: string | undefined;
}

export interface OpenOptions {
  /** Opens an archive whose access log lost rows as well, which is refused else: to read what is left of the log. */
  readonly toInspect?: boolean | undefined;
}

export interface CreateOptions {
  /** IANA name (D03); default UTC. One that has calls or chats keeps its own. */
  readonly timeZone?: string | undefined;
}

export interface DryRunOptions extends CreateOptions {
  /** Ends the dry run at once, and what it keeps meanwhile. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how much of the records is copied. */
  readonly onCopied?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}

/** What there is for the places of one scheme. All of it throws `ArchiveError` for places that cannot be used. */
export interface Adapter {
  /** Whether an archive, or what is left of one, is there. */
  readonly exists: () => Promise<boolean>;
  readonly open: (options: OpenOptions) => Promise<CallStore>;
  /** Opens the archive, or makes an empty one. */
  readonly create: (options: CreateOptions) => Promise<CallStore>;
  /** Of an archive that cannot be opened, too. */
  readonly maintenance: Maintenance;
  /** An archive like that of these places, which is forgotten when it is closed; recordings are only hashed. */
  readonly openDryRun?: (options: DryRunOptions) => Promise<CallStore>;
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
