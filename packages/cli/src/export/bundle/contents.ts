// Writes the content of a bundle: the export, a spreadsheet, and a page.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import {
  type Bundle,
  createBundle,
  createCallSheet,
  createViewer,
  EXPORT,
  MANIFEST,
  type ManifestEntry,
  REPORT,
  SHEET,
  VIEWER,
  type ViewerCall,
  type ViewerMessage,
} from "@call-media/handover";
import type { ExportResult } from "../export.ts";
import type { ExportFolder } from "../folder/export-folder.ts";
import { parseJson } from "../folder/read.ts";
import type { DurableFile } from "../folder/write.ts";
import { listJournals, readJournal, readRows, toRecord } from "../journal/journal.ts";
import { createSupersededFilter } from "../journal/superseded.ts";
import { readManifest } from "../proof/manifest.ts";
import { toEntries } from "../proof/outputs.ts";

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
  for await (const { file } of readManifest(folder, () => {})) if (file !== null) await copy(file);
  await copy(MANIFEST);
  await copy(REPORT);
}

export async function addSheet({ add }: Writer, packing: Packing): Promise<void> {
  const { plan } = packing.result;
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
    for await (const call of readCalls(packing)) {
      const files = call.entries.flatMap(({ file }) =>
        file === null ? [] : [`${EXPORT}/${file}`],
      );
      sheet.add([call.record], () => files);
      yield* chunks.splice(0);
    }
    sheet.end();
    yield* chunks;
  }
  await add(SHEET, write());
}

export async function addViewer({ add }: Writer, packing: Packing): Promise<void> {
  const viewer = await createViewer(packing.result.report);
  async function* write(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(viewer.begin());
    for await (const call of readCalls(packing))
      yield Buffer.from(viewer.add(await toViewerCall(packing, call)));
    yield Buffer.from(viewer.end());
  }
  await add(VIEWER, write());
}

interface BundledCall {
  /** With its masks. */
  readonly record: CallRecord;
  /** Entries of its files, missing ones too. */
  readonly entries: readonly ManifestEntry[];
}

/** In the order of the search. */
async function* readCalls({ folder, result }: Packing): AsyncGenerator<BundledCall> {
  const { plan } = result;
  const journals = await listJournals(folder.journals, plan.isOldestFirst);
  const isSuperseded = await createSupersededFilter(plan, journals);
  for (const journal of journals) {
    const { outcomes } = await readJournal(journal.path);
    for await (const rows of readRows(journal.path))
      for (const row of rows) {
        if (isSuperseded(journal, row)) continue;
        const entries = [...toEntries(plan, [row], outcomes)].map(({ entry }) => entry);
        yield { record: toRecord(row), entries: entries.filter(({ status }) => status !== "none") };
      }
  }
}

async function toViewerCall(
  { folder }: Packing,
  { record, entries }: BundledCall,
): Promise<ViewerCall> {
  const recordings = entries.filter(({ kind }) => kind === "recording");
  const transcript = entries.find(({ kind }) => kind === "transcript")?.file ?? null;
  const messages = transcript === null ? [] : await readMessages(folder.toPath(transcript));
  return { record, recordings, messages };
}

/** This program has written the file. */
async function readMessages(path: string): Promise<readonly ViewerMessage[]> {
  const { messages } = parseJson(await readFile(path, "utf8")) as {
    readonly messages: readonly ViewerMessage[];
  };
  return messages;
}
