// The interface between a format and the runner.
import type { CallStore } from "@call-media/store";
import type { Allowance } from "../doubts/allowance.ts";
import type { Head } from "../head.ts";
import type { MediaFolder } from "../media-folder.ts";
import type { Place, Reader, SourceFile } from "../source-row.ts";

export interface ImportFormat {
  /** For people: "Five9 call log". */
  readonly title: string;
  /** A note for users, for the list of formats. */
  readonly hint?: string;
  /** Extensions of its files in folders and zip archives, in lower case. */
  readonly extensions: readonly string[];
  /** Extensions that other files have as well: in a folder they are read only if the format is named. */
  readonly ambiguous?: readonly string[];
  /** Its rows need calls of the archive: its files are read after all others. */
  readonly asksArchive?: true;
  /** Options that the format accepts; default none. */
  readonly takes?: readonly FormatOption[];
  /** Says what in the head shows the format: "header has CALL ID, TIMESTAMP"; undefined for another format. */
  readonly recognise: (head: Head) => string | undefined;
  /**
   * A reader for the files of the format in this import: one file may complete another. Throws `ImportError` for
   * options that do not fit the format.
   */
  readonly createReader: (
    options: ReadOptions,
    files: readonly SourceFile[],
  ) => Reader | Promise<Reader>;
}

/** The options of an import that formats read. */
export interface ReadOptions {
  /**
   * The JSON file that maps columns or members to fields. For `csv` and `json`, which it implies without a format, it
   * maps all of them; for another format it adds to the format's own.
   */
  readonly mappingFile?: string | undefined;
  /** How the columns of a file without a header lie; `asterisk` alone. */
  readonly layout?: string | undefined;
  /** How recordings are named, to find them in the media folder: `{agent_id}__{date}__{time}`; `five9` alone. */
  readonly filenameTemplate?: string | undefined;
  /** Where the recordings named by a row lie; default: the folder of the file that names them. */
  readonly mediaDirectory?: string | undefined;
  /** Doubts that do not stop the import; default none. */
  readonly allow?: readonly Allowance[] | undefined;
  /** IANA name: how datetimes without an offset are read. */
  readonly timeZone: string;
  /** Opens the archive, for formats that need its calls; creates a new one. */
  readonly openArchive: () => Promise<CallStore>;
}

export type FormatOption = "mappingFile" | "layout" | "filenameTemplate";

/** An object of the archive's own format: `kind` and the fields of README, "jsonl". Undefined counts as not given. */
export type Entry = Record<string, unknown>;

/** The context in which a record is translated. */
export interface RecordContext {
  /** Where the recordings lie that a record names. */
  readonly folder: MediaFolder;
  /** The path of that folder, to list it; its files are taken through `folder` alone. */
  readonly directory: string;
  /** IANA name: how datetimes without an offset are read. */
  readonly timeZone: string;
  readonly place: Place;
}

/** The entry with what an addition gives. Where that has recordings, those of the archive are not kept. */
export function addTo(entry: Entry, added: Entry): Entry {
  const all = { ...entry, ...added };
  if (added["media"] === undefined && added["recordings"] === undefined) return all;
  const { keeps_recordings: _, ...others } = all;
  return others;
}

export function dropUndefined(entry: Entry): Entry {
  const given: Entry = {};
  for (const key in entry) if (entry[key] !== undefined) given[key] = entry[key];
  return given;
}
