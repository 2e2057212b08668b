// The door of the export: an archive written out as lines of files, by a format that an import reads back.
export { exportArchive, type ExportOptions, type ExportReport } from "./export-archive.ts";
export type { StoredCall } from "../sqlite/export-rows.ts";
export type { MissingFile } from "./files.ts";
export type { ExportedArchive, ExportedLine, ExportedRecording, ExportFormat } from "./format.ts";
