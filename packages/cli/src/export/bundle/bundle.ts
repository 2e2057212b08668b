// Packs a finished export into one zip to hand over: `export --bundle`.
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { MAX_BUNDLE, MAX_VIEWER_CALLS, type Report, VIEWER } from "@call-media/handover";
import { CommandFailure } from "../../failures/command-failure.ts";
import { toCounted, toShellWord, UsageError } from "@call-media/terminal";
import { checkReplaceable } from "../../files/output-file.ts";
import type { ExportFolder } from "../folder/export-folder.ts";
import { openDurably } from "../folder/write.ts";
import { addExport, addSheet, addViewer, createWriter, type Packing } from "./contents.ts";

/** A finished bundle. */
export interface Packed {
  readonly file: string;
  readonly bytes: number;
  readonly calls: number;
  /** SHA-256 of its check sums, hexadecimal: it covers every file. */
  readonly seal: string;
  /** True if it has a page to read and hear the calls. */
  readonly hasViewer: boolean;
}

/** @throws UsageError if the file cannot be written, or exists: it may have been handed over. */
export function checkBundle(file: string, { resume = false }: { readonly resume?: boolean }): void {
  checkReplaceable("--bundle", file);
  if (!resume && existsSync(file))
    throw new UsageError(`--bundle: ${file} is there already: name another file`);
}

/**
 * Writes the bundle under a temporary name, and removes the folder of a complete export. Returns undefined if no call was
 * found.
 */
export async function packBundle(file: string, packing: Packing): Promise<Packed | undefined> {
  const { folder, result } = packing;
  const { report } = result;
  checkSize(report, file, folder);
  const packed = report.verdict === "empty" ? undefined : await writeBundle(file, packing);
  if (report.verdict !== "incomplete") await rm(folder.path, { recursive: true });
  return packed;
}

async function writeBundle(file: string, packing: Packing): Promise<Packed> {
  const { written: calls } = packing.result.report.records;
  const hasViewer = calls <= MAX_VIEWER_CALLS;
  try {
    await using output = await openDurably(file);
    const writer = createWriter(output, packing.signal);
    await addExport(writer, packing);
    await addSheet(writer, packing);
    if (hasViewer) await addViewer(writer, packing);
    const seal = hash("sha256", writer.bundle.end());
    await writer.flush();
    return { file, bytes: await output.finish(), calls, seal, hasViewer };
  } catch (error) {
    await rm(`${file}.part`, { force: true });
    throw error;
  }
}

/** @throws CommandFailure before the first byte if the zip would be too large to be opened. */
function checkSize(
  { files, metadata, manifest }: Report,
  file: string,
  { path }: ExportFolder,
): void {
  // Spreadsheet and page repeat the records and the file names.
  const bytes = files.bytes + metadata.bytes * 3 + manifest.bytes * 2;
  if (bytes <= MAX_BUNDLE.bytes && files.complete <= MAX_BUNDLE.files) return;
  throw new CommandFailure(
    `${file}: a zip holds 4 GB and ${MAX_BUNDLE.files.toLocaleString("en")} files; this export is larger: hand over ${path}, which has all of it`,
  );
}

export function toBundleWords({ file, bytes, calls, hasViewer }: Packed): string {
  const what = `${file}: ${toCounted(calls, "call")}, ${toCounted(bytes, "byte")}`;
  if (hasViewer) return `${what}; open ${VIEWER} in it to read and hear them`;
  return `${what}; without ${VIEWER}, which is made for at most ${MAX_VIEWER_CALLS.toLocaleString("en")} calls`;
}

/** For the recipient of the bundle, who gets the seal by another way. */
export function toUnpackCommand(file: string, seal: string): string {
  const folder = file.replace(/\.zip$/i, "") + (/\.zip$/i.test(file) ? "" : ".unpacked");
  return `unzip ${toShellWord(file)} -d ${toShellWord(folder)} && call-media verify ${toShellWord(folder)} --seal ${seal}`;
}
