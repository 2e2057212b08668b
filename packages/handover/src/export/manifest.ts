// The lines of a manifest: one for each file that a record should have, and one for the metadata.
import type { CallRecord, Verified } from "@call-media/client";
import type { MuteSpan } from "@call-media/sound/mute";
import type { Exporter } from "./exporter.ts";
import type { Field } from "./fields.ts";
import { METADATA_TYPES, type FileKind, type MetadataFormat } from "./layout.ts";
import type { MeasuredSound } from "./measured-sound.ts";

export const ITEM_KINDS = ["recording", "transcript"] as const;

/** One file that a record should have. */
export interface Item {
  /** Index of the record, from 0. */
  readonly row: number;
  readonly kind: (typeof ITEM_KINDS)[number];
  /** From 1. */
  readonly part: number;
}

/**
 * Why a file is not there. `missing`: the service names it but does not have it. `refused`: the caller lacks the right to it.
 * `damaged`: its bytes differ from those announced, and were discarded. `failed`: it could not be fetched this time.
 */
export const FAILURES = ["missing", "refused", "damaged", "failed"] as const;
export type Failure = (typeof FAILURES)[number];

/** A span that was muted. */
export interface MutedSpan extends MuteSpan {
  /** The number of the recording in its call, from 1 in order of start (D17). */
  readonly part: number;
  readonly reason?: string | undefined;
}

/** The muted spans of a recording. The outcome's `bytes` and `sha256` are those of the muted file; `verified` refers to the original. */
export interface MutedFile {
  readonly original: { readonly bytes: number; readonly sha256: string };
  readonly spans: readonly MutedSpan[];
  readonly by: Exporter;
}

/** The result for a file. */
export interface Outcome {
  /** `complete`: the file is there. `none`: there is no such file, and none was announced. */
  readonly status: "complete" | "none" | Failure;
  /** The path within the export; null if the file was not stored. */
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  /** For a transcript null, or `nothing` if the service does not know a chat of the call: there may be one. */
  readonly verified: Verified | null;
  /** Requests of the run that ended with this result. */
  readonly attempts: number;
  readonly error: string | null;
  /** Absent if nothing was muted. */
  readonly muted?: MutedFile | undefined;
  /** Measured for each recording that was stored; absent from exports of earlier versions. */
  readonly sound?: MeasuredSound | undefined;
}

/** The facts of a result without a file. */
export const NO_FILE = {
  file: null,
  bytes: null,
  sha256: null,
  content_type: null,
  verified: null,
} as const;

/** A line of the manifest. */
export interface ManifestEntry {
  readonly kind: Item["kind"] | "metadata" | "superseded";
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly part: number | null;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  readonly verified: Outcome["verified"];
  readonly status: Outcome["status"];
  /** Absent in a hand-over: its recipient need not know. */
  readonly attempts?: number | undefined;
  readonly error: string | null;
  /** Fields whose values are permanently masked in the file; empty for recordings. */
  readonly redacted: readonly Field[];
  readonly muted?: MutedFile | undefined;
  readonly sound?: MeasuredSound | undefined;
}

/** A written file. */
export interface Written {
  readonly file: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The files that a record should have, in the order of the manifest. */
export function listItems(
  files: readonly FileKind[],
  { index: row, parts }: { readonly index: number; readonly parts: number },
): readonly Item[] {
  const items: Item[] = [];
  if (files.includes("recordings"))
    for (let part = 1; part <= parts; part++) items.push({ row, kind: "recording", part });
  if (files.includes("transcripts")) items.push({ row, kind: "transcript", part: 1 });
  return items;
}

/** `masked`: the fields that the export masks. */
export function toManifestEntry(
  { call_id, ref_id }: CallRecord,
  {
    kind,
    part,
    ...outcome
  }: Pick<Item, "kind" | "part"> & Omit<Outcome, "attempts"> & Pick<ManifestEntry, "attempts">,
  masked: readonly Field[],
): ManifestEntry {
  const { file, bytes, sha256, content_type, verified, status, attempts, error, muted, sound } =
    outcome;
  const facts = { file, bytes, sha256, content_type, verified, status, attempts, error };
  const redacted = kind === "recording" ? [] : masked;
  // Some services leave out null values.
  const ids = { call_id: call_id ?? null, ref_id: ref_id ?? null };
  return {
    kind,
    ...ids,
    part,
    ...facts,
    redacted,
    ...(muted && { muted }),
    ...(sound && { sound }),
  };
}

/** The last line of a manifest. */
export const toMetadataEntry = (
  written: Written,
  format: MetadataFormat,
  redacted: readonly Field[],
): ManifestEntry =>
  toRecordsEntry("metadata", { ...written, type: METADATA_TYPES[format] }, redacted);

/** The line before the last, if records have earlier versions. */
export const toSupersededEntry = (written: Written, redacted: readonly Field[]): ManifestEntry =>
  toRecordsEntry("superseded", { ...written, type: METADATA_TYPES.jsonl }, redacted);

function toRecordsEntry(
  kind: "metadata" | "superseded",
  { file, bytes, sha256, type }: Written & { readonly type: string },
  redacted: readonly Field[],
): ManifestEntry {
  return {
    kind,
    call_id: null,
    ref_id: null,
    part: null,
    file,
    bytes,
    sha256,
    content_type: type,
    verified: null,
    status: "complete",
    error: null,
    redacted,
  };
}

/** A line of the file. */
export const toManifestLine = (entry: ManifestEntry): string => `${JSON.stringify(entry)}\n`;
