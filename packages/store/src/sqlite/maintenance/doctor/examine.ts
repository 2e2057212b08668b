// Examines an archive's directory: its faults, and what to do about them. Changes nothing.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { findPairingFault } from "../../access/access-pairing.ts";
import { ACCESS_DATABASE, ArchiveError, DATABASE, isBackup } from "../../files/database.ts";
import { ACCESS_SCHEMA } from "../../schema/access-schema.ts";
import { ARCHIVE_SCHEMA } from "../../schema/archive-schema.ts";
import { INDEX_TABLES } from "../../schema/row-sums.ts";
import { checkSeals, readManifest } from "../backup-manifest.ts";
import { createMediaFolder } from "../../../media/media-folder.ts";
import { MEDIA } from "../../../media/media-path.ts";
import { examineMediaStore } from "../../../media/examine-media-store.ts";
import type { OnProgress } from "../../../port/maintenance.ts";
import type { MediaNotes, MediaStore } from "../../../port/media.ts";
import { listReferencedMedia } from "../referenced-media.ts";
import { listGoneSound } from "../erased-sound.ts";
import { openOthers } from "../generations.ts";
import { examineAccess } from "./examine-access.ts";
import { type Examined, examineDatabase } from "./examine-database.ts";
import { examineFolder, type ReadRoom } from "./examine-folder.ts";
import { examineIndex } from "./examine-index.ts";
import { examineLedger } from "./examine-ledger.ts";
import { examineMedia } from "./examine-media.ts";
import { examineRows, toRowFindings } from "./examine-rows.ts";
import { error, type Finding, RESTORE } from "./finding.ts";
import { createRowWatch } from "./row-watch.ts";
import { EVERY_ID } from "../../scan.ts";
import { listAltered, listLost, READ_BY } from "../../digested-rows.ts";
import { listAlteredRows, type RowWatch } from "../../row-check.ts";
import { toMigrationFindings } from "../../../values/half-migrated.ts";
import { findSetting } from "../../settings.ts";
import { findNameFault } from "../../table-check.ts";

