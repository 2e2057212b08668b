// backup.json describes a finished backup. It is written last: a directory whose databases differ from it was never
// finished. Before an earlier backup is replaced, it also names the new databases.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ChainHead } from "../../port/access-log.ts";
import { READ_AT_ONCE } from "../../media/files.ts";
import { ArchiveError, BACKUP_MANIFEST as MANIFEST, isBackup } from "../files/database.ts";
import type { NamedFile } from "./snapshot.ts";

/** Each new format gets the next number; a program rejects unknown numbers. */
const FORMAT = 1;

const LOGS = ["-wal", "-journal"];

export interface BackupManifest {
  readonly format: typeof FORMAT;
  /** The id of the copied archive. */
  readonly archiveId: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  readonly calls: number;
  /** Files in the media directory that records name, and their bytes. */
  readonly mediaFiles: number;
  readonly mediaBytes: number;
  /** A later backup deletes it after this number of days; absent for a backup that stays. */
  readonly keepDays?: number | undefined;
  /** The newest copied row of the access log; absent without rows. */
  readonly accessHead?: ChainHead | undefined;
  readonly databases: SealedFiles;
  /** Databases that are replacing the others: meanwhile either may be present. */
  readonly next?: SealedFiles;
}

type SealedFiles = Readonly<Record<string, SealedFile>>;

interface SealedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Throws `ArchiveError` if it is missing, or if this program cannot read it. */
export async function readManifest(directory: string): Promise<BackupManifest> {
  const file = join(directory, MANIFEST);
  const options = { encoding: "utf8", flag: READ_AT_ONCE } as const;
  const text = await readFile(file, options).catch((error: unknown) => {
    throw new ArchiveError(`there is no finished backup in ${directory}: ${MANIFEST} is missing`, {
      cause: error,
    });
  });
  const manifest: unknown = parse(text);
  if (!isManifest(manifest))
    throw new ArchiveError(`${file} is damaged, or was written by a newer version`);
  return manifest;
}

/** Seals the databases of these names, which must be closed, and writes the manifest. The directory is a backup from then on. */
export async function writeManifest(
  directory: string,
  facts: Omit<BackupManifest, "format" | "databases">,
  databases: readonly string[],
): Promise<void> {
  const sealed = await sealAll(databases.map((name) => ({ name, path: join(directory, name) })));
  await write(directory, { format: FORMAT, ...facts, databases: sealed });
}

/** The directory, if it is a backup, stays that backup while these databases replace the others one by one. */
export async function announceNext(directory: string, files: readonly NamedFile[]): Promise<void> {
  if (!isBackup(directory)) return;
  await write(directory, { ...(await readManifest(directory)), next: await sealAll(files) });
}

async function sealAll(files: readonly NamedFile[]): Promise<SealedFiles> {
  return Object.fromEntries(
    await Promise.all(files.map(async ({ name, path }) => [name, await seal(path)] as const)),
  );
}

async function write(directory: string, manifest: BackupManifest): Promise<void> {
  const temporary = join(directory, `.${MANIFEST}.part`);
  await using file = await open(temporary, "w", 0o600);
  await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
  await file.sync();
  await rename(temporary, join(directory, MANIFEST));
}

/** Throws `ArchiveError` if a database is not the sealed one. */
export async function checkSeals(directory: string, manifest: BackupManifest): Promise<void> {
  for (const [name, sealed] of Object.entries(manifest.databases)) {
    const found = await seal(join(directory, name)).catch(() => undefined);
    // SQLite would apply the contents of such a log, so the seal of the database is not enough.
    const hasLog = LOGS.some((end) => existsSync(join(directory, name + end)));
    const isSealed = [sealed, manifest.next?.[name]].some((one) => isSame(one, found));
    if (isSealed && !hasLog) continue;
    throw new ArchiveError(
      `${join(directory, name)} is not what ${MANIFEST} names: it was damaged or changed, or a later backup was cut off`,
    );
  }
}

function isSame(sealed: SealedFile | undefined, found: SealedFile | undefined): boolean {
  return found !== undefined && sealed?.bytes === found.bytes && sealed.sha256 === found.sha256;
}

async function seal(path: string): Promise<SealedFile> {
  const digest = createHash("sha256");
  const file = await open(path, READ_AT_ONCE);
  await pipeline(file.createReadStream(), digest);
  return { bytes: (await stat(path)).size, sha256: digest.digest("hex") };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is BackupManifest {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    value.format === FORMAT &&
    "archiveId" in value &&
    typeof value.archiveId === "string" &&
    "databases" in value &&
    typeof value.databases === "object" &&
    value.databases !== null
  );
}
