// The folder of the recordings of an import. Names come from untrusted sources: none leads out of the folder, neither by ".."
// nor as an absolute path nor by a symbolic link.
import { readdir, realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { toSystemFault } from "./source-files.ts";
import { RowFault } from "./source-row.ts";

export interface MediaFolder {
  /** True if the folder has a file of that name. */
  has(file: string): Promise<boolean>;
  /** A file anywhere in the folder with that name, with or without an extension of its own. The folder is listed once. */
  find(name: string): Promise<string | undefined>;
  /** The path of a file that is there and not empty. Throws `RowFault`, naming the file. */
  resolve(file: string): Promise<string>;
}

export function createMediaFolder(directory: string): MediaFolder {
  const look = async (file: string): Promise<Located> => {
    if (isAbsolute(file) || normalize(file).split(sep)[0] === "..")
      return { fault: "leads out of the media folder" };
    try {
      const root = await realpath(directory);
      const path = await realpath(join(directory, file));
      if (path !== root && !path.startsWith(toPrefix(root)))
        return { fault: "leads out of the media folder" };
      const found = await stat(path);
      return found.isFile() ? { path, bytes: found.size } : { fault: "is not a file" };
    } catch (error) {
      return { fault: toSystemFault(error) };
    }
  };

  const locate = async (file: string): Promise<Located> => {
    const found = await look(file);
    if ("path" in found) return found;
    for (const form of ["NFC", "NFD"]) {
      const other = file.normalize(form) === file ? found : await look(file.normalize(form));
      if ("path" in other) return other;
    }
    return found;
  };

  let byName: Promise<ReadonlyMap<string, string>> | undefined;

  return {
    has: async (file) => "path" in (await locate(file)),
    find: async (name) => {
      byName ??= listByName(directory);
      return (await byName).get(name.normalize());
    },
    resolve: async (file) => {
      const found = await locate(file);
      if ("fault" in found) throw new RowFault(`media: "${file}" ${found.fault}`);
      if (found.bytes === 0) throw new RowFault(`media: "${file}" is empty`);
      return found.path;
    },
  };
}

// Letters with marks have two forms in Unicode (https://unicode.org/reports/tr15/). File names of macOS often have the one
// that the source does not have.
type Located = { readonly path: string; readonly bytes: number } | { readonly fault: string };

// Descriptions of recordings often have the same names and lie next to them.
const NO_RECORDINGS = new Set([".json", ".jsonl", ".ndjson", ".csv", ".txt", ".xml", ".vtt"]);

async function listByName(directory: string): Promise<ReadonlyMap<string, string>> {
  const byName = new Map<string, string>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => !entry.isDirectory())) {
    const extension = extname(name);
    if (NO_RECORDINGS.has(extension.toLowerCase())) continue;
    const file = relative(directory, join(parentPath, name));
    byName.set(name.normalize(), file);
    byName.set(name.slice(0, name.length - extension.length).normalize(), file);
  }
  return byName;
}

function toPrefix(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}
