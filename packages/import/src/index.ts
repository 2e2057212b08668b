// The entry point of the importers: files in, a report of every row out.
export type { Doubt, DoubtName } from "./doubts/doubt.ts";
export { type Allowance, ALLOWANCES, listAllowances, parseAllowance } from "./doubts/allowance.ts";
export { ImportStopped } from "./doubts/import-stopped.ts";
export { ImportError } from "./import-error.ts";
/** The faults of sound that a report counts. */
export { FAULT_KINDS } from "@call-media/sound";
export type { MissingMedia, NotSound } from "./entry/media-entry.ts";
export {
  type ImportOptions,
  type ImportProgress,
  type ImportReport,
  type NewArchive,
  type Notice,
  type Recognised,
  type RejectedRow,
  type Rejection,
  type NamedRow,
  type SkippedFile,
} from "./import-options.ts";
export {
  digestSettings,
  type FileOutcome,
  importNewFiles,
  type NewFilesReport,
} from "./continuous.ts";
export { FILE_STATES, type FileRecord, type LogMark } from "./import-state.ts";
export { type Explanation, explainFiles } from "./explain.ts";
export { FIVE9_REGIONS } from "./formats/five9/five9-format.ts";
export { type FormatInfo, FORMATS } from "./formats/formats.ts";
export { checkMappingFile, listAllFormats, listMappingFiles } from "./maps.ts";
export { suggestMapping, type Suggestion } from "./suggest.ts";
export { toSummary } from "./report-builder.ts";
export { importFiles } from "./import-files.ts";
