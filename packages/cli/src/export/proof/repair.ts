// Repairs an export: moves files that differ from the manifest out of the folder, and fetches them again.
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MANIFEST, METADATA, REPORT, SUPERSEDED } from "@call-media/handover";
import { UsageError } from "@call-media/terminal";
import { makeFolder } from "../../files/written-files.ts";
import { type ExportFolder, STATE } from "../folder/export-folder.ts";
import { isUnpacked } from "./verify-hand-over.ts";
import type { Difference } from "./compare-file.ts";

/** @throws UsageError if the folder lacks what a repair needs. */
export function checkRepairable(folder: ExportFolder): void {
  if (existsSync(folder.plan)) return;
  const why = isUnpacked(folder.path)
    ? "is an unpacked hand-over: unpack it again, or ask its sender for another copy"
    : `has no ${STATE}, which only the folder has that was exported into: ask its sender for another copy`;
  throw new UsageError(`--repair: ${folder.path} ${why}`);
}

/** Always written again from the journals. */
const OUTPUTS: ReadonlySet<string> = new Set([
  MANIFEST,
  REPORT,
  SUPERSEDED,
  ...Object.values(METADATA),
]);

/** Moves recordings, transcripts and unlisted files that differ. Returns their new folder; undefined if none was moved. */
export async function moveAside(
  folder: ExportFolder,
  differences: readonly Difference[],
): Promise<string | undefined> {
  const files = new Set(differences.map(({ file }) => file));
  const moved = [...files].filter((file) => !OUTPUTS.has(file) && existsSync(folder.toPath(file)));
  if (moved.length === 0) return undefined;
  const aside = findNewName(`${folder.path}.aside`);
  for (const file of moved) {
    const target = join(aside, ...file.split("/"));
    await makeFolder(dirname(target));
    await rename(folder.toPath(file), target);
  }
  return aside;
}

function findNewName(wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}~${number}`;
    if (!existsSync(name)) return name;
  }
}
