// Opens an archive by the addresses of its places. The scheme of each names the adapter of the records, and the media store.
import { join, resolve } from "node:path";
import { createFolderClaim } from "./media/claim.ts";
import { createLedgerFolder, LEDGER } from "./media/ledger-folder.ts";
import { createMediaFolder } from "./media/media-folder.ts";
import { openNoted } from "./media/noted-store.ts";
import { NOTE_PREFIX } from "./media/notes.ts";
import {
  type Adapter,
  ArchiveError,
  type CallStore,
  type CreateOptions,
  type LedgerPlace,
  type Maintenance,
  type MediaStore,
  type OpenOptions,
  type ReplicaPlace,
} from "./port/index.ts";

import { makeFolder } from "./media/files.ts";

export { makeFolder } from "./media/files.ts";
export type { Adapter, CreateOptions, DryRunOptions, OpenOptions } from "./port/index.ts";

/** The addresses of an archive. */
export interface Places {
  /** `sqlite:DIR`, or just a directory, which means the same; `postgres://USER@HOST/DATABASE`. */
  readonly records: string;
  /**
   * `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`, or `file:DIR`, or just a directory, which means the same. Default for sqlite: the
   * directory `media` in that of the records.
   */
  readonly media?: string | undefined;
  /** A standby of the records in PostgreSQL, only for reads of records. */
  readonly replica?: ReplicaPlace | undefined;
  /** The variables of the AWS tools, with the keys for `s3:`. Default: those of the process. */
  readonly env?: Environment | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

type OpenAdapter = (
  address: string,
  media: MediaStore | undefined,
  replica: ReplicaPlace | undefined,
) => Promise<Adapter>;
type OpenMediaStore = (address: string, env: Environment) => Promise<MediaStore>;

const openFolder: OpenAdapter = async (address, media, replica) => {
  if (replica !== undefined)
    throw new ArchiveError("records in a folder have no replica: leave it out");
  return (await import("./sqlite/adapter.ts")).toAdapter(toFolder(address), media);
};

const openPostgres: OpenAdapter = async (address, media, replica) =>
  (await import("./postgres/adapter.ts")).toAdapter(address, media, replica);

const openMediaFolder: OpenMediaStore = async (address) => {
  const directory = toFolder(address);
  return {
    ...createMediaFolder(directory),
    claim: createFolderClaim(directory),
    ledger: createLedgerFolder(join(directory, NOTE_PREFIX + LEDGER)),
  };
};

const toFolder = (address: string) => address.replace(/^(?:sqlite|file):/, "");

/** By the scheme of the address. An adapter that cannot store recordings itself rejects `undefined`. */
const ADAPTERS: Readonly<Record<string, OpenAdapter>> = {
  sqlite: openFolder,
  postgres: openPostgres,
  postgresql: openPostgres,
};
const MEDIA_STORES: Readonly<Record<string, OpenMediaStore>> = {
  file: openMediaFolder,
  s3: async (address, env) => (await import("./media/s3/bucket-store.ts")).openBucket(address, env),
  // Lost when the program ends.
  memory: async () => (await import("./memory/media.ts")).createMedia(),
};

/** The adapter of the places. Throws `ArchiveError` for an address of another kind. */
export async function findAdapter({
  records,
  media,
  replica,
  env = process.env,
}: Places): Promise<Adapter> {
  const open = find(ADAPTERS, records) ?? openFolder;
  const isElsewhere = media !== undefined && !isOwnFolder(records, media);
  const adapter = await open(
    records,
    isElsewhere ? await openMedia(media, env) : undefined,
    replica,
  );
  return {
    ...adapter,
    open: (options) => openNoted(() => adapter.open(options), options),
    create: async (options) => {
      await makePlace({ records, media });
      return await openNoted(() => adapter.create(options));
    },
  };
}

// An archive in a directory can do more if its recordings are in it too.
function isOwnFolder(records: string, media: string): boolean {
  return resolve(toFolder(media)) === resolve(toFolder(records), "media");
}

async function openMedia(address: string, env: Environment): Promise<MediaStore> {
  return await (find(MEDIA_STORES, address) ?? openMediaFolder)(address, env);
}

/** Undefined for just a directory, whose name may be anything without `://`. Throws `ArchiveError` for an unknown scheme. */
function find<Open>(openers: Readonly<Record<string, Open>>, address: string): Open | undefined {
  const [, scheme = "", rest = ""] = /^([a-z][a-z\d+.-]+):(.*)$/s.exec(address) ?? [];
  if (Object.hasOwn(openers, scheme)) return openers[scheme];
  if (!rest.startsWith("//")) return undefined;
  const known = Object.keys(openers).map((one) => `${one}:`);
  // The rest of the address may contain a password.
  throw new ArchiveError(
    `there is nothing to open ${scheme}:// with: an address here begins with ${known.join(" or ")}`,
  );
}

/** Opens an archive that exists. Throws `ArchiveError`. */
export async function openStore(places: Places, options: OpenOptions = {}): Promise<CallStore> {
  return await (await findAdapter(places)).open(options);
}

// The adapter itself creates each part of an archive's own directory.
async function makePlace({ records, media }: Places): Promise<void> {
  if (media === undefined || isOwnFolder(records, media)) return;
  const open = find(MEDIA_STORES, media) ?? openMediaFolder;
  if (open === openMediaFolder) await makeFolder(toFolder(media));
}

/** Opens the archive of these places, or creates an empty one there. Throws `ArchiveError`. */
export async function createStore(places: Places, options: CreateOptions = {}): Promise<CallStore> {
  return await (await findAdapter(places)).create(options);
}

/** Throws `ArchiveError` on use, not when opened: some of it works for an archive that cannot be opened. */
export async function openMaintenance(places: Places): Promise<Maintenance> {
  return (await findAdapter(places)).maintenance;
}

/** The ledger of erasures in a separate directory, or in the bucket of the recordings. Throws `ArchiveError` for any other address. */
export async function openLedger(
  address: string,
  env: Environment = process.env,
): Promise<LedgerPlace> {
  if (find(MEDIA_STORES, address) === MEDIA_STORES["s3"]) {
    const { ledger } = await openMedia(address, env);
    if (ledger !== undefined) return ledger;
  }
  const place = createLedgerFolder(toFolder(address));
  if ((await place.list()).length > 0) return place;
  throw new ArchiveError(
    `${address} has no entry of a ledger: give the folder that has 000001.json`,
  );
}
