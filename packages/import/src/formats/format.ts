// What a format of the import is to the runner.
import type { Head } from "../head.ts";
import type { ReadOptions } from "../import-options.ts";
import type { MediaFolder } from "../media-folder.ts";
import type { Reader, SourceFile } from "../source-row.ts";

export interface ImportFormat {
  /** For people: "Five9 call log". */
  readonly title: string;
  /** What a user should know besides, for the list of formats. */
  readonly hint?: string;
  /** What its files end in, in lower case, where a folder or a zip archive is given. */
  readonly extensions: readonly string[];
  /** Those of them in which much else ends: in a folder such files are read only when the format is named. */
  readonly ambiguous?: readonly string[];
  /** Whether its rows are told by calls that the archive has: its files are read when all others are imported. */
  readonly asksArchive?: true;
  /** Options of the import that mean something to this format; default none. */
  readonly takes?: readonly FormatOption[];
  /** What of the head shows the format, for people: "header has CALL ID, TIMESTAMP"; undefined when it is another. */
  readonly recognise: (head: Head) => string | undefined;
  /**
   * A reader for the files of the format in this import: one may say more about what lies in another. Throws `ImportError`
   * for options that do not fit the format.
   */
  readonly createReader: (
    options: ReadOptions,
    files: readonly SourceFile[],
  ) => Reader | Promise<Reader>;
}

export type FormatOption = "mappingFile" | "layout" | "filenameTemplate";

/** An object of the archive's own format: `kind` and the fields of README, "jsonl". Undefined counts as not given. */
export type Entry = Record<string, unknown>;

/** What a reader may ask while it translates a record. */
export interface RecordContext {
  /** Where the recordings lie that a record names. */
  readonly folder: MediaFolder;
  /** The path of that folder, to list it; its files are taken through `folder` alone. */
  readonly directory: string;
  /** IANA name: how datetimes without an offset are read. */
  readonly timeZone: string;
}

export function dropUndefined(entry: Entry): Entry {
  const given: Entry = {};
  for (const key in entry) if (entry[key] !== undefined) given[key] = entry[key];
  return given;
}
