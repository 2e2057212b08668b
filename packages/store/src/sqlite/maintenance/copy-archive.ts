// Copies an archive into another directory while it is in use: a snapshot of the records, and every recording they name,
// hashed on the way. The databases get their names last, so an interrupted copy is not mistaken for an archive.
import { existsSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { ChainHead, OperatorAct } from "../../port/access-log.ts";
import { isFault, type Media, MediaRejected } from "../../port/index.ts";
import { createIntegrityCheck } from "../../media/fingerprint.ts";
import { makeFolder, syncFolder } from "../../media/files.ts";
import { openMediaFile } from "../../media/media-folder.ts";
import { MEDIA, toMediaFile, toMediaPath } from "../../media/media-path.ts";
import { removeLeft, takeIn } from "../../media/take-in.ts";
import { ACCESS_DATABASE, ArchiveError, DATABASE, toSize } from "../files/database.ts";
import { verifyChain } from "../access/access-log.ts";
import { ACCESS_SCHEMA } from "../schema/access-schema.ts";
import { ARCHIVE_SCHEMA } from "../schema/archive-schema.ts";
import { listSchemaDamage } from "../schema/compare-schema.ts";
import { toNextDigest } from "../schema/digested.ts";
import { fillEarlier } from "../schema/fill-earlier.ts";
import { settleSchema } from "../schema/settle-schema.ts";
import { listLost } from "../digested-rows.ts";
import { listAlteredRows, listDamaged } from "../row-check.ts";
import { INDEX_TABLES } from "../schema/row-sums.ts";
import { findIndexFault } from "../segment-index/segment-index.ts";
import { EVERY_ID } from "../scan.ts";
import { findNameFault } from "../table-check.ts";
import { appendAct } from "../access/operator-row.ts";
import { putWitness, readHead } from "../access/access-witness.ts";
import type { CopyReport, Damage, OnProgress } from "../../port/maintenance.ts";
import { createRowWatch } from "./doctor/row-watch.ts";
import { listReferencedMedia, remember } from "./referenced-media.ts";
import { type NamedFile, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { noteUnfinished } from "./unfinished-copy.ts";

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** The fingerprint of a file in `to` when its content was last verified; such a file is not copied again. */
  readonly fingerprintOf?: (sha256: string) => string | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Contents that `from` names but lacks because they were erased: the copy erases the records that name them. */
  readonly without?: readonly string[] | undefined;
  /** The command that gets a row in the copied access log. */
  readonly act?: OperatorAct | undefined;
  /** Called with the databases after all files they name were copied, before they replace the others. */
  readonly beforePublish?: (databases: readonly NamedFile[]) => Promise<void>;
}

/** The additional facts of a backup. */
export interface ArchiveCopy extends CopyReport {
  readonly databases: readonly string[];
  /** The newest copied row of the access log. */
  readonly accessHead: ChainHead | undefined;
}

export async function copyArchive(options: CopyOptions): Promise<ArchiveCopy> {
  const { from, to } = options;
  await makeFolder(join(to, MEDIA));
  await removeLeft(join(to, MEDIA));
  // `existsSync` treats a file that it cannot examine as missing, and the copy would lack it.
  // Credentials are copied first: the records, copied after them, then include their users.
  const names = [ACCESS_DATABASE, DATABASE].filter((name) => toSize(join(from, name)) > 0);
  const copies: DatabaseCopy[] = [];
  // AsyncDisposableStack would need Node.js 24.
  try {
    for (const name of names) copies.push(await copyDatabase(name, options));
    return { ...(await complete(copies, options)), databases: names };
  } finally {
    for (const { snapshot } of copies.toReversed()) await snapshot[Symbol.asyncDispose]();
  }
}

interface DatabaseCopy {
  readonly name: string;
  readonly snapshot: Snapshot;
  /** If a trigger is missing, rows can be missing as well. */
  readonly schemaDamage: readonly string[];
}

async function copyDatabase(
  name: string,
  { from, to, onProgress = () => {} }: CopyOptions,
): Promise<DatabaseCopy> {
  const snapshot = await takeSnapshot(join(from, name), join(to, name), { step: name, onProgress });
  const schema = name === DATABASE ? ARCHIVE_SCHEMA : ACCESS_SCHEMA;
  const schemaDamage = listSchemaDamage(snapshot.database, schema);
  settleSchema(snapshot.database, schema, fillEarlier);
  return { name, snapshot, schemaDamage };
}

/** Copies the files that the databases name, then publishes the databases. */
async function complete(
  copies: readonly DatabaseCopy[],
  options: CopyOptions,
): Promise<Omit<ArchiveCopy, "databases">> {
  const { from, to, onProgress = () => {} } = options;
  const archive = copies.at(-1)?.snapshot.database;
  if (archive === undefined) throw new Error(`${from} has no ${DATABASE}`);
  const fault = findNameFault(archive);
  if (fault !== undefined) throw new ArchiveError(`${join(from, DATABASE)}: ${fault}`);
  const watch = createRowWatch(archive, join(from, DATABASE), onProgress);
  const damagedRecords = [
    ...[...listDamaged(archive, watch)].map(({ name }) => name),
    ...listDamagedAccess(copies),
    ...copies.flatMap(({ schemaDamage }) => schemaDamage),
  ];
  const indexFault = findIndexFault(archive) ?? listLost(archive, INDEX_TABLES)[0];
  // The last good copy of a record may be the one already in `to`.
  if (damagedRecords.length > 0 && existsSync(join(to, DATABASE)))
    throw new ArchiveError(toKept(damagedRecords, to));
  const media = await copyMedia(archive, { ...options, onProgress });
  const calls = Number(archive.prepare("SELECT count(*) AS n FROM call").get()?.["n"]);
  const head = settleLog(copies, options.act);
  const files = copies.map(({ name, snapshot }) => ({ name, path: snapshot.close() }));
  await options.beforePublish?.(files);
  await noteUnfinished(to, files);
  for (const { name, snapshot } of copies) {
    // A leftover log belongs to the previous database of this name.
    for (const end of ["-wal", "-shm"]) await rm(join(to, name + end), { force: true });
    await snapshot.publish();
  }
  await syncFolder(to);
  return { calls, ...media, damagedRecords, indexFault, accessHead: head };
}

/** Damaged credentials, and the log up to the first row that breaks the chain. */
function listDamagedAccess(copies: readonly DatabaseCopy[]): readonly string[] {
  const access = copies.find(({ name }) => name === ACCESS_DATABASE)?.snapshot.database;
  if (access === undefined) return [];
  const { fault } = verifyChain(access, { witnessed: undefined });
  return [
    ...[...listAlteredRows(access, ACCESS_SCHEMA.digested)].map(({ name }) => name),
    ...(fault === undefined ? [] : [`the access log (${fault})`]),
  ];
}

const NAMED = 10;

function toKept(damaged: readonly string[], to: string): string {
  const others = damaged.length > NAMED ? ` and ${damaged.length - NAMED} more` : "";
  return (
    `not what was imported: ${damaged.slice(0, NAMED).join(", ")}${others}. The backup in ${to} stays as it is: restore it into another folder, ` +
    "and give this one another folder for its backup"
  );
}

// Between the two copies the service may have witnessed a row that the log, copied first, does not have.
function settleLog(
  copies: readonly DatabaseCopy[],
  act: OperatorAct | undefined,
): ChainHead | undefined {
  const find = (name: string) => copies.find((one) => one.name === name)?.snapshot.database;
  const [access, archive] = [find(ACCESS_DATABASE), find(DATABASE)];
  if (access !== undefined && act !== undefined) appendAct(access, act);
  const head = access && readHead(access);
  if (archive !== undefined) putWitness(archive, head);
  return head;
}

async function copyMedia(
  archive: DatabaseSync,
  options: CopyOptions & { readonly onProgress: OnProgress },
): Promise<Pick<ArchiveCopy, "mediaFiles" | "mediaBytes" | "copied" | "damages">> {
  const referenced = listReferencedMedia(archive, EVERY_ID, { without: options.without ?? [] });
  const keep = createKeeper(options);
  const damages: Damage[] = [];
  let [bytesDone, copied] = [0, 0];
  // A single transaction: separate ones would each wait for the disk, as each file has already done.
  archive.exec("BEGIN");
  for (const reference of referenced) {
    const { media: file } = reference;
    const kept = await keep(file);
    const outcome = kept === undefined ? await copy(file, options) : { version: kept };
    if ("fault" in outcome) damages.push({ ...reference, ...outcome });
    else remember(archive, { ...file, version: outcome.version });
    if (kept === undefined && !("fault" in outcome)) copied += 1;
    bytesDone += file.bytes;
    options.onProgress({ step: "recordings", bytesDone, bytesTotal: referenced.bytes });
  }
  archive.exec(
    `UPDATE media SET path = NULL, digest = ${toNextDigest("media", { path: "NULL" })} WHERE path IS NOT NULL`,
  );
  archive.exec("COMMIT");
  await syncFolders(join(options.to, MEDIA));
  return { mediaFiles: referenced.files, mediaBytes: referenced.bytes, copied, damages };
}

/** The fingerprint of an intact file that `to` already has; undefined if the file has to be copied. */
function createKeeper({ to, fingerprintOf = () => undefined }: CopyOptions) {
  const check = createIntegrityCheck();
  return async ({ sha256, bytes }: Media): Promise<string | undefined> => {
    if (!existsSync(toMediaPath(join(to, MEDIA), sha256))) return undefined;
    try {
      await using file = await openMediaFile(join(to, MEDIA), { sha256 });
      return await check(file, { sha256, bytes, version: fingerprintOf(sha256) });
    } catch (error) {
      if (isFault(error, "damaged", "lost", "unavailable")) return undefined;
      throw error;
    }
  };
}

// A linked file is copied like any other.
async function copy(
  file: Media,
  { from, to }: CopyOptions,
): Promise<{ version: string } | { fault: string }> {
  const { sha256 } = file;
  const path = toMediaFile(join(from, MEDIA), file);
  try {
    // A file that cannot be examined is not missing: the copy fails, and can be repeated.
    if (statSync(path, { throwIfNoEntry: false }) === undefined)
      return { fault: `the file of recording ${sha256} is missing` };
    const { version = "" } = await takeIn(join(to, MEDIA), { path, sha256 });
    return { version };
  } catch (error) {
    if (error instanceof MediaRejected) return { fault: error.message };
    throw error;
  }
}

async function syncFolders(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(join(directory, entry.name));
  await syncFolder(directory);
}
