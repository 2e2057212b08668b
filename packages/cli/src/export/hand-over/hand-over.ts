// Writes a finished export as one zip to hand over: `export --hand-over`.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { json } from "node:stream/consumers";
import {
  EXPORT,
  type HandedOver,
  type HandOverSource,
  isExporter,
  MAX_VIEWER_CALLS,
  MAX_ZIP,
  REPORT,
  type Report,
  TooLarge,
  VIEWER,
  writeHandOver,
} from "@call-media/handover";
import { CommandFailure } from "../../failures/command-failure.ts";
import { checkReplaceable } from "../../files/output-file.ts";
import { toCounted, UsageError } from "@call-media/terminal";
import { toExportFolder, toFolderOf } from "../folder/export-folder.ts";
import { hashFile } from "../folder/read.ts";
import { openDurably } from "../folder/write.ts";
import { openZip } from "../proof/contents.ts";

export interface Zip extends Pick<HandedOver, "bytes" | "hasViewer"> {
  readonly file: string;
}

/** A hand-over in the output of the command. */
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
 * Writes the zip under a temporary name until it is complete. Keeps an existing zip that would differ only in its exporter and times, so
 * that its seal stays valid.
 *
 * @throws CommandFailure if it would be too large to be opened.
 */
export async function writeZip(
  file: string,
  source: HandOverSource,
  signal: AbortSignal,
): Promise<WrittenZip> {
  const pack = async (what: HandOverSource, write: (chunk: Uint8Array) => Promise<void>) => {
    const createDigest = () => createHash("sha256");
    const { bytes, hasViewer, ...written } = await writeHandOver(what, {
      createDigest,
      async write(chunk) {
        signal.throwIfAborted();
        await write(chunk);
      },
    });
    return { ...written, zip: { file, bytes, hasViewer } };
  };
  try {
    const before = await readReport(file);
    if (before !== undefined) {
      const { exportedBy, beganAt, finishedAt } = before;
      const again = { ...source, exportedBy, beganAt, now: () => new Date(finishedAt) };
      const kept = await pack(again, async () => {});
      const there = createHash("sha256");
      await hashFile(file, there);
      if (kept.seal === there.digest("hex")) return kept;
    }
    await using output = await openDurably(file);
    const written = await pack(source, output.write);
    await output.finish();
    return written;
  } catch (error) {
    await rm(`${file}.part`, { force: true });
    throw error instanceof TooLarge ? new CommandFailure(toTooLarge(file)) : error;
  }
}

/** The report of the existing hand-over; undefined if the file is not one. */
async function readReport(file: string): Promise<Report | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    using zip = await openZip(file);
    const report = Object(await json(zip.read(`${EXPORT}/${REPORT}`))) as Partial<Report>;
    const times = [report.beganAt, report.finishedAt].map((time) => Date.parse(time ?? ""));
    return isExporter(report.exportedBy) && !times.some(Number.isNaN)
      ? (report as Report)
      : undefined;
  } catch {
    // An unreadable zip is written again.
    return undefined;
  }
}

const toTooLarge = (file: string) =>
  `${file}: a zip holds 4 GB and ${MAX_ZIP.files.toLocaleString("en")} files, and this export is larger; to hand over a folder with all of it, continue with call-media export --resume ${toExportFolder(toFolderOf(file)).named}`;

export function toHandedWords({ file, bytes, hasViewer }: Zip): string {
  const what = `${file}: ${toCounted(bytes, "byte")}`;
  if (hasViewer) return `${what}; open ${VIEWER} in it to read and hear the calls`;
  return `${what}; without ${VIEWER}, which is made for at most ${MAX_VIEWER_CALLS.toLocaleString("en")} records`;
}