export interface ExamineOptions {
  /** The clock, ms since 1970; for tests. */
  readonly now?: (() => number) | undefined;
  /** The free bytes on the disk of a directory; for tests. */
  readonly readRoom?: ReadRoom | undefined;
  /** The place of the recordings, unless it is the directory `media`. */
  readonly media?: MediaStore | undefined;
  /** The notes next to the recordings. */
  readonly notes?: MediaNotes | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Everything that is wrong with the archive, or the backup, in `directory`; empty if it is intact. The service
 * may run meanwhile. Checks the names and lengths of recordings; `verifyMedia` reads their contents.
 */
export async function examine(
  directory: string,
  { now = Date.now, media, notes, onProgress = () => {}, readRoom }: ExamineOptions = {},
): Promise<readonly Finding[]> {
  const folder = await examineFolder(directory, { hasMedia: media === undefined, readRoom });
  if (!folder.canBeRead) return folder.findings;
  const backup = isBackup(directory) ? await examineSeals(directory) : [];
  // A single SQLite statement checks the file, so it reports no progress on its way.
  onProgress({ step: DATABASE, bytesDone: 0, bytesTotal: sizeOf(join(directory, DATABASE)) });
  using archive = examineDatabase(join(directory, DATABASE), ARCHIVE_SCHEMA);
  using access = existsSync(join(directory, ACCESS_DATABASE))
    ? examineDatabase(join(directory, ACCESS_DATABASE), ACCESS_SCHEMA)
    : NOT_THERE_YET;
  // With damaged settings the log cannot be judged.
  const paired = archive.database && hasSettings(archive.database) ? archive.database : undefined;
  const pairing = examinePairing(paired, access, directory);
  // The rows of another archive's log do not tell which rows this archive had.
  const owner = pairing.length === 0 ? paired : undefined;
  return [
    ...folder.findings,
    ...backup,
    ...archive.findings,
    ...access.findings,
    ...pairing,
    ...(archive.database === undefined
      ? []
      : await examineContent(archive.database, directory, { media, onProgress })),
    ...(paired === undefined
      ? []
      : await examineLedger(paired, {
          directory,
          media: media ?? createMediaFolder(join(directory, MEDIA)),
        })),
    ...(access.database === undefined
      ? []
      : await examineAccess(access.database, { archive: owner, directory, notes, now })),
  ];
}

const hasSettings = (archive: DatabaseSync) => listAltered(archive, "setting", 1).length === 0;

// The service creates it with its first write.
const NOT_THERE_YET: Examined = {
  findings: [],
  database: undefined,
  [Symbol.dispose]: () => {},
};

// Skips an access.db that could not be read: there is already a finding for that.
function examinePairing(
  archive: DatabaseSync | undefined,
  access: Examined,
  directory: string,
): Finding[] {
  if (archive === undefined) return [];
  if (access.database === undefined && access.findings.length > 0) return [];
  const fault = findPairingFault(archive, access.database);
  if (fault === undefined) return [];
  const file = join(directory, ACCESS_DATABASE);
  return [error(`${ACCESS_DATABASE} ${fault}`, file, GET_ACCESS_BACK)];
}

const GET_ACCESS_BACK =
  'put it back from a backup; without one begin a new log with "audit begin-anew", and hand out new credentials';

interface Means {
  readonly media: MediaStore | undefined;
  readonly onProgress: OnProgress;
}

async function examineContent(
  archive: DatabaseSync,
  directory: string,
  means: Means,
): Promise<Finding[]> {
  const file = join(directory, DATABASE);
  // With damaged settings and names nothing can be read.
  const settings = [...listAlteredRows(archive, READ_BY)];
  const fault = settings.length === 0 ? findNameFault(archive) : undefined;
  if (fault !== undefined) return [error(fault, file, RESTORE)];
  if (settings.length > 0) return toRowFindings(settings, file);
  const migrating = toMigrationFindings(findSetting(archive, "migrating"), file);
  const watch = createRowWatch(archive, file, means.onProgress);
  const rows = examineRows(archive, file, watch);
  return [
    ...migrating,
    ...rows,
    // An index cannot be compared with unreadable records.
    ...(rows.length === 0 ? examineSearch(archive, file, watch) : []),
    ...(await examineRecordings(archive, directory, means)),
  ];
}

async function examineRecordings(
  archive: DatabaseSync,
  directory: string,
  { media, onProgress }: Means,
): Promise<Finding[]> {
  const without = isBackup(directory) ? await listGoneSound(archive, directory) : [];
  using others = openOthers(directory);
  const referenced = listReferencedMedia(archive, EVERY_ID, { without, isOfOthers: others.has });
  return media === undefined
    ? await examineMedia(directory, referenced, onProgress)
    : await examineMediaStore(media, referenced, onProgress);
}

function examineSearch(archive: DatabaseSync, file: string, watch: RowWatch): Finding[] {
  const compared = examineIndex(archive, file, watch);
  const lost = compared.length > 0 ? [] : listLost(archive, INDEX_TABLES);
  const findings = lost.map((name) => error(`${name} is not what was written`, file, RESTORE));
  return [...compared, ...findings].map(toReindex);
}

// The index is made from the records, which are intact.
const toReindex = (finding: Finding): Finding => ({
  ...finding,
  todo: 'make it anew from the records ("reindex"), and look for what damaged it: disk, memory',
});

const sizeOf = (file: string) => statSync(file).size;

/** Checks the seals of a backup. */
export async function examineSeals(directory: string): Promise<Finding[]> {
  try {
    await checkSeals(directory, await readManifest(directory));
    return [];
  } catch (fault) {
    if (!(fault instanceof ArchiveError)) throw fault;
    return [error(fault.message, directory, `make the backup again, or ${RESTORE}`)];
  }
}
