// A format of the export, for the runner: it turns the items of the archive into lines of files.
import type { ArchiveItem, Scan } from "@call-media/store";

export type ExportedCall = Extract<ArchiveItem, { kind: "call" }>;

/** A recording that has a place in the export. */
export interface ExportedRecording {
  readonly filename: string;
  readonly startMs?: number | undefined;
  readonly file: ExportedFile;
}

export interface ExportedFile {
  /** Where it lies in the export: `media/ab/abcd….wav`. */
  readonly place: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly type: string;
}

export interface ExportedArchive {
  readonly scan: Pick<Scan, "archiveId" | "timeZone" | "bytes" | "rows">;
  /** When the export was begun: UTC, ISO 8601. */
  readonly createdAt: string;
  /** The recordings whose files are in the export. */
  readonly recordingsOf: (call: ExportedCall) => Promise<readonly ExportedRecording[]>;
  /** How long a recording is, in seconds; undefined when its file does not say. */
  readonly durationOf: (recording: ExportedRecording) => Promise<number | undefined>;
}

export interface ExportedLine {
  /** The file that it goes into. */
  readonly file: string;
  /** The kind of the line, for the report. */
  readonly kind: "users" | "flags" | "calls" | "chats";
  /** How many of them it holds besides, of another kind. */
  readonly chats?: number;
  readonly value: object;
  /** Length of the records in it, for progress. */
  readonly bytes: number;
}

export interface ExportFormat {
  /** Its name in the manifest and the access log. */
  readonly name: string;
  /** The only file where there is just one: on standard output. */
  readonly mainFile: string;
  readonly lines: (archive: ExportedArchive) => AsyncGenerator<ExportedLine>;
}
