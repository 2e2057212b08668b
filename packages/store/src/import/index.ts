// The door of the importers: files in, an account of every row out.
export {
  type Format,
  ImportError,
  type ImportOptions,
  type ImportProgress,
  type ImportReport,
  type RejectedRow,
  type Rejection,
} from "./import-options.ts";
export { FORMATS, importFiles } from "./import-files.ts";
