// An open archive: implements the port with its two databases and its media.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { CallStore, ImportSessionOptions, MediaStore } from "../port/index.ts";
import { claiming } from "../media/claim.ts";
import { createMediaFolder } from "../media/media-folder.ts";
import { MEDIA } from "../media/media-path.ts";
import { isTimeZone } from "../values/instant.ts";
import { createAccessLog } from "./access/access-log.ts";
import { openAccessOf } from "./access/access-pairing.ts";
import { tryUpdateWitness } from "./access/access-witness.ts";
import { createAccessQueue } from "../values/access-queue.ts";
import { createAccessWriter } from "./access/access-writer.ts";
import { createCredentials } from "./access/credentials.ts";
import { createRecordForm } from "./call-row.ts";
import {
  ACCESS_DATABASE,
  ArchiveError,
  DATABASE,
  namingFile,
  openDatabase,
} from "./files/database.ts";
import { ADDED_TO, checkNumbers } from "./digested-rows.ts";
import { createPlaceCheck } from "./files/place-check.ts";
import { keepReserve } from "./files/reserve.ts";
import { createReadTurn, inTransaction } from "./files/transaction.ts";
import { guard } from "./faults.ts";
import { createCalls } from "./look-ups/calls.ts";
import { keepCaughtUp } from "./maintenance/catch-up.ts";
import { createLifting } from "./maintenance/lifting.ts";
import { createMaintenance } from "./maintenance/maintenance.ts";
import { createSearchThreads } from "./search/search-threads.ts";
import { createArchiveReadBack } from "./read-back.ts";
import { toInsert } from "./schema/digested.ts";
import { readVitals } from "./vitals.ts";
import { checkMigratedIn, putSetting, readSetting, readTimeZone } from "./settings.ts";
import { createUsers } from "./users.ts";
import { createImportSession } from "./import-session.ts";
import { createTotalsReader } from "./writing/import-totals.ts";

export interface ArchiveOptions {
  /** The directory of the archive. */
  readonly directory: string;
  /** The store of its recordings. Default: the directory `media` in that of the archive. */
  readonly media?: MediaStore | undefined;
  /** The clock, ms since 1970; for tests. */
  readonly now?: () => number;
  /** Also opens an archive whose access.db lost rows, so that the rest of the log can be read. Default: such an archive is refused. */
  readonly toInspect?: boolean | undefined;
  /** See `OpenOptions`. */
  readonly toMigrate?: boolean | undefined;
  /** See `OpenOptions`. */
  readonly onBehind?: ((why: string) => void) | undefined;
}

export interface NewArchiveOptions extends ArchiveOptions {
  /** IANA name (D03); default UTC. An archive that has calls or chats keeps its own. */
  readonly timeZone?: string | undefined;
}

/** Throws `ArchiveError`. */
export function openArchive(options: ArchiveOptions): CallStore {
  // Reading may still reveal damage after the databases were opened.
  return namingFile(join(options.directory, DATABASE), () => assemble(options));
}

function assemble(options: ArchiveOptions): CallStore {
  const { directory, now = Date.now, toInspect } = options;
  const archive = openDatabase(directory);
  if (toInspect !== true && options.toMigrate !== true) checkMigratedIn(archive);
  const access = openAccessOf(archive, directory, { toInspect });
  const files = [DATABASE, ACCESS_DATABASE].map((name) => join(directory, name));
  const checkPlaces = createPlaceCheck(files);
  const writer = createAccessWriter(directory);
  const queue = createAccessQueue(writer);
  const readTotals = createTotalsReader(archive);
  const timeZone = readTimeZone(archive);
  const form = createRecordForm(archive);
  const turn = createReadTurn(archive);
  const searches = createSearchThreads({ directory, timeZone, form });
  const media = claiming(options.media ?? createMediaFolder(join(directory, MEDIA)), () =>
    readSetting(archive, "archive_id"),
  );
  return {
    timeZone,
    hasWordSearch: true,
    calls: guard(createCalls({ database: archive, turn }, form, searches.search)),
    users: guard(createUsers(archive)),
    credentials: namingFile(join(directory, ACCESS_DATABASE), () =>
      guard(createCredentials({ archive, access, writer, now })),
    ),
    accessLog: guard(createAccessLog(access, { archive, queue, checkPlaces })),
    media,
    readBack: guard(createArchiveReadBack({ database: archive, access, turn, media, now })),
    maintenance: createMaintenance(directory, { media: options.media }),
    ...guard({
      openImport: async ({
        restoresErased = false,
        writer: by,
        only,
        countsRows = only === undefined,
      }: ImportSessionOptions = {}) => {
        const lock = await keepCaughtUp({ directory, media }, archive);
        let database: DatabaseSync | undefined;
        try {
          database = openDatabase(directory);
          if (countsRows) checkNumbers(database, ADDED_TO);
          const lifting =
            options.toMigrate === true
              ? undefined
              : createLifting({ directory, media }, by?.operator ?? "");
          const run = { restoresErased, lifting, writer: by };
          const means = { database, timeZone, ...run, onCommit: turn.end };
          const end = () => {
            keepReserve(directory);
            lock[Symbol.dispose]();
          };
          return guard(createImportSession({ ...means, lock: { [Symbol.dispose]: end } }));
        } catch (error) {
          database?.close();
          lock[Symbol.dispose]();
          throw error;
        }
      },
      importedRows: async () => readTotals(),
      vitals: () => readVitals(archive, directory),
    }),
    [Symbol.asyncDispose]: async () => {
      try {
        await queue.close();
      } finally {
        await Promise.all([writer.close(), searches.close()]);
        turn.end();
        tryUpdateWitness(archive, access);
        access.close();
        archive.close();
      }
    },
  };
}

/** Throws `ArchiveError` for a time zone that does not exist. */
export function checkTimeZone(timeZone: string | undefined): void {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new ArchiveError(
      `"${timeZone}" is not a time zone: give an IANA name such as Europe/London`,
    );
}

/** Default UTC. The first given time zone stays: once there are calls, their days depend on it (D03). */
export function settleTimeZone(database: DatabaseSync, timeZone: string | undefined): void {
  database
    .prepare(toInsert("setting", "ON CONFLICT DO NOTHING"))
    .run({ name: "time_zone", value: "UTC" });
  if (timeZone === undefined) return;
  inTransaction(database, () => {
    const used = "SELECT EXISTS (SELECT 1 FROM call) OR EXISTS (SELECT 1 FROM chat) AS used";
    if (database.prepare(used).get()?.["used"] === 0) putSetting(database, "time_zone", timeZone);
  });
}
