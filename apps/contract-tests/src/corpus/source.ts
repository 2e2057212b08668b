// A source of the corpus for the test: its import, and the records that must be found again.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Schema } from "@call-media/api";
import type { ImportOptions, Rejection } from "@call-media/import";
import { repository } from "../workspace.ts";

export interface CorpusSource {
  readonly import: Omit<ImportOptions, "store">;
  /** Rows of the source, including those that must be rejected. */
  readonly rows: number;
  readonly rejected: readonly Omit<Rejection, "line">[];
  /** Read from the files without the importers. */
  readonly calls: readonly ExpectedCall[];
}

export interface ExpectedCall {
  readonly call_id: string;
  /** The fields that the record must have with these values. */
  readonly record: Partial<Schema<"MetadataRecord">>;
  /** Texts of the chat, oldest first. */
  readonly chat: readonly string[];
  /** The files of the call's recordings, in order. */
  readonly recordings?: readonly string[];
}

/** A call, a chat message or a user as a line of the archive's own format. */
export type JsonlEntry = Readonly<Record<string, unknown>> & { readonly kind: string };

const mappings = new URL("../../corpus/", import.meta.url);

/** The folder of the corpus: CALL_MEDIA_CORPUS, else next to the repository; undefined if it is missing. */
export function findCorpus(): string | undefined {
  const folder = process.env["CALL_MEDIA_CORPUS"] ?? join(repository, "../shared/corpus");
  return existsSync(folder) ? folder : undefined;
}

/** Path of a mapping file of this app. */
export function toMapping(name: string): string {
  return new URL(`${name}.json`, mappings).pathname;
}

/** Writes the entries as a jsonl file and gives its path. */
export async function writeJsonl(
  scratch: string,
  name: string,
  entries: readonly JsonlEntry[],
): Promise<string> {
  const path = join(scratch, `${name}.jsonl`);
  await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return path;
}
