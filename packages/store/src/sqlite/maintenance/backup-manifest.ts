// backup.json: what a finished backup is. It is written last, so that a folder in which it names other databases than
// there are was never finished. Before an earlier backup is replaced, it names those that are to come as well.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ChainHead } from "../../port/access-log.ts";
import { READ_AT_ONCE } from "../../media/files.ts";
import { ArchiveError, BACKUP_MANIFEST as MANIFEST, isBackup } from "../files/database.ts";
import type { NamedFile } from "./snapshot.ts";

/** The next format gets the next number; a program refuses those that it does not know. */
const FORMAT = 1;

const LOGS = ["-wal", "-journal"];

export interface BackupManifest {
  readonly format: typeof FORMAT;
  /** The copied archive's own. */
  readonly archiveId: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  readonly calls: number;
  /** Files in the media folder that records name, and their bytes. */
  readonly mediaFiles: number;
  readonly mediaBytes: number;
  /** After so many days a later backup deletes it; absent of one that stays. */
  readonly keepDays?: number | undefined;
  /** The newest row of the access log that was copied; absent without any. */
  readonly accessHead?: ChainHead | undefined;
  readonly databases: SealedFiles;
  /** Databases that are taking the places of the others: while they do, either may lie there. */
  readonly next?: SealedFiles;
}

type SealedFiles = Readonly<Record<string, SealedFile>>;

interface SealedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Throws `ArchiveError` when there is none, or one that this program cannot read. */
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

/** Seals the databases of these names, which must be closed, and writes the manifest; the folder is a backup from then on. */
export async function writeManifest(
  directory: string,
  facts: Omit<BackupManifest, "format" | "databases">,
  databases: readonly string[],
): Promise<void> {
  const sealed = await sealAll(databases.map((name) => ({ name, path: join(directory, name) })));
  await write(directory, { format: FORMAT, ...facts, databases: sealed });
}

/** The folder stays the backup it is, if it is one, while these databases take their places one after the other. */
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

/** Throws `ArchiveError` when a database is not the one that was sealed. */
export async function checkSeals(directory: string, manifest: BackupManifest): Promise<void> {
  for (const [name, sealed] of Object.entries(manifest.databases)) {
    const found = await seal(join(directory, name)).catch(() => undefined);
    // SQLite would take in what such a log holds, whatever the database says of itself.
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
