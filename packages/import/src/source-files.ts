// Which files an import reads: the given ones, and those of the format below the given folders and in zip archives. All of
// them are looked at before the first row is written, so that a misspelt path costs nothing.
import { constants, createReadStream } from "node:fs";
import { access, readdir, realpath, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { decode, isZip } from "./decode.ts";
import { createHead, HEAD_BYTES } from "./head.ts";
import { ImportError } from "./import-options.ts";
import { peek } from "./peek.ts";
import type { SourceFile } from "./source-row.ts";
import { openZip, type ZipArchive } from "./zip.ts";

const CHUNK_BYTES = 262_144;
const ZIP = ".zip";

export interface SourceFiles extends Disposable {
  readonly files: readonly SourceFile[];
  /** Of the files on the disk, as they are packed. */
  readonly bytesTotal: number;
  bytesRead(): number;
}

/**
 * Throws `ImportError` for what is not there or cannot be opened, for a folder without a single file to read, and for one with
 * something in the place of a file.
 */
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
    const { isPipe, size } = await look(path);
    bytesTotal += size;
    if (isPipe || !(await isZipFile(path))) return [toFile(path, isPipe, count)];
    const zip = await openZip(path);
    zips.push(zip);
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

/** Whether the two paths are one file; a path without a file is no file's. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.allSettled([realpath(one), realpath(other)]);
  return (
    first.status === "fulfilled" && second.status === "fulfilled" && first.value === second.value
  );
}

/** What the system says of a failed call, as a person would: for messages. */
export function toSystemFault(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const faults: Readonly<Record<string, string>> = {
    ENOENT: "does not exist",
    EACCES: "may not be opened by this user",
    EPERM: "may not be opened by this user",
    EISDIR: "is a folder",
    ENOTDIR: "lies below something that is no folder",
  };
  return faults[code] ?? `cannot be read (${code === "" ? String(error) : code})`;
}

async function expand(path: string, extensions: readonly string[]): Promise<string[]> {
  const isFolder = await stat(path).then((found) => found.isDirectory(), fail(path));
  if (!isFolder) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    failBelow(path),
  );
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .filter(({ name }) => extensions.includes(toExtension(name)) || toExtension(name) === ZIP)
    .map((entry) => join(entry.parentPath, entry.name));
  if (files.length === 0) throw toNothing(path, extensions);
  for (const file of files) await checkIsFile(file);
  return files.toSorted();
}

// A pipe that nobody writes to waits without end. Only whoever names one knows that somebody does.
async function checkIsFile(path: string): Promise<void> {
  const found = await stat(path).catch(fail(path));
  if (found.isFile()) return;
  const fault = found.isDirectory()
    ? "is a folder"
    : "is no file: move it away, or name it beside the folder";
  throw new ImportError(`${path} ${fault}`);
}

async function look(path: string): Promise<{ isPipe: boolean; size: number }> {
  await access(path, constants.R_OK).catch(fail(path));
  const found = await stat(path).catch(fail(path));
  return { isPipe: !found.isFile(), size: found.size };
}

type Count = (bytes: number) => void;

function toFile(path: string, isPipe: boolean, count: Count): SourceFile {
  return {
    name: path,
    path,
    extension: toExtension(path),
    peek: async () =>
      isPipe
        ? undefined
        : readHead(
            decode(
              path,
              readChunks(path, () => {}),
            ),
          ),
    readAhead: () =>
      isPipe
        ? undefined
        : decode(
            path,
            readChunks(path, () => {}),
          ),
    chunks: () => decode(path, readChunks(path, count)),
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

async function isZipFile(path: string): Promise<boolean> {
  const { beginning, chunks } = await peek(
    readChunks(path, () => {}),
    4,
  );
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

async function* readChunks(path: string, count: Count): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      count(chunk.length);
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
