// The calls of a finished export with their files, in the order of the search.
import { readFile } from "node:fs/promises";
import type { CallRecord } from "@call-media/client";
import {
  EXPORT,
  type ManifestEntry,
  type ViewerCall,
  type ViewerMessage,
} from "@call-media/handover";
import type { ExportFolder } from "../folder/export-folder.ts";
import { parseJson } from "../folder/read.ts";
import { listJournals, readJournal, readRows, toRecord } from "../journal/journal.ts";
import type { Plan } from "../plan/plan.ts";
import { toEntries } from "../proof/outputs.ts";

export interface BundledCall {
  /** With its masks. */
  readonly record: CallRecord;
  /** Entries of its files, missing ones too. */
  readonly entries: readonly ManifestEntry[];
}

export async function* readCalls(folder: ExportFolder, plan: Plan): AsyncGenerator<BundledCall> {
  for (const { path } of await listJournals(folder.journals, plan.isOldestFirst)) {
    const { outcomes } = await readJournal(path);
    for await (const rows of readRows(path))
      for (const row of rows) {
        const entries = [...toEntries(plan, [row], outcomes)].map(({ entry }) => entry);
        yield { record: toRecord(row), entries: entries.filter(({ status }) => status !== "none") };
      }
  }
}

/** Paths of its files in the bundle. */
export const toFiles = ({ entries }: BundledCall): readonly string[] =>
  entries.flatMap(({ file }) => (file === null ? [] : [`${EXPORT}/${file}`]));

export async function toViewerCall(
  folder: ExportFolder,
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
