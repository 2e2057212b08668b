// Writes the content of a bundle: the export, a spreadsheet, and a page.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { fieldsOf } from "@call-media/api";
import {
  type Bundle,
  createBundle,
  createCallSheet,
  createViewer,
  EXPORT,
  MANIFEST,
  REPORT,
  SHEET,
  VIEWER,
} from "@call-media/handover";
import { UsageError } from "../../failures/usage-error.ts";
import type { ExportResult } from "../export.ts";
import type { ExportFolder } from "../folder/export-folder.ts";
import type { DurableFile } from "../folder/write.ts";
import { readPlan } from "../plan/plan.ts";
import { openManifest } from "../proof/manifest.ts";
import { readCalls, toFiles, toViewerCall } from "./calls.ts";

/** A finished export to pack. */
export interface Packing {
  readonly folder: ExportFolder;
  readonly result: ExportResult;
  readonly signal: AbortSignal;
}

export interface Writer {
  readonly bundle: Bundle;
  /** Adds a file. */
  readonly add: (path: string, content: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly flush: () => Promise<void>;
}

export function createWriter(output: DurableFile, signal: AbortSignal): Writer {
  const chunks: Uint8Array[] = [];
  const bundle = createBundle((bytes) => chunks.push(bytes));
  const flush = async () => {
    signal.throwIfAborted();
    for (const chunk of chunks.splice(0)) await output.write(chunk);
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

/** The files of the manifest, then manifest and report. */
export async function addExport({ add }: Writer, { folder }: Packing): Promise<void> {
  const copy = (file: string) => add(`${EXPORT}/${file}`, createReadStream(folder.toPath(file)));
  for await (const { file } of openManifest(folder, []).entries())
    if (file !== null) await copy(file);
  await copy(MANIFEST);
  await copy(REPORT);
}

export async function addSheet({ add }: Writer, { folder }: Packing): Promise<void> {
  const plan = await toPlan(folder);
  const chunks: Uint8Array[] = [];
  const sheet = createCallSheet(
    {
      fields: fieldsOf("MetadataRecord"),
      timeZone: plan.timeZone ?? undefined,
      archiveTimeZone: plan.archiveTimeZone ?? undefined,
      hasFiles: true,
    },
    (bytes) => chunks.push(bytes),
  );
  async function* write(): AsyncGenerator<Uint8Array> {
    for await (const call of readCalls(folder, plan)) {
      sheet.add([call.record], () => toFiles(call));
      yield* chunks.splice(0);
    }
    sheet.end();
    yield* chunks;
  }
  await add(SHEET, write());
}

export async function addViewer({ add }: Writer, { folder, result }: Packing): Promise<void> {
  const { report, sha256: seal } = result;
  const plan = await toPlan(folder);
  const viewer = await createViewer(report, seal);
  async function* write(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(viewer.begin());
    for await (const call of readCalls(folder, plan))
      yield Buffer.from(viewer.add(await toViewerCall(folder, call)));
    yield Buffer.from(viewer.end());
  }
  await add(VIEWER, write());
}

async function toPlan(folder: ExportFolder) {
  const plan = await readPlan(folder);
  if (plan === undefined) throw new UsageError(`${folder.path} is empty: export once more`);
  return plan;
}
