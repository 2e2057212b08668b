// Finds files in the folder of an export that its manifest does not list.
import { MANIFEST, RECORDINGS, REPORT, TRANSCRIPTS } from "@call-media/handover";
import { basename } from "node:path";
import { toReadFault } from "../../failures/system-error.ts";
import { INDEX, STATE } from "../folder/export-folder.ts";
import { isLitter } from "../folder/litter.ts";
import type { Difference } from "./compare-file.ts";
import type { Contents } from "./contents.ts";

const KINDS = [RECORDINGS, TRANSCRIPTS];
const OTHERS: ReadonlySet<string> = new Set([MANIFEST, REPORT, STATE]);
const INDEXES: ReadonlySet<string> = new Set([INDEX, `${INDEX}-journal`]);

export interface Unlisted {
  readonly differences: readonly Difference[];
  /** Paths of files left by the operating system, and of an index. */
  readonly ignored: readonly string[];
}

/** `listed`: the paths of the manifest. */
export async function findUnlistedFiles(
  contents: Contents,
  listed: ReadonlySet<string>,
): Promise<Unlisted> {
  const differences: Difference[] = [];
  const ignored: string[] = [];
  const add = (file: string, what = "is not in the manifest") => {
    if (isLitter(basename(file))) ignored.push(file);
    else differences.push({ file, what });
  };
  const list = async (path: string) => {
    const entries = await contents.list(path).catch((error: unknown) => {
      add(path, toReadFault(error));
      return [];
    });
    const prefix = path === "" ? "" : `${path}/`;
    return entries.map(({ name, ...kind }) => ({ file: `${prefix}${name}`, ...kind }));
  };
  for (const { file, isFolder, isFile } of await list(""))
    if (INDEXES.has(file) && isFile) ignored.push(file);
    else if (!KINDS.includes(file)) {
      if (!OTHERS.has(file) && !listed.has(file)) add(file);
    } else if (!isFolder) add(file, "is a link or a file, not a folder");
  for (const kind of KINDS)
    for (const day of await list(kind))
      if (day.isFolder) {
        for (const { file } of await list(day.file)) if (!listed.has(file)) add(file);
      } else add(day.file);
  return { differences, ignored };
}
