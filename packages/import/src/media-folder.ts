// The folder an import takes recordings from. Names come from a source that nobody has vetted: none of them leads out of
// the folder, whether by "..", as an absolute path or through a symbolic link.
import { readdir, realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { toSystemFault } from "./source-files.ts";
import { RowFault } from "./source-row.ts";

export interface MediaFolder {
  /** Whether there is a file of that name in the folder. */
  has(file: string): Promise<boolean>;
  /**
   * A file, wherever below the folder, that is called so, with an extension of its own or without. The folder is listed at
   * the first question.
   */
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

// Letters with marks have two forms in Unicode (https://unicode.org/reports/tr15/): files that come from macOS often have the
// other one than what names them.
type Located = { readonly path: string; readonly bytes: number } | { readonly fault: string };

// What describes recordings often lies beside them, under the same names.
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
