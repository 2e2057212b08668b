// An open archive in PostgreSQL: implements the port with its connections and its media.
import {
  ArchiveError,
  type CallStore,
  type CreateOptions,
  isFault,
  type OpenOptions,
} from "../port/index.ts";
import { checkMigrated } from "../values/half-migrated.ts";
import { isTimeZone } from "../values/instant.ts";
import { createAccessQueue } from "../values/access-queue.ts";
import { createAccessLog, createRowWriter, readWitness } from "./access-log.ts";
import { type Archive, openArchive, type PostgresPlaces, toLogId } from "./archive.ts";
import { createCalls } from "./calls.ts";
import { openConnections } from "./connection.ts";
import { createCredentials } from "./credentials.ts";
import { checkTables } from "./row-sums.ts";
import { migrate, readVersion } from "./schema/settle-schema.ts";
import { settleSettings } from "./settings.ts";
import { tryCatchUp } from "./maintenance/catch-up.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { createArchiveReadBack } from "./read-back.ts";
import { openReplica } from "./replica.ts";
import { createSignIns } from "./sign-ins.ts";
import { createUsers } from "./users.ts";
import { readVitals } from "./vitals.ts";
import { openImportSession, readImportedRows } from "./import-session.ts";

/** True if the database has an archive, of whatever version. */
export async function isArchive({ address }: PostgresPlaces): Promise<boolean> {
  await using connections = openConnections(address);
  return (await readVersion(connections.write)) !== undefined;
}

/** Opens an existing archive without changing its tables. Throws `ArchiveError`. */
export async function openStore(options: PostgresPlaces & OpenOptions): Promise<CallStore> {
  const archive = await openArchive(options);
  try {
    if (options.toInspect !== true) await checkLog(archive.write);
    // A few rows that all reads depend on.
    if (options.toInspect !== true) await checkTables(archive.write.ask, ["setting", "month"]);
    if (options.toInspect !== true && options.toMigrate !== true)
      checkMigrated(archive.settings.migrating);
    if (options.toInspect !== true && options.toMigrate !== true)
      await tryCatchUp(archive, options.onBehind);
    return await assemble(options, archive);
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw error;
  }
}

/** Creates an archive if there is none, and upgrades the tables of an older one. Throws `ArchiveError`. */
export async function createStore({
  timeZone,
  ...options
}: PostgresPlaces & CreateOptions): Promise<CallStore> {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new ArchiveError(
      `"${timeZone}" is not a time zone: give an IANA name such as Europe/London`,
    );
  {
    await using connections = openConnections(options.address);
    await migrate(connections.write);
    await settleSettings(connections.write, timeZone);
  }
  return await openStore(options);
}

async function checkLog({ ask }: Archive["write"]): Promise<void> {
  try {
    await readWitness(ask);
  } catch (error) {
    throw isFault(error, "lost")
      ? new ArchiveError(toRefused(error.message), { cause: error })
      : error;
  }
}

const toRefused = (loss: string) =>
  `${loss}: "audit verify" says which rows are there. Put the database back as it was, or accept the loss with "audit accept-loss"`;

async function assemble(places: PostgresPlaces, archive: Archive): Promise<CallStore> {
  const { write } = archive;
  const calls = createCalls(archive);
  const replica = places.replica && (await openReplica(archive, places.replica, calls));
  const queue = createAccessQueue(createRowWriter(write));
  return {
    timeZone: archive.settings.timeZone,
    hasWordSearch: true,
    calls,
    replica,
    users: createUsers(archive),
    credentials: createCredentials(write, Date.now),
    accessLog: createAccessLog(write, { queue, id: toLogId(archive.settings) }),
    signIns: createSignIns(write),
    media: archive.media,
    maintenance: createMaintenance(places),
    readBack: createArchiveReadBack(archive),
    openImport: (options = {}) => openImportSession(archive, options),
    importedRows: () => readImportedRows(archive.write),
    vitals: () => readVitals(archive.write.ask),
    [Symbol.asyncDispose]: async () => {
      try {
        await queue.close();
      } finally {
        await replica?.[Symbol.asyncDispose]();
        await archive[Symbol.asyncDispose]();
      }
    },
  };
}
