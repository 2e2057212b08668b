// Finds the files of an import: the given ones, and those of the format in the given folders and zip archives. All are
// examined before the first row is written, so that a misspelt path costs nothing.
import {
  accessSync,
  constants,
  createReadStream,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { HISTORY, MANIFEST } from "./export/names.ts";
import { decode, isZip } from "./decode.ts";
import { createHead, HEAD_BYTES } from "./head.ts";
import { ImportError } from "./import-error.ts";
import { peek } from "./peek.ts";
import type { SourceFile } from "./source-row.ts";
import { isWorkbook, listFurtherSheets, readFirstSheet } from "./workbook.ts";
import { openZip, type ZipArchive } from "./zip.ts";

const CHUNK_BYTES = 262_144;
const ZIP = ".zip";
const TABLE = ".csv";
const WORKBOOK = ".xlsx";

export interface SourceFiles extends Disposable {
  readonly files: readonly SourceFile[];
  /** Size of the files on the disk, packed. */
  readonly bytesTotal: number;
  bytesRead(): number;
}

/** Throws `ImportError` for a missing or unreadable path, for a folder without files to read, and for a pipe in a folder. */
export async function findSourceFiles(
  paths: readonly string[],
  extensions: readonly string[],
): Promise<SourceFiles> {
  if (paths.length === 0) throw new ImportError("nothing to import: name a file or a folder");
  const found = await Promise.all(paths.map((path) => expand(path, extensions)));
  const zips: ZipArchive[] = [];
  const close = () => zips.forEach((zip) => zip[Symbol.dispose]());
  const files: SourceFile[] = [];
  let bytesTotal = 0;
  let bytesRead = 0;
  const count = (bytes: number) => (bytesRead += bytes);
  const open = async (path: string): Promise<readonly SourceFile[]> => {
    const { isPipe, size } = look(path);
    bytesTotal += size;
    if (isPipe || !(await isZipFile({ path, size })))
      return [toFile({ path, size }, isPipe, count)];
    const zip = await openZip(path);
    zips.push(zip);
    if (isWorkbook(zip.members)) return [await toSheet(path, zip, { size, count })];
    return toMembers(path, zip, { extensions, count });
  };
  try {
    for (const path of found.flat()) files.push(...(await open(path)));
  } catch (error) {
    close();
    throw error;
  }
  return { files, bytesTotal, bytesRead: () => bytesRead, [Symbol.dispose]: close };
}

/** True if the two paths lead to one existing file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.allSettled([realpath(one), realpath(other)]);
  return (
    first.status === "fulfilled" && second.status === "fulfilled" && first.value === second.value
  );
}

/** Describes the error of a system call, as the end of a sentence about the file. */
export function toSystemFault(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const faults: Readonly<Record<string, string>> = {
    ENOENT: "does not exist",
    EACCES: "may not be opened by this user",
    EPERM: "may not be opened by this user",
    EISDIR: "is a folder",
    ENOTDIR: "is below something that is not a folder",
  };
  return faults[code] ?? `cannot be read (${code === "" ? String(error) : code})`;
}

async function expand(path: string, extensions: readonly string[]): Promise<string[]> {
  const files = await listFolder(path, extensions);
  if (files.length === 0) throw toNothing(path, extensions);
  if (files.length > 1 || files[0] !== path) files.forEach(checkIsFile);
  return files;
}

/** The file itself, or those in the folder that have one of the extensions or are packed. Throws `ImportError`. */
export async function listFolder(path: string, extensions: readonly string[]): Promise<string[]> {
  const wanted = new Set([...extensions, ZIP, ...(extensions.includes(TABLE) ? [WORKBOOK] : [])]);
  const isFolder = await stat(path).then((found) => found.isDirectory(), fail(path));
  if (!isFolder) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    failBelow(path),
  );
  const exports = new Set(entries.flatMap((one) => (one.name === MANIFEST ? one.parentPath : [])));
  const isHistory = ({ name, parentPath }: (typeof entries)[number]) =>
    name === HISTORY && exports.has(parentPath);
  return entries
    .filter((entry) => !entry.isDirectory() && !isHistory(entry))
    .filter(({ name }) => wanted.has(toExtension(name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

// Reading a pipe without a writer never ends. Only a pipe that the caller names has one for sure.
function checkIsFile(path: string): void {
  const found = lookAt(path);
  if (found.isFile()) return;
  const fault = found.isDirectory()
    ? "is a folder"
    : "is not a file: move it away, or name it in addition to the folder";
  throw new ImportError(`${path} ${fault}`);
}

function look(path: string): { isPipe: boolean; size: number } {
  const found = lookAt(path);
  return { isPipe: !found.isFile(), size: found.size };
}

// With thousands of short files, the wait for the disk's threads would take longer than the work itself.
function lookAt(path: string): Stats {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path);
  } catch (error) {
    return fail(path)(error);
  }
}

type Count = (bytes: number) => void;

/** A file with the size that was found. */
interface Sized {
  readonly path: string;
  readonly size: number;
}

function toFile(sized: Sized, isPipe: boolean, count: Count): SourceFile {
  const { path } = sized;
  const read = () => decode(path, readChunks(sized));
  return {
    name: path,
    path,
    extension: toExtension(path),
    peek: async () => (isPipe ? undefined : readHead(read())),
    readAhead: () => (isPipe ? undefined : read()),
    chunks: () => decode(path, readChunks(sized, count)),
  };
}

/** A workbook is read as the table that its first sheet is. */
async function toSheet(
  path: string,
  { members }: ZipArchive,
  { size, count }: { readonly size: number; readonly count: Count },
): Promise<SourceFile> {
  const read = () => readFirstSheet(path, members);
  return {
    name: path,
    path,
    extension: TABLE,
    peek: () => readHead(read()),
    readAhead: read,
    leftOut: (await listFurtherSheets(path, members)).map(({ name, hasCalls }) => ({
      hasCalls,
      file: `${path}, sheet ${JSON.stringify(name)}`,
      reason: "only the first sheet of a workbook is read: save this one as a workbook of its own",
    })),
    chunks: async function* () {
      yield* read();
      count(size);
    },
  };
}

function toMembers(
  path: string,
  { members }: ZipArchive,
  { extensions, count }: { extensions: readonly string[]; count: Count },
): SourceFile[] {
  const wanted = members.filter(({ name }) => extensions.includes(toExtension(name)));
  if (wanted.length === 0) throw toNothing(path, extensions);
  return wanted.map((member) => ({
    name: member.name,
    path,
    extension: toExtension(member.name),
    peek: () => readHead(decode(member.name, member.chunks())),
    readAhead: () => decode(member.name, member.chunks()),
    chunks: async function* () {
      yield* decode(member.name, member.chunks());
      count(member.compressedBytes);
    },
  }));
}

async function isZipFile(sized: Sized): Promise<boolean> {
  const { beginning, chunks } = await peek(readChunks(sized), 4);
  await chunks.return(undefined);
  return isZip(beginning);
}

async function readHead(source: AsyncIterable<Buffer>) {
  const { beginning, chunks } = await peek(source, HEAD_BYTES);
  await chunks.return(undefined);
  return createHead(beginning);
}

function toExtension(name: string): string {
  return extname(name.toLowerCase().replace(/\.gz$/, ""));
}

// A stream costs as much as two thousand short rows. Files of unknown or changed size are read as streams.
async function* readChunks({ path, size }: Sized, count?: Count): AsyncGenerator<Buffer> {
  try {
    if (size > 0 && size <= CHUNK_BYTES) {
      const whole = readFileSync(path);
      count?.(whole.length);
      yield whole;
      return;
    }
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      count?.(chunk.length);
      yield chunk;
    }
  } catch (error) {
    fail(path)(error);
  }
}

function toNothing(path: string, extensions: readonly string[]): ImportError {
  return new ImportError(`${path} holds no file that ends in ${extensions.join(" or ")}`);
}

/** Names the folder below the given one that cannot be read. */
function failBelow(folder: string): (error: unknown) => never {
  return (error) => {
    const path = error instanceof Error && "path" in error ? String(error.path) : folder;
    return fail(path)(error);
  };
}

function fail(path: string): (error: unknown) => never {
  return (error) => {
    throw new ImportError(`${path} ${toSystemFault(error)}`, { cause: error });
  };
}
