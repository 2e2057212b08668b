// The layout of an export: the names of its files and directories.
import { SHEET_TYPE } from "../spreadsheet/call-sheet.ts";

export const MANIFEST = "manifest.jsonl";
export const REPORT = "report.json";
/** Earlier versions of records that were edited between two searches; only if there are any. */
export const SUPERSEDED = "superseded.jsonl";
export const RECORDINGS = "recordings";
export const TRANSCRIPTS = "transcripts";

export const METADATA = {
  jsonl: "metadata.jsonl",
  csv: "metadata.csv",
  xlsx: "metadata.xlsx",
} as const;
export type MetadataFormat = keyof typeof METADATA;

export const METADATA_TYPES: Readonly<Record<MetadataFormat, string>> = {
  jsonl: "application/jsonl",
  csv: "text/csv",
  xlsx: SHEET_TYPE,
};

export const FILE_KINDS = ["recordings", "transcripts"] as const;
export type FileKind = (typeof FILE_KINDS)[number];
