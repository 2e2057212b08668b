// The door of the export: an archive written out in a form that the import reads back.
export {
  EXPORT_FORMATS,
  exportArchive,
  type ExportFormatName,
  type ExportOptions,
  type ExportReport,
} from "./export-archive.ts";
export type { MissingFile } from "./files.ts";
