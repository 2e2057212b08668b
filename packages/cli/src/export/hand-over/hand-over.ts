// Writes a finished export as one zip to hand over: `export --hand-over`.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import {
  type HandedOver,
  type HandOverSource,
  MAX_VIEWER_CALLS,
  MAX_ZIP,
  TooLarge,
  VIEWER,
  writeHandOver,
} from "@call-media/handover";
import { CommandFailure } from "../../failures/command-failure.ts";
import { checkReplaceable } from "../../files/output-file.ts";
import { toCounted, UsageError } from "@call-media/terminal";
import { toExportFolder, toFolderOf } from "../folder/export-folder.ts";
import { openDurably } from "../folder/write.ts";

export interface Zip extends Pick<HandedOver, "bytes" | "hasViewer"> {
  readonly file: string;
}

/** A hand-over as the command tells of it. */
export interface WrittenZip extends Pick<HandedOver, "report" | "seal" | "failures"> {
  readonly zip: Zip;
}

/** @throws UsageError if the file cannot be written, or exists: it may have been handed over. */
export function checkHandOver(
  file: string,
  { resume = false }: { readonly resume?: boolean },
): void {
  checkReplaceable("--hand-over", file);
  if (!resume && existsSync(file))
    throw new UsageError(`--hand-over: ${file} is there already: name another file`);
}

/**
 * Writes the zip under a temporary name until it is whole.
 *
 * @throws CommandFailure if it would be too large to be opened.
 */
export async function writeZip(
  file: string,
  source: HandOverSource,
  signal: AbortSignal,
): Promise<WrittenZip> {
  try {
    await using output = await openDurably(file);
    const { bytes, hasViewer, ...written } = await writeHandOver(source, {
      createDigest: () => createHash("sha256"),
      async write(chunk) {
        signal.throwIfAborted();
        await output.write(chunk);
      },
    });
    await output.finish();
    return { ...written, zip: { file, bytes, hasViewer } };
  } catch (error) {
    await rm(`${file}.part`, { force: true });
    throw error instanceof TooLarge ? new CommandFailure(toTooLarge(file)) : error;
  }
}

const toTooLarge = (file: string) =>
  `${file}: a zip holds 4 GB and ${MAX_ZIP.files.toLocaleString("en")} files, and this export is larger; to hand over a folder with all of it, continue with call-media export --resume ${toExportFolder(toFolderOf(file)).named}`;

export function toHandedWords({ file, bytes, hasViewer }: Zip): string {
  const what = `${file}: ${toCounted(bytes, "byte")}`;
  if (hasViewer) return `${what}; open ${VIEWER} in it to read and hear the calls`;
  return `${what}; without ${VIEWER}, which is made for at most ${MAX_VIEWER_CALLS.toLocaleString("en")} records`;
}
