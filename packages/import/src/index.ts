// The entry point of the importers: files in, a report of every row out.
export {
  ImportError,
  type ImportOptions,
  type ImportProgress,
  type ImportReport,
  type NewArchive,
  type MissingMedia,
  type Notice,
  type Recognised,
  type RejectedRow,
  type Rejection,
  type NamedRow,
  type SkippedFile,
} from "./import-options.ts";
export { FIVE9_REGIONS } from "./formats/five9/five9-format.ts";
export { type Format, type FormatInfo, FORMATS } from "./formats/formats.ts";
export { toSummary } from "./report-builder.ts";
export { importFiles } from "./import-files.ts";
