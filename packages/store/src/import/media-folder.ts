// The folder an import takes recordings from. Names come from a source that nobody has vetted: none of them leads out of
// the folder, whether by "..", as an absolute path or through a symbolic link.
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, normalize, sep } from "node:path";
import { toSystemFault } from "./source-files.ts";
import { RowFault } from "./source-row.ts";

export interface MediaFolder {
  /** Whether there is a file of that name in the folder. */
  has(file: string): Promise<boolean>;
  /** The path of a file that is there and not empty. Throws `RowFault`, naming the file. */
  resolve(file: string): Promise<string>;
}

export function createMediaFolder(directory: string): MediaFolder {
  const locate = async (
    file: string,
  ): Promise<{ path: string; bytes: number } | { fault: string }> => {
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

  return {
    has: async (file) => "path" in (await locate(file)),
    resolve: async (file) => {
      const found = await locate(file);
      if ("fault" in found) throw new RowFault(`media: "${file}" ${found.fault}`);
      if (found.bytes === 0) throw new RowFault(`media: "${file}" is empty`);
      return found.path;
    },
  };
}

function toPrefix(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}
