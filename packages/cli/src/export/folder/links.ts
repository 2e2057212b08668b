// Symbolic links in an export's folder: a user with write access could make the export write somewhere else.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { RECORDINGS, TRANSCRIPTS } from "@call-media/handover";
import { UsageError } from "@call-media/terminal";
import { ifMissing } from "../../failures/system-error.ts";
import { type ExportFolder, toStateFolder } from "./export-folder.ts";

/**
 * The folder itself may be a link, because the user named it. Newly written files replace links.
 *
 * @throws UsageError for a link instead of a subfolder, or of a file that is appended to.
 */
export async function refuseLinks(folder: ExportFolder): Promise<void> {
  const state = toStateFolder(folder);
  const places = [state, folder.toPath(RECORDINGS), folder.toPath(TRANSCRIPTS)];
  for (const place of places) {
    if ((await lstat(place).catch(ifMissing(undefined)))?.isSymbolicLink()) throw toRefusal(place);
  }
  for (const place of [...places, folder.journals, folder.parts]) {
    const entries = await readdir(place, { withFileTypes: true }).catch(ifMissing([]));
    const link = entries.find((entry) => entry.isSymbolicLink());
    if (link !== undefined) throw toRefusal(join(place, link.name));
  }
}

const toRefusal = (path: string) =>
  new UsageError(
    `${path} is a symbolic link, which no export makes: nothing was written through it; remove it, or give another folder`,
  );
