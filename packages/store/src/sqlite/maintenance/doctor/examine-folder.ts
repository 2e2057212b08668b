// Checks the directory of an archive: that it exists, its owner, and its free space.
import { constants } from "node:fs";
import { access, lstat, open, readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { MEDIA } from "../../../media/media-path.ts";
import { ACCESS_DATABASE, DATABASE, isBackup, toSize } from "../../files/database.ts";
import { findNetworkDisk, USE_OWN_DISK } from "../../files/network-disk.ts";
import { error, type Finding, RESTORE, warning } from "./finding.ts";

// With less, an import or the access log may fill the disk within the day.
const LOW_DISK_BYTES = 1024 ** 3;

// SQLite keeps its log at some megabytes; an import with many rows a batch takes some tens.
const LARGE_LOG_BYTES = 256 * 1024 ** 2;

export type ReadRoom = (directory: string) => Promise<number>;

interface FolderOptions {
  readonly hasMedia: boolean;
  readonly readRoom?: ReadRoom | undefined;
}

/** `canBeRead`: there are databases to examine. `hasMedia`: the recordings are not stored elsewhere. */
export async function examineFolder(
  directory: string,
  { hasMedia, readRoom = readFreeBytes }: FolderOptions,
): Promise<{ readonly findings: readonly Finding[]; readonly canBeRead: boolean }> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() !== true)
    return {
      canBeRead: false,
      findings: [error("there is no such folder", directory, "look for a misspelt --data")],
    };
  const names = await readdir(directory).catch((): undefined => undefined);
  if (names === undefined)
    return {
      canBeRead: false,
      findings: [
        error(
          "the folder may not be read",
          directory,
          "run this as the user that runs the service",
        ),
      ],
    };
  const unwritable = await examineWriting(directory, names);
  return {
    // A database with a log cannot be opened in a directory without write access, whatever its state.
    canBeRead: names.includes(DATABASE) && unwritable.length === 0,
    findings: [
      ...examineDisk(directory),
      ...examineNames(directory, names),
      ...(hasMedia && names.includes(DATABASE) ? await examineMediaFolder(directory, names) : []),
      ...unwritable,
      ...(await examinePermissions(directory, names)),
      ...(await examineRoom(directory, readRoom)),
      ...(await examineLogs(directory, names)),
    ],
  };
}

// A backup may be on any disk.
function examineDisk(directory: string): Finding[] {
  const found = isBackup(directory) ? undefined : findNetworkDisk(directory);
  if (found === undefined) return [];
  return [error(`the folder is on a network file system (${found})`, directory, USE_OWN_DISK)];
}

function examineNames(directory: string, names: readonly string[]): Finding[] {
  const file = join(directory, DATABASE);
  const log = `${DATABASE}-wal`;
  // Reading leaves an empty log behind, which the last process that has the archive open removes.
  const hasRows = toSize(join(directory, log)) > 0;
  if (!names.includes(DATABASE) && hasRows)
    return [
      error(
        `${DATABASE} is missing, and its log ${log} is there`,
        directory,
        `put ${DATABASE} back where its log is: the newest rows are in the log; else ${RESTORE}`,
      ),
    ];
  if (!names.includes(DATABASE) && names.includes(ACCESS_DATABASE))
    return [
      error(`${DATABASE} is missing, and with it every record`, file, `put it back, or ${RESTORE}`),
    ];
  if (!names.includes(DATABASE))
    return [
      error(
        "there is no archive in this folder",
        file,
        'make one with "import", or restore a backup',
      ),
    ];
  return [];
}

// It may be a link to another disk.
async function examineMediaFolder(directory: string, names: readonly string[]): Promise<Finding[]> {
  const folder = join(directory, MEDIA);
  if (!names.includes(MEDIA))
    return [error("the folder of the recordings is missing", folder, `put it back, or ${RESTORE}`)];
  const fault = await stat(folder).then(() => undefined, toCode);
  if (fault === undefined) return [];
  return [
    error(
      `the folder of the recordings is a link to what cannot be reached: ${fault}`,
      folder,
      "mount the disk that it lies on, or make the link anew",
    ),
  ];
}

// A backup is examined separately.
async function examineWriting(directory: string, names: readonly string[]): Promise<Finding[]> {
  if (isBackup(directory)) return [];
  const findings: Finding[] = [];
  for (const name of ["", ...names.filter((file) => file.includes(".db"))]) {
    const path = join(directory, name);
    const fault = await tryWriting(path, name === "").then(() => undefined, toCode);
    if (fault === "EROFS")
      return [error("the disk can only be read", path, "mount it so that it can be written to")];
    // SQLite removes its logs with the last connection, which may have ended meanwhile.
    const isGone = fault === "ENOENT" && /-(?:wal|shm|journal)$/.test(name);
    if (fault !== undefined && !isGone)
      findings.push(
        error(
          "it may not be written to by this user; without an access log no recording is sent",
          path,
          "give it to the user that runs the service (chown)",
        ),
      );
  }
  return findings;
}

// Opens the file too: a failed disk may grant access that it does not provide.
async function tryWriting(path: string, isFolder: boolean): Promise<void> {
  await access(path, constants.W_OK);
  if (!isFolder) await (await open(path, "r+")).close();
}

async function examinePermissions(directory: string, names: readonly string[]): Promise<Finding[]> {
  // If no other user may enter the directory, the permissions of its content do not matter.
  if (!isOpenToOthers((await stat(directory)).mode)) return [];
  const findings: Finding[] = [];
  for (const name of names) {
    const path = join(directory, name);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined || !isOpenToOthers(found.mode)) continue;
    findings.push(
      error("every user of this machine can read it", path, `chmod -R o= ${directory}`),
    );
  }
  return findings;
}

async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

async function examineRoom(directory: string, readRoom: ReadRoom): Promise<Finding[]> {
  const bytes = await readRoom(directory);
  if (bytes >= LOW_DISK_BYTES) return [];
  return [
    warning(
      `the disk is nearly full: ${Math.floor(bytes / 1024 ** 2)} MiB are left`,
      directory,
      "make room: imports stop on a full disk, and without an access log nothing is sent",
    ),
  ];
}

async function examineLogs(directory: string, names: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of names.filter((file) => file.endsWith("-wal"))) {
    const size = toSize(join(directory, name));
    if (size < LARGE_LOG_BYTES) continue;
    findings.push(
      warning(
        `the log of the database has grown to ${Math.floor(size / 1024 ** 2)} MiB`,
        join(directory, name),
        "stop the service and start it again: it is taken in when nobody reads an old state any more",
      ),
    );
  }
  return findings;
}

const isOpenToOthers = (mode: number) => (mode & 0o007) !== 0;

function toCode(fault: unknown): string {
  return fault instanceof Error && "code" in fault ? String(fault.code) : String(fault);
}
