// What is in the folder of an export and not in its manifest.
import { readdir } from "node:fs/promises";
import { MANIFEST, RECORDINGS, REPORT, TRANSCRIPTS } from "@call-media/handover";
import { isMissing, toReadFault } from "../../failures/system-error.ts";
import { type ExportFolder, STATE } from "../folder/files.ts";

/** A file that is not as it should be. */
export interface Difference {
  /** Path in the folder. */
  readonly file: string;
  readonly what: string;
}

export interface Strangers {
  /** Is told every file of the manifest, in its order. */
  readonly meet: (file: string) => Promise<readonly Difference[]>;
  readonly end: () => Promise<readonly Difference[]>;
}

const KINDS = [RECORDINGS, TRANSCRIPTS];

/** What every export has beside its metadata. */
const FRAME: ReadonlySet<string> = new Set([...KINDS, MANIFEST, REPORT, STATE]);

/** The manifest has the files of a day together, so that the names of one day are in memory, and the days. */
export function createStrangers(folder: ExportFolder): Strangers {
  const [days, beside] = [new Set<string>(), new Set(FRAME)];
  let [day, names] = ["", new Set<string>()];
  const closed: Difference[] = [];
  const list = (path: string) => listEntries(folder, path, closed);

  async function check(of: string): Promise<readonly Difference[]> {
    const found = await Promise.all(KINDS.map((kind) => list(`${kind}/${of}`)));
    return found
      .flat()
      .map(({ file }) => file)
      .filter((file) => !names.has(file))
      .map(toStranger);
  }

  return {
    async meet(file) {
      const [first = "", next] = file.split("/");
      if (next === undefined) {
        beside.add(first);
        return [];
      }
      const isOther = next !== day;
      const strangers = isOther && day !== "" ? await check(day) : [];
      if (isOther) [day, names] = [next, new Set()];
      names.add(file);
      days.add(next);
      return strangers;
    },
    async end() {
      const strangers = [...(day === "" ? [] : await check(day))];
      names = new Set();
      const all = (await Promise.all(KINDS.map((kind) => list(kind)))).flat();
      const others = new Set(all.filter(({ isFolder }) => isFolder).map(({ name }) => name));
      for (const other of others) if (!days.has(other)) strangers.push(...(await check(other)));
      const top = await list("");
      const loose = [
        ...all.filter(({ isFolder }) => !isFolder),
        ...top.filter(({ name }) => !beside.has(name)),
      ];
      const links = top.filter(({ name, isFolder }) => KINDS.includes(name) && !isFolder);
      return [
        ...strangers,
        ...loose.map(({ file }) => toStranger(file)),
        ...links.map(({ file }) => ({ file, what: "is no folder, but a link or a file" })),
        ...closed,
      ];
    },
  };
}

const toStranger = (file: string): Difference => ({ file, what: "is not in the manifest" });

interface Entry {
  readonly name: string;
  readonly file: string;
  readonly isFolder: boolean;
}

/** Of what is no folder, and of nothing, nothing. One that cannot be read is added to `closed`. */
async function listEntries(
  folder: ExportFolder,
  path: string,
  closed: Difference[],
): Promise<readonly Entry[]> {
  const options = { withFileTypes: true } as const;
  const entries = await readdir(folder.toPath(path), options).catch((error: unknown) => {
    if (!isMissing(error)) closed.push({ file: path, what: toReadFault(error) });
    return [];
  });
  return entries.map((entry) => ({
    name: entry.name,
    file: path === "" ? entry.name : `${path}/${entry.name}`,
    isFolder: entry.isDirectory(),
  }));
}
