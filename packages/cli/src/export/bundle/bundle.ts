// `export --bundle`: an export that has come to its end, packed into one zip that is handed over.
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fieldsOf } from "@call-media/api";
import {
  type Bundle,
  createBundle,
  createCallSheet,
  createViewer,
  EXPORT,
  MAX_BUNDLE,
  MAX_VIEWER_CALLS,
  SHEET,
  VIEWER,
} from "@call-media/handover";
import { CommandFailure } from "../../failures/command-failure.ts";
import { UsageError } from "../../failures/usage-error.ts";
import { checkReplaceable } from "../../files/output-file.ts";
import { toCounted } from "../../terminal/counted.ts";
import { toShellWord } from "../../terminal/shell-word.ts";
import type { Carried } from "../export.ts";
import {
  type DurableFile,
  type ExportFolder,
  MANIFEST,
  openDurably,
  REPORT,
} from "../folder/files.ts";
import { readPlan } from "../plan/plan.ts";
import { openManifest } from "../proof/manifest.ts";
import type { Report } from "../proof/report.ts";
import { readCalls, toFiles, toViewerCall } from "./calls.ts";

/** A bundle that is there. */
export interface Packed {
  readonly file: string;
  readonly bytes: number;
  readonly calls: number;
  /** Whether it has a page to read and hear its calls with. */
  readonly hasViewer: boolean;
}

/** @throws UsageError where the file cannot be written, or is one that somebody may have been given. */
export function checkBundle(file: string, { resume = false }: { readonly resume?: boolean }): void {
  checkReplaceable("--bundle", file);
  if (!resume && existsSync(file))
    throw new UsageError(`--bundle: ${file} is there already: name another file`);
}

interface Packing {
  readonly folder: ExportFolder;
  readonly carried: Carried;
  readonly signal: AbortSignal;
}

/**
 * Writes the bundle under another name, which it loses when it is whole. The folder goes, unless there is something left to
 * fetch. Undefined where no call was found, and so nothing is handed over.
 */
export async function packBundle(file: string, packing: Packing): Promise<Packed | undefined> {
  const { folder, carried } = packing;
  const { report } = carried;
  checkSize(report, file, folder);
  const packed = report.verdict === "empty" ? undefined : await writeBundle(file, packing);
  if (report.verdict !== "incomplete") await rm(folder.path, { recursive: true });
  return packed;
}

async function writeBundle(file: string, packing: Packing): Promise<Packed> {
  const { written: calls } = packing.carried.report.records;
  const hasViewer = calls <= MAX_VIEWER_CALLS;
  try {
    await using output = await openDurably(file);
    const writer = createWriter(output, packing.signal);
    await addExport(writer, packing);
    await addSheet(writer, packing);
    if (hasViewer) await addViewer(writer, packing);
    writer.bundle.end();
    await writer.flush();
    return { file, bytes: await output.finish(), calls, hasViewer };
  } catch (error) {
    await rm(`${file}.part`, { force: true });
    throw error;
  }
}

/** Found before the first byte: a zip that is too large cannot be opened. */
function checkSize(
  { files, metadata, manifest }: Report,
  file: string,
  { path }: ExportFolder,
): void {
  // The sheet and the page have the records once more, and no call has more than its own files.
  const bytes = files.bytes + metadata.bytes * 3 + manifest.bytes * 2;
  if (bytes <= MAX_BUNDLE.bytes && files.complete <= MAX_BUNDLE.files) return;
  throw new CommandFailure(
    `${file}: a zip holds 4 GB and ${MAX_BUNDLE.files.toLocaleString("en")} files; this export is larger, and is whole in ${path}: hand that over`,
  );
}

interface Writer {
  readonly bundle: Bundle;
  /** A file whose bytes come one after the other. */
  readonly add: (path: string, content: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly flush: () => Promise<void>;
}

function createWriter(output: DurableFile, signal: AbortSignal): Writer {
  const pieces: Uint8Array[] = [];
  const bundle = createBundle((bytes) => pieces.push(bytes));
  const flush = async () => {
    signal.throwIfAborted();
    for (const piece of pieces.splice(0)) await output.write(piece);
  };
  return {
    bundle,
    flush,
    async add(path, content) {
      const file = bundle.open(path);
      const digest = createHash("sha256");
      for await (const bytes of content) {
        digest.update(bytes);
        file.write(bytes);
        await flush();
      }
      file.end(digest.digest("hex"));
      await flush();
    },
  };
}

/** As the manifest has it, and what proves it. */
async function addExport({ add }: Writer, { folder }: Packing): Promise<void> {
  const copy = (file: string) => add(`${EXPORT}/${file}`, createReadStream(folder.toPath(file)));
  for await (const { file } of openManifest(folder, []).entries())
    if (file !== null) await copy(file);
  await copy(MANIFEST);
  await copy(REPORT);
}

async function addSheet({ add }: Writer, { folder }: Packing): Promise<void> {
  const plan = await toPlan(folder);
  const pieces: Uint8Array[] = [];
  const sheet = createCallSheet(
    {
      fields: fieldsOf("MetadataRecord"),
      timeZone: plan.timeZone ?? undefined,
      archiveTimeZone: plan.archiveTimeZone ?? undefined,
      hasFiles: true,
    },
    (bytes) => pieces.push(bytes),
  );
  async function* write(): AsyncGenerator<Uint8Array> {
    for await (const call of readCalls(folder, plan)) {
      sheet.add([call.record], () => toFiles(call));
      yield* pieces.splice(0);
    }
    sheet.end();
    yield* pieces;
  }
  await add(SHEET, write());
}

async function addViewer({ add }: Writer, { folder, carried }: Packing): Promise<void> {
  const { report, sha256: seal } = carried;
  const plan = await toPlan(folder);
  const viewer = await createViewer({ ...pickAbout(report), seal });
  async function* write(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(viewer.begin());
    for await (const call of readCalls(folder, plan))
      yield Buffer.from(viewer.add(await toViewerCall(folder, call)));
    yield Buffer.from(viewer.end());
  }
  await add(VIEWER, write());
}

const pickAbout = ({ from, to, verdict, faults, redacted, finishedAt }: Report) => ({
  from,
  to,
  verdict,
  faults,
  redacted,
  finishedAt,
});

async function toPlan(folder: ExportFolder) {
  const plan = await readPlan(folder);
  if (plan === undefined) throw new UsageError(`${folder.path} is empty: export once more`);
  return plan;
}

export function toBundleWords({ file, bytes, calls, hasViewer }: Packed): string {
  const what = `${file}: ${toCounted(calls, "call")}, ${toCounted(bytes, "byte")}`;
  if (hasViewer) return `${what}; open ${VIEWER} in it to read and hear them`;
  return `${what}; without ${VIEWER}, which no browser opens well with more than ${MAX_VIEWER_CALLS.toLocaleString("en")} calls`;
}

/** For whoever is given the bundle, with the seal told to them by another way. */
export function toUnpackCommand(file: string, seal: string): string {
  const folder = file.replace(/\.zip$/i, "") + (/\.zip$/i.test(file) ? "" : ".unpacked");
  return `unzip ${toShellWord(file)} -d ${toShellWord(folder)} && call-media verify ${toShellWord(`${folder}/${EXPORT}`)} --seal ${seal}`;
}
