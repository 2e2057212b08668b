// What an import is asked for and what it answers: the words shared by the runner, its readers and whoever starts it.
import type { CallStore } from "@call-media/store";
import type { Format } from "./formats/formats.ts";

/** An archive that is made when there is something to import into it: whatever keeps an import from beginning leaves nothing. */
export interface NewArchive {
  /** What it will have (D03). */
  readonly timeZone: string;
  /** Called once, at the first row; whoever gives it closes what it gives. */
  readonly create: () => Promise<CallStore>;
}

export type MissingMedia = "reject" | "name";

export interface ImportOptions {
  /** What is imported into. */
  readonly store: CallStore | NewArchive;
  /** Files, zip archives, or folders of which every file of the format is read, in the order of their paths. */
  readonly paths: readonly string[];
  /** Default `auto`: each file is what its beginning shows, and nothing is written when one of them shows nothing. */
  readonly format?: Format | "auto" | undefined;
  /**
   * The JSON file that says which column or member becomes which field: all of them for `csv` and `json`, which without a
   * format it stands for; for another format those to be added to its own.
   */
  readonly mappingFile?: string | undefined;
  /** How the columns of a file without a header lie; `asterisk` alone. */
  readonly layout?: string | undefined;
  /** How recordings are named, to find them in the media folder: `{agent_id}__{date}__{time}`; `five9` alone. */
  readonly filenameTemplate?: string | undefined;
  /** Where the recordings named by a row lie; default: the folder of the file that names them. */
  readonly mediaDirectory?: string | undefined;
  /** Whether recordings stay where they are, and the archive keeps their paths; default: they are copied. */
  readonly isLinked?: boolean | undefined;
  /**
   * What becomes of a call whose recording is missing or empty: it is rejected, or imported with the name alone, which the
   * report counts. Default: `name` where a platform's log names recordings that may lie elsewhere, `reject` for a mapping's or an
   * entry's own list.
   */
  readonly missingMedia?: MissingMedia | undefined;
  /** Whether files of no known format are left aside and reported; default: one of them keeps the import from beginning. */
  readonly skipsUnknown?: boolean | undefined;
  /** Whether records that a purge has erased are imported again (D33); default no. */
  readonly restoresErased?: boolean | undefined;
  /** IANA name: how datetimes without an offset are read; default: the archive's time zone (D03). */
  readonly timeZone?: string | undefined;
  /** Where rejected rows go, as JSON lines of `RejectedRow`. Made only when there is one; never one that has rows already. */
  readonly rejectFile?: string | undefined;
  /** Called once with the files whose format was found out, and those left aside, before anything is written. */
  readonly onRecognised?:
    | ((recognised: readonly Recognised[], skipped: readonly SkippedFile[]) => void)
    | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** An import as its formats see it. */
export interface ReadOptions extends Omit<ImportOptions, "store"> {
  /** IANA name: how datetimes without an offset are read. */
  readonly timeZone: string;
  /** For what can be told from the archive alone; makes a new one. */
  readonly openArchive: () => Promise<CallStore>;
}

export interface Recognised {
  readonly file: string;
  readonly format: Format;
  /** For people: "Five9 call log". */
  readonly title: string;
  /** What shows it, for people: "header has CALL ID, TIMESTAMP". */
  readonly because: string;
}

/** A file of no known format. */
export interface SkippedFile {
  readonly file: string;
  /** For people: what it is instead, and what to do. */
  readonly reason: string;
}

export interface ImportProgress {
  readonly bytesRead: number;
  /** Of all files together; 0 where the system cannot tell (a pipe). */
  readonly bytesTotal: number;
  /** Rows so far. */
  readonly read: number;
}

/** What became of the rows of an import: `read` is the sum of the other five. */
export interface ImportReport {
  readonly read: number;
  /** Rows of which something was new. */
  readonly imported: number;
  /** Rows that took the place of what the archive had of the same record (D32). */
  readonly replaced: number;
  readonly unchanged: number;
  /** Rows that a purge has erased before, and that stay out (D33). */
  readonly erased: number;
  readonly rejected: number;
  /** Present when something was rejected and a reject file was asked for. */
  readonly rejectFile?: string;
  /** The first of the rejected rows, at most ten. */
  readonly firstRejections: readonly Rejection[];
  /** The first of the rows that replaced something, at most ten. */
  readonly firstReplacements: readonly NamedRow[];
  /** The first of the rows that were erased before, at most ten. */
  readonly firstErased: readonly NamedRow[];
  /** Files of no known format that were left aside; present when there are some. */
  readonly skipped?: readonly SkippedFile[];
  /** What is to be known of rows that were taken; present when there is something. */
  readonly notices?: readonly Notice[];
}

export interface Notice {
  /** A sentence without its end. */
  readonly text: string;
  /** Of how many rows it holds. */
  readonly rows: number;
}

export interface NamedRow {
  /** As in `Rejection`. */
  readonly file: string;
  readonly line: number;
  /** What was replaced, or erased before, for people: "call 7 of 2026-08-21T09:00:06Z". */
  readonly record: string;
}

export interface Rejection {
  /** As it was given, or below the folder that was given. */
  readonly file: string;
  /** Counts from 1; where the row begins. */
  readonly line: number;
  /** Names the field and the fault. */
  readonly reason: string;
}

/** A line of the reject file. */
export interface RejectedRow extends Rejection {
  /** The row as it came, cut after 4,096 characters. */
  readonly raw: string;
}

/**
 * Thrown when an import cannot begin or go on: a file that cannot be opened, a wrong mapping, an unknown time zone.
 * The message is one line for people.
 */
export class ImportError extends Error {
  override readonly name = "ImportError";
}
