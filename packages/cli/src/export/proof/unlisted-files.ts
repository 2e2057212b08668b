// Finds files in the folder of an export that its manifest does not list.
import { readdir } from "node:fs/promises";
import { MANIFEST, RECORDINGS, REPORT, TRANSCRIPTS } from "@call-media/handover";
import { isMissing, toReadFault } from "../../failures/system-error.ts";
import { type ExportFolder, STATE } from "../folder/export-folder.ts";
import type { Difference } from "./compare-file.ts";

const KINDS = [RECORDINGS, TRANSCRIPTS];
const OTHERS: ReadonlySet<string> = new Set([MANIFEST, REPORT, STATE]);

/** `listed`: the paths of the manifest. */
export async function findUnlistedFiles(
  folder: ExportFolder,
  listed: ReadonlySet<string>,
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  const add = (file: string, what = "is not in the manifest") =>
    void differences.push({ file, what });
  const list = async (path: string) => {
    const options = { withFileTypes: true } as const;
    const entries = await readdir(folder.toPath(path), options).catch((error: unknown) => {
      if (!isMissing(error)) add(path, toReadFault(error));
      return [];
    });
    const prefix = path === "" ? "" : `${path}/`;
    return entries.map((entry) => ({
      file: `${prefix}${entry.name}`,
      isFolder: entry.isDirectory(),
    }));
  };
  for (const { file, isFolder } of await list(""))
    if (!KINDS.includes(file)) {
      if (!OTHERS.has(file) && !listed.has(file)) add(file);
    } else if (!isFolder) add(file, "is a link or a file, not a folder");
  for (const kind of KINDS)
    for (const day of await list(kind))
      if (day.isFolder) {
        for (const { file } of await list(day.file)) if (!listed.has(file)) add(file);
      } else add(day.file);
  return differences;
}
