// Finds files in the folder of an export that its manifest does not list.
import { readdir } from "node:fs/promises";
import { MANIFEST, RECORDINGS, REPORT, TRANSCRIPTS } from "@call-media/handover";
import { isMissing, toReadFault } from "../../failures/system-error.ts";
import { type ExportFolder, STATE } from "../folder/export-folder.ts";

/** A file that differs from what manifest and report say. */
export interface Difference {
  /** Path in the folder. */
  readonly file: string;
  readonly what: string;
}

export interface UnlistedFiles {
  /** Adds a file of the manifest, in its order. */
  readonly add: (file: string) => Promise<readonly Difference[]>;
  readonly end: () => Promise<readonly Difference[]>;
}

const KINDS = [RECORDINGS, TRANSCRIPTS];

/** What every export has in addition to its metadata. */
const LAYOUT: ReadonlySet<string> = new Set([...KINDS, MANIFEST, REPORT, STATE]);

/** The manifest has the files of a day together, so that memory holds the names of one day only. */
export function createUnlistedFiles(folder: ExportFolder): UnlistedFiles {
  const [days, top] = [new Set<string>(), new Set(LAYOUT)];
  let [day, names] = ["", new Set<string>()];
  const unreadable: Difference[] = [];
  const list = (path: string) => listEntries(folder, path, unreadable);

  async function check(of: string): Promise<readonly Difference[]> {
    const found = await Promise.all(KINDS.map((kind) => list(`${kind}/${of}`)));
    return found
      .flat()
      .map(({ file }) => file)
      .filter((file) => !names.has(file))
      .map(toUnlisted);
  }

  return {
    async add(file) {
      const [first = "", next] = file.split("/");
      if (next === undefined) {
        top.add(first);
        return [];
      }
      const isOther = next !== day;
      const unlisted = isOther && day !== "" ? await check(day) : [];
      if (isOther) [day, names] = [next, new Set()];
      names.add(file);
      days.add(next);
      return unlisted;
    },
    async end() {
      const unlisted = [...(day === "" ? [] : await check(day))];
      names = new Set();
      const all = (await Promise.all(KINDS.map((kind) => list(kind)))).flat();
      const others = new Set(all.filter(({ isFolder }) => isFolder).map(({ name }) => name));
      for (const other of others) if (!days.has(other)) unlisted.push(...(await check(other)));
      const entries = await list("");
      const loose = [
        ...all.filter(({ isFolder }) => !isFolder),
        ...entries.filter(({ name }) => !top.has(name)),
      ];
      const links = entries.filter(({ name, isFolder }) => KINDS.includes(name) && !isFolder);
      return [
        ...unlisted,
        ...loose.map(({ file }) => toUnlisted(file)),
        ...links.map(({ file }) => ({ file, what: "is no folder, but a link or a file" })),
        ...unreadable,
      ];
    },
  };
}

const toUnlisted = (file: string): Difference => ({ file, what: "is not in the manifest" });

interface Entry {
  readonly name: string;
  readonly file: string;
  readonly isFolder: boolean;
}

/** Empty for missing folders. A folder that cannot be read is added to `unreadable`. */
async function listEntries(
  folder: ExportFolder,
  path: string,
  unreadable: Difference[],
): Promise<readonly Entry[]> {
  const options = { withFileTypes: true } as const;
  const entries = await readdir(folder.toPath(path), options).catch((error: unknown) => {
    if (!isMissing(error)) unreadable.push({ file: path, what: toReadFault(error) });
    return [];
  });
  return entries.map((entry) => ({
    name: entry.name,
    file: path === "" ? entry.name : `${path}/${entry.name}`,
    isFolder: entry.isDirectory(),
  }));
}
