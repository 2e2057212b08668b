// The calls of an export with the files that they have, read from its journals in the order of its search.
import { readFile } from "node:fs/promises";
import type { CallRecord } from "@call-media/client";
import {
  EXPORT,
  type ManifestEntry,
  type ViewerCall,
  type ViewerMessage,
} from "@call-media/handover";
import type { ExportFolder } from "../folder/files.ts";
import { parseJson } from "../folder/parse-json.ts";
import { toRecord } from "../journal/entries.ts";
import { readRows, readState } from "../journal/journal-state.ts";
import { listJournals } from "../journal/journals.ts";
import type { Plan } from "../plan/plan.ts";
import { toEntries } from "../proof/outputs.ts";

export interface BundledCall {
  /** Masked where it is to be. */
  readonly record: CallRecord;
  /** Of its files, also of those that could not be had. */
  readonly entries: readonly ManifestEntry[];
}

export async function* readCalls(folder: ExportFolder, plan: Plan): AsyncGenerator<BundledCall> {
  for (const { path } of await listJournals(folder.journals, plan.isOldestFirst)) {
    const { outcomes } = await readState(path);
    for await (const rows of readRows(path))
      for (const row of rows) {
        const entries = [...toEntries(plan, [row], outcomes)].map(({ entry }) => entry);
        yield { record: toRecord(row), entries: entries.filter(({ status }) => status !== "none") };
      }
  }
}

/** Paths in the bundle. */
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

/** This program wrote them. */
async function readMessages(path: string): Promise<readonly ViewerMessage[]> {
  const { messages } = parseJson(await readFile(path, "utf8")) as {
    readonly messages: readonly ViewerMessage[];
  };
  return messages;
}
