// What an export is handed on by: metadata and manifest, made of the journals in the order of the search.
import { createHash } from "node:crypto";
import { RECORD_FORMATS } from "../search/formats/formats.ts";
import { type ExportFolder, MANIFEST, writeDurably } from "./files.ts";
import {
  type Item,
  listJournals,
  type Listed,
  type Outcome,
  readRows,
  readState,
  type Row,
  toItemKey,
} from "./journal.ts";
import { listItems } from "./placed.ts";
import { METADATA, type Plan } from "./plan.ts";

/** A line of the manifest: one file that a record should have, or the metadata itself. */
export interface ManifestEntry {
  readonly kind: Item["kind"] | "metadata";
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly part: number | null;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  readonly checked: Outcome["checked"];
  readonly status: Outcome["status"];
  readonly attempts: number;
  readonly error: string | null;
}

/** One listing of the journal, and what became of its files. */
export interface Window extends Listed {
  readonly files: Readonly<Record<Outcome["status"], number>>;
}

export interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Outputs {
  readonly metadata: Written;
  readonly manifest: Written;
  readonly windows: readonly Window[];
}

const TYPES = { jsonl: "application/jsonl", csv: "text/csv" } as const;

/** Two readings of the journals, of which one day is in memory at a time. `onEntry` is told of each line of the manifest. */
export async function writeOutputs(
  folder: ExportFolder,
  plan: Plan,
  onEntry: (entry: ManifestEntry) => void,
): Promise<Outputs> {
  const journals = await listJournals(folder.journals, plan.isOldestFirst);
  const metadata = await write(folder, METADATA[plan.format], toMetadata(journals, plan));
  const windows: Window[] = [];
  const toManifest = async function* () {
    for (const journal of journals) {
      const { entries, listed } = await readEntries(journal, plan);
      windows.push({ ...listed, files: countByStatus(entries) });
      for (const entry of entries) onEntry(entry);
      yield* entries.map(toText);
    }
    yield toText(toMetadataEntry(metadata, plan));
  };
  const manifest = await write(folder, MANIFEST, toManifest());
  return { metadata, manifest, windows };
}

const toText = (entry: ManifestEntry) => `${JSON.stringify(entry)}\n`;

async function* toMetadata(journals: readonly string[], plan: Plan): AsyncGenerator<string> {
  const format = RECORD_FORMATS[plan.format]({
    columns: undefined,
    showDatetime: (text) => text,
    width: Infinity,
    isForExcel: plan.isForExcel,
  });
  yield format.begin();
  for (const journal of journals)
    for await (const { record } of readRows(journal)) yield format.toText([record]);
  yield format.end();
}

async function readEntries(journal: string, plan: Plan) {
  const { listed, outcomes } = await readState(journal);
  const entries: ManifestEntry[] = [];
  let index = 0;
  for await (const row of readRows(journal)) {
    for (const item of listItems(plan, row, index)) {
      const outcome = outcomes.get(toItemKey(item)) ?? NOT_TRIED;
      if (outcome.status !== "none") entries.push(toEntry(row, item, outcome));
    }
    index++;
  }
  return { listed, entries };
}

const NOT_TRIED: Outcome = {
  status: "failed",
  file: null,
  bytes: null,
  sha256: null,
  content_type: null,
  checked: null,
  attempts: 0,
  error: "it was not tried",
};

function toEntry({ record }: Row, { kind, part }: Item, outcome: Outcome): ManifestEntry {
  const { call_id, ref_id } = record;
  const { file, bytes, sha256, content_type, checked, status, attempts, error } = outcome;
  const facts = { file, bytes, sha256, content_type, checked, status, attempts, error };
  return { kind, call_id, ref_id, part, ...facts };
}

function toMetadataEntry({ file, bytes, sha256 }: Written, { format }: Plan): ManifestEntry {
  const content = { file, bytes, sha256, content_type: TYPES[format], checked: null } as const;
  const none = { call_id: null, ref_id: null, part: null };
  return { kind: "metadata", ...none, ...content, status: "complete", attempts: 0, error: null };
}

function countByStatus(entries: readonly ManifestEntry[]): Window["files"] {
  const count = { complete: 0, none: 0, missing: 0, refused: 0, damaged: 0, failed: 0 };
  for (const { status } of entries) count[status]++;
  return count;
}

async function write(
  folder: ExportFolder,
  file: string,
  texts: AsyncIterable<string>,
): Promise<Written> {
  const hash = createHash("sha256");
  let bytes = 0;
  const watched = async function* () {
    for await (const text of texts) {
      hash.update(text);
      bytes += Buffer.byteLength(text);
      yield text;
    }
  };
  await writeDurably(folder.toPath(file), watched());
  return { file, bytes, sha256: hash.digest("hex") };
}
