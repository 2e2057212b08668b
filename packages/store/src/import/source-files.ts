// Which files an import reads: the given ones, and those of the format below the given folders. All of them are looked at
// before the first row is written, so that a misspelt path costs nothing.
import { constants, createReadStream } from "node:fs";
import { access, readdir, realpath, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { ImportError } from "./import-options.ts";
import type { SourceFile } from "./source-row.ts";

const CHUNK_BYTES = 262_144;

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  readonly bytesTotal: number;
  bytesRead(): number;
}

/** Throws `ImportError` for what is not there or cannot be opened, and for a folder without a single file to read. */
export async function findSourceFiles(
  paths: readonly string[],
  extensions: readonly string[],
): Promise<SourceFiles> {
  if (paths.length === 0) throw new ImportError("nothing to import: name a file or a folder");
  const found = await Promise.all(paths.map((path) => expand(path, extensions)));
  let bytesTotal = 0;
  let bytesRead = 0;
  const files: SourceFile[] = [];
  for (const path of found.flat()) {
    bytesTotal += await readSize(path);
    files.push({
      name: path,
      path,
      chunks: () => readChunks(path, (bytes) => (bytesRead += bytes)),
    });
  }
  return { files, bytesTotal, bytesRead: () => bytesRead };
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
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(fail(path));
  const files = entries
    .filter(
      (entry) => !entry.isDirectory() && extensions.includes(extname(entry.name).toLowerCase()),
    )
    .map((entry) => join(entry.parentPath, entry.name));
  if (files.length === 0)
    throw new ImportError(`${path} holds no file that ends in ${extensions.join(" or ")}`);
  return files.toSorted();
}

async function readSize(path: string): Promise<number> {
  await access(path, constants.R_OK).catch(fail(path));
  const { size } = await stat(path).catch(fail(path));
  return size;
}

async function* readChunks(path: string, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      count(chunk.length);
      yield chunk;
    }
  } catch (error) {
    fail(path)(error);
  }
}

function fail(path: string): (error: unknown) => never {
  return (error) => {
    throw new ImportError(`${path} ${toSystemFault(error)}`, { cause: error });
  };
}
