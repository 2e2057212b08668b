// What a format of the export is to the runner: it turns what is in the archive into lines of files.
import type { createExportRows, StoredCall } from "../sqlite/export-rows.ts";
import type { ExportedFile } from "./files.ts";

/** A recording whose file has a place in the export. */
export interface ExportedRecording {
  readonly filename: string;
  readonly startMs: number | null;
  readonly file: ExportedFile;
}

export interface ExportedArchive {
  readonly rows: ReturnType<typeof createExportRows>;
  readonly timeZone: string;
  readonly archiveId: string;
  /** When the export was begun: UTC, ISO 8601. */
  readonly createdAt: string;
  /** Those whose files are in the export. */
  readonly recordingsOf: (call: StoredCall) => Promise<readonly ExportedRecording[]>;
  /** How long a recording is, in seconds; undefined when its file does not say. */
  readonly durationOf: (recording: ExportedRecording) => Promise<number | undefined>;
}

export interface ExportedLine {
  /** The file that it goes into. */
  readonly file: string;
  /** What the line is, for the account. */
  readonly kind: "users" | "flags" | "calls" | "chats";
  /** How many of them it holds besides, of another kind. */
  readonly chats?: number;
  readonly value: object;
  /** Length of the records in it, for progress. */
  readonly bytes: number;
}

export interface ExportFormat {
  /** What the manifest and the access log call it. */
  readonly name: string;
  /** The file that goes alone where only one can: to standard output. */
  readonly mainFile: string;
  readonly lines: (archive: ExportedArchive) => AsyncGenerator<ExportedLine>;
}
