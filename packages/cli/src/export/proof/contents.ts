// The files of an export or a hand-over for verification: in a folder, or in a zip, which is not unpacked.
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import yauzl, { type Entry } from "yauzl";
import { ifMissing } from "../../failures/system-error.ts";
import { readSize } from "../folder/read.ts";

/** An entry of a folder. A link is neither a file nor a folder. */
export interface Listed {
  readonly name: string;
  readonly isFile: boolean;
  readonly isFolder: boolean;
}

/** Paths use `/` on every system. */
export interface Contents {
  /** The path as given by the user. */
  readonly path: string;
  /** The length of a file; undefined if it does not exist. */
  readonly size: (file: string) => Promise<number | undefined>;
  /** The file, block by block. */
  readonly read: (file: string) => AsyncIterable<Buffer>;
  /** Empty if the folder does not exist. `folder`: "" for the root. */
  readonly list: (folder: string) => Promise<readonly Listed[]>;
}

export function openFolder(path: string): Contents {
  const toPath = (file: string) => join(path, ...file.split("/"));
  return {
    path,
    size: (file) => readSize(toPath(file)),
    read: (file) => createReadStream(toPath(file)),
    async list(folder) {
      const options = { withFileTypes: true } as const;
      const entries = await readdir(toPath(folder), options).catch(ifMissing([]));
      return entries.map((entry) => ({
        name: entry.name,
        isFile: entry.isFile(),
        isFolder: entry.isDirectory(),
      }));
    },
  };
}

/** The contents of a subfolder. */
export const within = ({ path: whole, size, read, list }: Contents, folder: string): Contents => ({
  path: join(whole, folder),
  size: (file) => size(`${folder}/${file}`),
  read: (file) => read(`${folder}/${file}`),
  list: (path) => list(path === "" ? folder : `${folder}/${path}`),
});

export interface ZipContents extends Contents, Disposable {
  /** Names that occur several times: unpacking programs differ in which file they choose. */
  readonly repeated: readonly string[];
  /** Files that cannot be unpacked, with the reason. Reading such a file ends at the fault. */
  readonly damaged: ReadonlyMap<string, string>;
}

/** @throws Error if the file is not a zip, or is truncated. */
export async function openZip(path: string): Promise<ZipContents> {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  const entries = new Map<string, Entry>();
  const repeated: string[] = [];
  const damaged = new Map<string, string>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) repeated.push(entry.fileName);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    zip.close();
    throw error;
  }
  return {
    path,
    repeated,
    damaged,
    size: async (file) => entries.get(file)?.uncompressedSize,
    async *read(file) {
      const entry = entries.get(file);
      try {
        if (entry !== undefined) yield* await zip.openReadStreamPromise(entry);
      } catch (error) {
        damaged.set(file, (error as Error).message); // of the library
      }
    },
    list: async (folder) => listNames([...entries.keys()], folder === "" ? "" : `${folder}/`),
    [Symbol.dispose]: () => zip.close(),
  };
}

function listNames(paths: readonly string[], prefix: string): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue;
    const [name = "", ...rest] = path.slice(prefix.length).split("/");
    const isFolder = rest.length > 0;
    if (name !== "") found.set(name, { name, isFolder, isFile: !isFolder });
  }
  return [...found.values()];
}

const LINE_FEED = 0x0a;

/** The lines of each block, without an unfinished last one. `node:readline` would also split at U+2028. */
export async function* splitLines(blocks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest = Buffer.alloc(0);
  for await (const block of blocks) {
    const all = Buffer.concat([rest, block]);
    const end = all.lastIndexOf(LINE_FEED);
    if (end >= 0) yield all.toString("utf8", 0, end).split("\n");
    rest = all.subarray(end + 1);
  }
}
